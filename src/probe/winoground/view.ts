import { english, type Said, say } from '../../base/say';
import type { WinogroundRow } from './winoground';
import type { LabelledCaption, Verdict } from '../../protocol/rows';
import type { RowView } from '../view';

/** The four comparisons, each the own one minus the other's. */
function leads({ c0i0, c1i0, c0i1, c1i1 }: WinogroundRow): { text: number; photo: number } {
  return { text: Math.min(c0i0 - c1i0, c1i1 - c0i1), photo: Math.min(c0i0 - c0i1, c1i1 - c1i0) };
}

function verdictOf(row: WinogroundRow): Verdict {
  if (row.group) return 'right';
  const { text, photo } = leads(row);
  return Math.min(text, photo) === 0 ? 'tie' : 'wrong';
}

function which({ text, photo }: WinogroundRow): Said {
  if (text && photo) return say`none`;
  if (text) return say`photo by caption`;
  return photo ? say`caption by photo` : say`both`;
}

export const winogroundView: RowView<WinogroundRow> = {
  facets: [
    { id: 'verdict', title: say`Result`, share: false },
    { id: 'which', title: say`What went wrong`, share: false },
  ],
  delta: { title: say`Smallest lead of an own pair over a crossed one` },
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
      label: row.group ? say`two pairs` : say`wrong: ${which(row)}`,
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
      words: row.group ? say`both pairs right` : say`wrong: ${which(row)}`,
      captions: captionsOf(row),
    };
  },
};

function captionsOf(row: WinogroundRow): LabelledCaption[] {
  return [
    {
      label: say`first caption, first photo`,
      text: row.captions[0],
      score: row.c0i0,
      verdict: 'none',
      chosen: false,
    },
    {
      label: say`second caption, first photo`,
      text: row.captions[1],
      score: row.c1i0,
      delta: row.c1i0 - row.c0i0,
      verdict: row.c0i0 > row.c1i0 ? 'right' : 'wrong',
      against: 0,
      chosen: false,
    },
    {
      label: say`second caption, second photo`,
      text: row.captions[1],
      score: row.c1i1,
      verdict: 'none',
      chosen: false,
    },
    {
      label: say`first caption, second photo`,
      text: row.captions[0],
      score: row.c0i1,
      delta: row.c0i1 - row.c1i1,
      verdict: row.c1i1 > row.c0i1 ? 'right' : 'wrong',
      against: 2,
      chosen: false,
    },
  ];
}
