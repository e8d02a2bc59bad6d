import { english, type Said, say, type Words } from '../../base/say';
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
  if (text && photo) return say`none`;
  if (text) return say`image for a caption`;
  return photo ? say`caption for an image` : say`both`;
}

function labelOf(row: WinogroundRow): Words {
  const verdict = verdictOf(row);
  if (verdict === 'right') return say`both pairs right`;
  return verdict === 'tie' ? say`tied: ${which(row)}` : say`wrong: ${which(row)}`;
}

export const winogroundRows: RowView<WinogroundRow> = {
  row: rowCheck(winogroundRowSchema),
  facets: [
    { id: 'verdict', title: say`Result`, share: false },
    { id: 'which', title: say`Failed comparison`, share: false },
  ],
  delta: { title: say`Smallest lead of a right pair over a wrong pair`, head: say`lead` },
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
      label: say`first caption, first image`,
      text: row.captions[0],
      score: row.c0i0,
      verdict: 'none',
      chosen: false,
    },
    {
      label: say`second caption, first image`,
      text: row.captions[1],
      score: row.c1i0,
      delta: row.c0i0 - row.c1i0,
      verdict: row.c0i0 > row.c1i0 ? 'right' : 'wrong',
      against: 0,
      chosen: false,
    },
    {
      label: say`second caption, second image`,
      text: row.captions[1],
      score: row.c1i1,
      verdict: 'none',
      chosen: false,
    },
    {
      label: say`first caption, second image`,
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
    title: say`Right caption for each image`,
    metric: 'winoground.text',
    style: 'percent',
    chance: 0.25,
    range: [0, 1],
    about: say`Share of examples in which each image scores higher with its own caption (text score). Chance level: 25 %.`,
  },
  {
    title: say`Right image for each caption`,
    metric: 'winoground.image',
    style: 'percent',
    chance: 0.25,
    range: [0, 1],
    about: say`Share of examples in which each caption scores higher with its own image (image score). Chance level: 25 %.`,
  },
  {
    title: say`All four comparisons right`,
    metric: 'winoground.group',
    style: 'percent',
    chance: 1 / 6,
    range: [0, 1],
    about: say`Share of examples in which all four comparisons are right (group score). Chance level: 1/6.`,
  },
];

export const winogroundView = {
  id: 'winoground',
  title: 'Winoground',
  question: 'Given two images and two captions, does each image score higher with its own caption?',
  mode: 'pairs',
  madeFor: ['crossed'],
  rows: winogroundRows,
  columns: { before: say`own caption`, after: say`other caption` },
  cards: fixedCards(cards),
  leading: [
    {
      metric: /^winoground\.group$/,
      words: (value) => say`${value} right`,
      sentence: (evaluator, value) =>
        say`${evaluator} gets all four comparisons right in ${value} of examples`,
      parts: [
        { metric: 'winoground.text', name: say`captions for an image` },
        { metric: 'winoground.image', name: say`images for a caption` },
      ],
    },
  ],
} satisfies ProbeView<WinogroundRow>;
