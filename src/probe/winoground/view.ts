import { english } from '../../base/english';
import { type Said, say, type Words } from '../../base/say';
import { leadsOf, leastLeadOf, lineOfLead, type Matrix } from '../choice/decide';
import type { Card } from '../../protocol/panel';
import { type WinogroundRow, winogroundRowSchema } from './row';
import { rowCheck } from '../rowSchema';
import type { Verdict } from '../../protocol/rows';
import { fixedCards, type ProbeView, rowView, shareCard, type ShownCaption } from '../view';

/** The four scores in the form of the choice probe. */
export function matrixOf(row: Pick<WinogroundRow, 'c0i0' | 'c1i0' | 'c0i1' | 'c1i1'>): Matrix {
  const { c0i0, c1i0, c0i1, c1i1 } = row;
  return {
    scores: [
      [c0i0, c1i0],
      [c0i1, c1i1],
    ],
    rightOf: [0, 1],
  };
}

/** The smallest lead of a right caption for an image (`text`), and of a right image for a caption (`image`). */
function leads(row: WinogroundRow): { text: number; image: number } {
  const { text, image } = leadsOf(matrixOf(row));
  return { text: text!, image: image! };
}

function verdictOf(row: WinogroundRow): Verdict {
  if (row.right.group) return 'right';
  const { text, image } = leads(row);
  return Math.min(text, image) === 0 ? 'tie' : 'wrong';
}

function which({ right: { text, image } }: WinogroundRow): Said {
  if (text && image) return say('visla.none');
  if (text) return say('winoground.failedImage');
  return image ? say('winoground.failedCaption') : say('winoground.failedBoth');
}

function labelOf(row: WinogroundRow): Words {
  const verdict = verdictOf(row);
  if (verdict === 'right') return say('winoground.bothPairsRight');
  return verdict === 'tie'
    ? say('visla.tiedComparison', which(row))
    : say('visla.wrongComparison', which(row));
}

export const winogroundRows = rowView<WinogroundRow>({
  row: rowCheck(winogroundRowSchema),
  facets: [
    { id: 'verdict', title: say('choice.result'), share: false, outcome: true },
    { id: 'which', title: say('visla.failedComparison'), share: false, outcome: true },
  ],
  delta: { title: say('choice.smallestLead'), head: say('choice.lead') },
  chance: 1 / 6,

  facts(row) {
    const { text, image } = leads(row);
    const lead = Math.min(text, image);
    return [
      { delta: lead, harm: -lead, verdict: verdictOf(row), facets: [verdictOf(row), english(which(row))] },
    ];
  },

  words: (row) => [...row.captions, ...row.images].join('\n'),

  line(row) {
    const matrix = matrixOf(row);
    return { ...lineOfLead(leastLeadOf(matrix)!, { ...row, ...matrix }), label: labelOf(row) };
  },

  captions: captionsOf,

  detail: (row) => ({
    crossed: {
      images: row.images,
      captions: row.captions,
      scores: [
        [row.c0i0, row.c0i1],
        [row.c1i0, row.c1i1],
      ],
      captionFinds: [row.c0i0 > row.c0i1, row.c1i1 > row.c1i0],
      imageFinds: [row.c0i0 > row.c1i0, row.c1i1 > row.c0i1],
    },
  }),

  mark: (row) => ({ texts: row.captions, words: labelOf(row) }),
});

function captionsOf({ captions: [first, second], c0i0, c1i0, c0i1, c1i1 }: WinogroundRow): ShownCaption[] {
  const other = (against: number, own: number, score: number) =>
    ({ score, delta: own - score, verdict: own > score ? 'right' : 'wrong', against }) as const;
  return [
    { label: say('winoground.firstCaptionFirstImage'), text: first, score: c0i0 },
    { label: say('winoground.secondCaptionFirstImage'), text: second, ...other(0, c0i0, c1i0) },
    { label: say('winoground.secondCaptionSecondImage'), text: second, score: c1i1 },
    { label: say('winoground.firstCaptionSecondImage'), text: first, ...other(2, c1i1, c0i1) },
  ];
}

const cards: readonly Card[] = [
  shareCard(say('choice.captionPerImage'), 'winoground.text', say('winoground.textScoreMeaning'), {
    chance: 0.25,
  }),
  shareCard(say('choice.imagePerCaption'), 'winoground.image', say('winoground.imageScoreMeaning'), {
    chance: 0.25,
  }),
  shareCard(say('winoground.groupScore'), 'winoground.group', say('winoground.groupScoreMeaning'), {
    chance: 1 / 6,
  }),
];

export const winogroundView = {
  id: 'winoground',
  title: 'Winoground',
  question: 'Given two images and two captions, does each image score higher with its own caption?',
  mode: 'pairs',
  madeFor: ['crossed'],
  rows: winogroundRows,
  columns: {
    before: say('rococo.ownCaption'),
    after: say('winoground.otherOfPair'),
    score: say('probe.firstScore'),
  },
  cards: fixedCards(cards),
  leading: [
    {
      metric: /^winoground\.group$/,
      words: (value) => say('choice.rightShare', value),
      sentence: (evaluator, value) => say('winoground.groupHeadline', evaluator, value),
      parts: [
        { metric: 'winoground.text', name: say('winoground.captionsForImage') },
        { metric: 'winoground.image', name: say('winoground.imagesForCaption') },
      ],
    },
  ],
} satisfies ProbeView<WinogroundRow>;
