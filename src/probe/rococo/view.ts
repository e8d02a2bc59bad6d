import { say, type Words } from '../../base/say';
import { rococoParts } from './names';
import type { Card } from '../../protocol/panel';
import { imagesOf, type Metric } from '../metric';
import { fixedCards, type ProbeView } from '../view';
import type { RococoRow } from './row';
import { rococoRows } from './rowView';
import { kindOf } from './stages/kindNote';

const share: Pick<Card, 'style' | 'range'> = { style: 'percent', range: [0, 1] };

const cards: readonly Card[] = [
  {
    ...share,
    group: say`Image-to-text search`,
    title: say`Own caption first`,
    metric: 'rococo.i2t.r1',
    about: say`Share of images whose first result is their own caption, with true captions only.`,
  },
  {
    ...share,
    group: say`Image-to-text search`,
    title: say`Own caption first, with altered captions`,
    metric: 'rococo.i2t.stressed.r1',
    about: say`Share of images whose first result is their own caption, with altered captions added to the true ones.`,
  },
  {
    ...share,
    group: say`Image-to-text search`,
    title: say`Altered caption first`,
    metric: 'rococo.i2t.rsms',
    chance: 0.05,
    about: say`Share of searches whose first result is an altered caption. Lower is better. The bar has a mark at 5 %.`,
  },
  {
    ...share,
    group: say`Text-to-image search`,
    title: say`Own image first`,
    metric: 'rococo.t2i.r1',
    about: say`Share of captions whose first result is their own image, with true images only.`,
  },
  {
    ...share,
    group: say`Text-to-image search`,
    title: say`Own image first, with altered images`,
    metric: 'rococo.t2i.stressed.r1',
    about: say`Share of captions whose first result is their own image, with altered images added to the true ones.`,
  },
  {
    ...share,
    group: say`Text-to-image search`,
    title: say`Altered image first`,
    metric: 'rococo.t2i.rsms',
    chance: 0.05,
    about: say`Share of searches whose first result is an altered image. Lower is better. The bar has a mark at 5 %.`,
  },
  {
    ...share,
    group: say`Text-to-text comparison`,
    title: say`Altered caption closer than the image's other captions`,
    metric: 'rococo.text.closer',
    chance: 0.5,
    about: say`Share of captions whose altered version is closer to the caption than any other caption of the same image is.`,
  },
];

/** The headline. It names the kind of altered entries, because the metric covers only one kind. */
function loses(evaluator: string, value: string, entries: Words, metric: Metric): Words {
  const kind = kindOf(metric);
  const named = kind === undefined ? entries : say`${entries} (${kind})`;
  return say`${evaluator} loses ${value} of its correct first results when ${named} are added`;
}

const oneOfAll = (rate: Metric): number => 1 / imagesOf(rate);

export const rococoView = {
  id: 'rococo',
  title: 'RoCOCO',
  question: 'Does retrieval still find the true caption or image when altered ones are added to the gallery?',
  mode: 'gallery',
  madeFor: ['altered'],
  rows: rococoRows,
  columns: { before: say`caption`, after: say`altered entry or first result` },
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
      words: (value) => say`R@1 drops by ${value}`,
      sentence: (evaluator, value, metric) => loses(evaluator, value, say`altered captions`, metric),
    },
    {
      // Used if image-to-text search has no drop rate.
      metric: /^rococo\.t2i\.dropRate$/,
      words: (value) => say`R@1 drops by ${value}`,
      sentence: (evaluator, value, metric) => loses(evaluator, value, say`altered images`, metric),
    },
  ],
} satisfies ProbeView<RococoRow>;
