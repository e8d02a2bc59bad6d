import { english } from '../../base/english';
import { type Said, say, type Words } from '../../base/say';
import { leadsOf, type Matrix } from '../choice/decide';
import type { Card } from '../../protocol/panel';
import { type WinogroundRow, winogroundRowSchema } from './row';
import { rowCheck } from '../rowSchema';
import type { LabelledCaption, Verdict } from '../../protocol/rows';
import { fixedCards, type RowView, type ProbeView } from '../view';

/** The four scores in the form of the choice probe. */
export function matrixOf({
  c0i0,
  c1i0,
  c0i1,
  c1i1,
}: Pick<WinogroundRow, 'c0i0' | 'c1i0' | 'c0i1' | 'c1i1'>): Matrix {
  return {
    scores: [
      [c0i0, c1i0],
      [c0i1, c1i1],
    ],
    rightOf: [0, 1],
  };
}

/** The smallest lead of a right caption for an image (`text`), and of a right image for a caption (`photo`). */
function leads(row: WinogroundRow): { text: number; photo: number } {
  const { text, image } = leadsOf(matrixOf(row));
  return { text: text!, photo: image! };
}

function verdictOf(row: WinogroundRow): Verdict {
  if (row.group) return 'right';
  const { text, photo } = leads(row);
  return Math.min(text, photo) === 0 ? 'tie' : 'wrong';
}

function which({ text, photo }: WinogroundRow): Said {
  if (text && photo) return say('visla.none');
  if (text) return say('winoground.failedImage');
  return photo ? say('winoground.failedCaption') : say('winoground.failedBoth');
}

function labelOf(row: WinogroundRow): Words {
  const verdict = verdictOf(row);
  if (verdict === 'right') return say('winoground.bothPairsRight');
  return verdict === 'tie'
    ? say('visla.tiedComparison', which(row))
    : say('visla.wrongComparison', which(row));
}

export const winogroundRows: RowView<WinogroundRow> = {
  row: rowCheck(winogroundRowSchema),
  facets: [
    { id: 'verdict', title: say('choice.result'), share: false, outcome: true },
    { id: 'which', title: say('visla.failedComparison'), share: false, outcome: true },
  ],
  delta: { title: say('choice.smallestLead'), head: say('choice.lead') },
  chance: 1 / 6,

  fileLine: (row) => row.place?.line,

  facts(row) {
    const { text, photo } = leads(row);
    const lead = Math.min(text, photo);
    return [
      { delta: lead, harm: -lead, verdict: verdictOf(row), facets: [verdictOf(row), english(which(row))] },
    ];
  },

  words: (row) => [...row.captions, ...row.photos].join('\n'),

  line(row) {
    const { text, photo } = leads(row);
    return {
      line: row.place?.line,
      image: row.image,
      before: row.captions[0],
      after: row.captions[1],
      label: labelOf(row),
      score: row.c0i0,
      delta: Math.min(text, photo),
      verdict: verdictOf(row),
    };
  },

  detail: (row) => ({
    example: row.example,
    line: row.place?.line,
    image: row.image,
    captions: captionsOf(row),
    crossed: {
      photos: row.photos,
      captions: row.captions,
      scores: [
        [row.c0i0, row.c0i1],
        [row.c1i0, row.c1i1],
      ],
      captionFinds: [row.c0i0 > row.c0i1, row.c1i1 > row.c1i0],
      photoFinds: [row.c0i0 > row.c1i0, row.c1i1 > row.c0i1],
    },
    notes: [],
  }),

  mark(row) {
    return {
      texts: row.captions,
      words: labelOf(row),
      captions: captionsOf(row),
    };
  },
};

function captionsOf(row: WinogroundRow): LabelledCaption[] {
  return [
    {
      label: say('winoground.firstCaptionFirstImage'),
      text: row.captions[0],
      score: row.c0i0,
      verdict: 'none',
      chosen: false,
    },
    {
      label: say('winoground.secondCaptionFirstImage'),
      text: row.captions[1],
      score: row.c1i0,
      delta: row.c0i0 - row.c1i0,
      verdict: row.c0i0 > row.c1i0 ? 'right' : 'wrong',
      against: 0,
      chosen: false,
    },
    {
      label: say('winoground.secondCaptionSecondImage'),
      text: row.captions[1],
      score: row.c1i1,
      verdict: 'none',
      chosen: false,
    },
    {
      label: say('winoground.firstCaptionSecondImage'),
      text: row.captions[0],
      score: row.c0i1,
      delta: row.c1i1 - row.c0i1,
      verdict: row.c1i1 > row.c0i1 ? 'right' : 'wrong',
      against: 2,
      chosen: false,
    },
  ];
}

const cards: readonly Card[] = [
  {
    title: say('choice.captionPerImage'),
    metric: 'winoground.text',
    style: 'percent',
    chance: 0.25,
    range: [0, 1],
    about: say('winoground.textScoreMeaning'),
  },
  {
    title: say('choice.imagePerCaption'),
    metric: 'winoground.image',
    style: 'percent',
    chance: 0.25,
    range: [0, 1],
    about: say('winoground.imageScoreMeaning'),
  },
  {
    title: say('winoground.groupScore'),
    metric: 'winoground.group',
    style: 'percent',
    chance: 1 / 6,
    range: [0, 1],
    about: say('winoground.groupScoreMeaning'),
  },
];

export const winogroundView = {
  id: 'winoground',
  title: 'Winoground',
  question: 'Given two images and two captions, does each image score higher with its own caption?',
  mode: 'pairs',
  madeFor: ['crossed'],
  rows: winogroundRows,
  columns: { before: say('rococo.ownCaption'), after: say('human.otherCaption') },
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
