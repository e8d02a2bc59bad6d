import { say } from '../../base/say';
import type { Card } from '../../protocol/panel';
import { type SugarcrepeRow, sugarcrepeRowSchema } from './row';
import { besideCards, betterBeside } from '../benchmark/beside/view';
import { rowCheck } from '../rowSchema';
import type { Triangle, Verdict } from '../../protocol/rows';
import { leadWords, numberCard, type ProbeView, rowView, shareCard, type ShownCaption } from '../view';

function verdictOf({ i2t: image }: SugarcrepeRow): Verdict {
  if (image === undefined) return 'none';
  if (image.tie) return 'tie';
  return image.right ? 'right' : 'wrong';
}

function changeOf({ i2t: image }: SugarcrepeRow): number | undefined {
  return image && image.negative - image.caption;
}

/** The negative's score minus the caption's; without the image, the similarity of the two captions. */
function harmOf(row: SugarcrepeRow): number {
  return changeOf(row) ?? row.text ?? 0;
}

export const sugarcrepeRows = rowView<SugarcrepeRow>({
  row: rowCheck(sugarcrepeRowSchema),
  facets: [{ id: 'verdict', title: say('choice.result'), share: false, outcome: true }],
  delta: {
    title: say('sugarcrepe.negativeMinusCaption'),
    head: 'Δ',
    wanted: say('sugarcrepe.changeWanted'),
    lower: true,
  },
  points: {
    title: say('sugarcrepe.captionAgainstNegative'),
    x: say('sugarcrepe.captionScore'),
    y: say('sugarcrepe.negativeScore'),
    border: 'diagonal',
  },
  chance: 0.5,

  key: ({ caption }) => caption,

  facts: (row) => [
    {
      delta: changeOf(row),
      harm: harmOf(row),
      verdict: verdictOf(row),
      facets: [verdictOf(row)],
      point: row.i2t && [row.i2t.caption, row.i2t.negative],
    },
  ],

  words: (row) => `${row.caption}\n${row.negative}\n${row.image ?? ''}`,

  line: (row) => ({
    before: row.caption,
    after: row.negative,
    // The benchmark's own column, such as "swap_obj".
    label: typeof row.tags?.type === 'string' ? row.tags.type : say('sugarcrepe.negative'),
    score: row.i2t?.negative,
  }),

  captions: captionsOf,

  detail: (row) => ({
    triangle: triangleOf(row),
    notes: row.text === undefined ? [] : [say('sugarcrepe.captionSimilarityValue', row.text.toFixed(4))],
  }),

  mark: (row) => ({
    texts: [row.caption, row.negative],
    words:
      verdictOf(row) === 'none'
        ? say('sugarcrepe.captionSimilarityShort', Math.abs(harmOf(row)).toFixed(3))
        : leadWords(0 - harmOf(row)),
  }),
});

/** The similarities of the image and of both captions, if all three are known. */
function triangleOf({ i2t: image, text }: SugarcrepeRow): Triangle | undefined {
  if (image === undefined || text === undefined) return undefined;
  return {
    corners: [say('dataset.caption'), say('sugarcrepe.negative'), say('invariance.image')],
    sides: [
      { from: 0, to: 1, value: text, wrong: false },
      { from: 0, to: 2, value: image.caption, wrong: false },
      { from: 1, to: 2, value: image.negative, wrong: image.negative >= image.caption },
    ],
  };
}

function captionsOf(row: SugarcrepeRow): ShownCaption[] {
  return [
    { label: say('dataset.caption'), text: row.caption, score: row.i2t?.caption },
    {
      label: say('sugarcrepe.negative'),
      text: row.negative,
      score: row.i2t?.negative,
      delta: changeOf(row),
      verdict: verdictOf(row),
      against: 0,
    },
  ];
}

/** The id of the main metric, which contains the name of the dataset file. */
const own = /^sugarcrepe\.[^.]+$/;
const cards: readonly { ending: RegExp; of: (metric: string) => Card }[] = [
  {
    ending: own,
    of: (id) =>
      shareCard(say('sugarcrepe.captionPreferred'), id, say('sugarcrepe.captionPreferredMeaning'), {
        chance: 0.5,
      }),
  },
  {
    ending: /\.gap$/,
    of: (id) =>
      numberCard(say('sugarcrepe.lead'), id, say('sugarcrepe.leadMeaning'), [-0.2, 0.2], { chance: 0 }),
  },
  {
    ending: /\.textSimilarity$/,
    of: (id) =>
      numberCard(say('sugarcrepe.captionSimilarity'), id, say('sugarcrepe.captionSimilarityMeaning'), [0, 1]),
  },
];

export const sugarcrepeView = {
  id: 'sugarcrepe',
  title: 'SugarCrepe',
  question: "Does an image's own caption score higher than a fluent caption with one error?",
  mode: 'pairs',
  madeFor: ['pair'],
  rows: sugarcrepeRows,
  columns: { before: say('dataset.caption'), after: say('choice.wrongCaption') },
  cards: (metrics) =>
    cards.flatMap(({ ending, of }): Card[] => {
      const metric = metrics.find(({ id, slice }) => slice === undefined && ending.test(id));
      if (metric === undefined) return [];
      return [of(metric.id), ...(ending === own ? besideCards(metrics, metric.id) : [])];
    }),
  better: betterBeside,
  leading: [
    {
      metric: own,
      words: (value) => say('choice.rightShare', value),
      sentence: (evaluator, value) => say('sugarcrepe.headline', evaluator, value),
    },
  ],
} satisfies ProbeView<SugarcrepeRow>;
