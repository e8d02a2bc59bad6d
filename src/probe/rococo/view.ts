import { type Code, findSaid, say, type Words } from '../../base/say';
import { rococoParts } from './names';
import type { Card } from '../../protocol/panel';
import { imagesOf, type Metric } from '../metric';
import { fixedCards, type Leading, type ProbeView, shareCard, wholeMetric } from '../view';
import type { RococoRow } from './row';
import { rococoRows } from './rowView';

const units = {
  n: 'rococo.searchesCounted' satisfies Code,
  ties: 'rococo.searchesTied' satisfies Code,
};
const inText = { group: say('rococo.imageToTextSearch'), units };
const inImages = { group: say('rococo.textToImageSearch'), units };

const cards: readonly Card[] = [
  shareCard(say('rococo.ownCaptionFirst'), 'rococo.i2t.r1', say('rococo.ownCaptionFirstMeaning'), inText),
  shareCard(
    say('rococo.captionWithAltered'),
    'rococo.i2t.stressed.r1',
    say('rococo.captionWithAlteredMeaning'),
    inText,
  ),
  shareCard(
    say('rococo.alteredCaptionFirst'),
    'rococo.i2t.rsms',
    say('rococo.alteredCaptionFirstMeaning'),
    inText,
  ),
  shareCard(say('rococo.ownImageFirst'), 'rococo.t2i.r1', say('rococo.ownImageFirstMeaning'), inImages),
  shareCard(
    say('rococo.imageWithAltered'),
    'rococo.t2i.stressed.r1',
    say('rococo.imageWithAlteredMeaning'),
    inImages,
  ),
  shareCard(
    say('rococo.alteredImageFirst'),
    'rococo.t2i.rsms',
    say('rococo.alteredImageFirstMeaning'),
    inImages,
  ),
  shareCard(say('rococo.captionCloser'), 'rococo.text.closer', say('rococo.captionCloserMeaning'), {
    group: say('rococo.textComparison'),
    chance: 0.5,
  }),
];

/** The headline. It names the kind of altered entries, because the metric covers only one kind. */
function loses(evaluator: string, value: string, entries: Words, metric: Metric): Words {
  const { kind } = metric;
  const named = kind === undefined ? entries : say('probe.nameWithDetail', entries, kind);
  return say('rococo.dropHeadline', evaluator, value, named);
}

/** Verdicts say whether altered entries cost more than this share of the searches that were right without them. */
export const few = 0.05;

/** The remark on a drop whose verdict is undecided, although its own interval may be above the limit. */
const doubtIf =
  (drop: string, undecided: Code): Leading['doubt'] =>
  (metrics, claims) => {
    if (!claims.some(({ text }) => findSaid(text, undecided) !== undefined)) return undefined;
    const [low = 0] = wholeMetric(metrics, drop)?.ci ?? [];
    return low > few ? say('rococo.doubtMoreTogether') : say('rococo.doubtMore');
  };

const oneOfAll = (rate: Metric): number => 1 / imagesOf(rate);

export const rococoView = {
  id: 'rococo',
  title: 'RoCOCO',
  question: 'Does retrieval still find the true caption or image when altered ones are added to the gallery?',
  mode: 'gallery',
  madeFor: ['altered'],
  rows: rococoRows,
  columns: { before: say('dataset.caption'), after: say('rococo.alteredOrFirst') },
  cards: fixedCards(cards),
  metricParts: rococoParts,
  better: (metric) =>
    /\.(dropRate|rsms|closer)$/.test(metric) ? 'lower' : /\.r\d+$/.test(metric) ? 'higher' : undefined,
  // Altered entries can only mislead an evaluator that finds true ones. One image of all is right by chance.
  ground: (metric) => {
    if (metric === 'rococo.text.closer') return { metric: 'rococo.i2t.r1', chance: oneOfAll };
    const [, search] = /^rococo\.(i2t|t2i)\.(?:stressed\.r\d+|dropRate|rsms)$/.exec(metric) ?? [];
    return search === undefined ? undefined : { metric: `rococo.${search}.r1`, chance: oneOfAll };
  },
  leading: [
    {
      metric: /^rococo\.i2t\.dropRate$/,
      words: (value) => say('rococo.dropValue', value),
      sentence: (evaluator, value, metric) => loses(evaluator, value, say('rococo.alteredCaptions'), metric),
      doubt: doubtIf('rococo.i2t.dropRate', 'rococo.captionSearchesLostUndecided'),
    },
    {
      // Used if image-to-text search has no drop rate.
      metric: /^rococo\.t2i\.dropRate$/,
      words: (value) => say('rococo.dropValue', value),
      sentence: (evaluator, value, metric) => loses(evaluator, value, say('probe.alteredImages'), metric),
      doubt: doubtIf('rococo.t2i.dropRate', 'rococo.imageSearchesLostUndecided'),
    },
  ],
} satisfies ProbeView<RococoRow>;
