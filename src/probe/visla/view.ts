import { english, say, type Words } from '../../base/say';
import type { Metric } from '../metric';
import type { Card } from '../../protocol/panel';
import { letterBands, vislaParts, wordingBands } from './names';
import { type VislaRow, vislaRowSchema } from './row';
import { rowCheck } from '../rowSchema';
import type { LabelledCaption, MetricKey, Verdict } from '../../protocol/rows';
import { wholeMetric, type LineFacts, type RowView, type ProbeView } from '../view';

/** A row's similarities in one setting, of both positives and the negative. */
interface Reading {
  /** The lower positive's lead over the negative. Below zero, the negative scored higher. */
  margin: number;
  right: boolean;
  tie: boolean;
  point: readonly [number, number];
  wrong: ('p1n' | 'p2n')[];
}

function read(row: VislaRow): Reading {
  if (row.t2t) {
    const { p1p2, p1n, p2n, right, tie } = row.t2t;
    const wrong: Reading['wrong'] = [];
    if (p1n >= p1p2) wrong.push('p1n');
    if (p2n >= p1p2) wrong.push('p2n');
    const rival = Math.max(p1n, p2n);
    return { margin: p1p2 - rival, right, tie, point: [rival, p1p2], wrong };
  }
  if (row.i2t) {
    const { p1, p2, n, right, tie } = row.i2t;
    const lead = Math.min(p1, p2);
    return { margin: lead - n, right, tie, point: [n, lead], wrong: [] };
  }
  throw new Error(`The row of example ${row.example} has no scores.`);
}

function verdictOf({ right, tie }: Reading): Verdict {
  if (tie) return 'tie';
  return right ? 'right' : 'wrong';
}

function bandOf(bands: readonly Words[], each: number, size: number): string {
  return english(bands[Math.min(bands.length - 1, Math.floor(size / each))]);
}

/** Results without the image come first, as in `read`. */
function accuracyBy(slice: string): (band: string) => MetricKey[] {
  return (band) => ['visla.t2t', 'visla.i2t'].map((id) => ({ id, slice: { [slice]: band } }));
}

const settingWords: Record<NonNullable<VislaRow['settings']>, Words> = {
  'both right': say`right in both`,
  'both wrong': say`wrong in both`,
  'only i2t': say`right with the image only`,
  'only t2t': say`right from the captions only`,
};

function which({ right, wrong }: Reading): Words {
  if (right) return say`none`;
  if (wrong.length === 2) return say`P1–N and P2–N`;
  if (wrong.length === 1) return wrong[0] === 'p1n' ? 'P1–N' : 'P2–N';
  return say`image–N`;
}

/** Captions with their image scores or, without image scores, their similarities to P1. */
function captionsOf({ p1, p2, n, t2t, i2t }: VislaRow): LabelledCaption[] {
  const other = { against: 0, chosen: false };
  const lost = (wrong: boolean): Verdict => (wrong ? 'wrong' : 'right');
  if (i2t)
    return [
      { label: 'P1', text: p1, score: i2t.p1, verdict: 'none', chosen: false },
      { label: 'P2', text: p2, score: i2t.p2, delta: i2t.p2 - i2t.p1, verdict: 'none', ...other },
      { label: 'N', text: n, score: i2t.n, delta: i2t.n - i2t.p1, verdict: lost(!i2t.right), ...other },
    ];
  return [
    { label: 'P1', text: p1, verdict: 'none', chosen: false },
    { label: say`P2 against P1`, text: p2, score: t2t?.p1p2, verdict: 'none', ...other },
    { label: say`N against P1`, text: n, score: t2t?.p1n, verdict: lost(!(t2t?.right ?? false)), ...other },
  ];
}

export const vislaRows: RowView<VislaRow> = {
  row: rowCheck(vislaRowSchema),
  facets: [
    { id: 'verdict', title: say`Result`, share: false },
    {
      id: 'wording',
      title: say`Words changed from P1 to P2`,
      share: true,
      metrics: accuracyBy('words changed from P1 to P2'),
    },
    { id: 'edge', title: say`Wrong pair`, share: false },
    {
      id: 'letters',
      title: say`Characters changed from P1 to N`,
      share: true,
      metrics: accuracyBy('characters changed from P1 to N'),
    },
    { id: 'settings', title: say`With and without the image`, share: false },
  ],
  chance: 1 / 3,
  delta: { title: say`Smallest lead over the negative` },
  points: {
    title: say`Right pair against the negative`,
    x: say`Highest similarity with the negative`,
    y: say`Similarity of the right pair`,
    border: 'diagonal',
  },

  fileLine: (row) => row.place?.line,

  facts(row): LineFacts[] {
    const reading = read(row);
    return [
      {
        delta: reading.margin,
        harm: -reading.margin,
        verdict: verdictOf(reading),
        facets: [
          verdictOf(reading),
          bandOf(wordingBands, 4, row.words.p1p2),
          english(which(reading)),
          bandOf(letterBands, 10, row.characters.p1n),
          english(row.settings === undefined ? say`scored in one setting only` : settingWords[row.settings]),
        ],
        point: reading.point,
      },
    ];
  },

  words: (row) => `${row.p1}\n${row.p2}\n${row.n}\n${row.image ?? ''}`,

  line(row) {
    const reading = read(row);
    return {
      line: row.place?.line,
      image: row.image,
      before: row.p1,
      after: row.n,
      label: reading.right ? say`triplet` : reading.tie ? say`tie` : say`wrong: ${which(reading)}`,
      score: row.t2t?.p1p2 ?? row.i2t?.p1,
      delta: reading.margin,
      verdict: verdictOf(reading),
    };
  },

  detail(row) {
    const { t2t } = row;
    const notes: Words[] = [];
    if (row.swapped)
      notes.push(
        say`The file lists the two positives in the other order. Here, P1 is the positive whose spelling is closer to N.`,
      );
    if (row.settings !== undefined)
      notes.push(say`With the image, and from the captions alone: ${settingWords[row.settings]}.`);
    return {
      example: row.example,
      line: row.place?.line,
      image: row.image,
      captions: captionsOf(row),
      triangle: t2t && {
        corners: ['P1', 'P2', 'N'],
        sides: [
          { from: 0, to: 1, value: t2t.p1p2, wrong: false },
          { from: 0, to: 2, value: t2t.p1n, wrong: t2t.p1n >= t2t.p1p2 },
          { from: 1, to: 2, value: t2t.p2n, wrong: t2t.p2n >= t2t.p1p2 },
        ],
      },
      notes,
    };
  },

  mark(row) {
    return {
      texts: [row.p1, row.p2, row.n],
      words: wordsOf(row),
      captions: captionsOf(row),
    };
  },
};

function wordsOf(row: VislaRow): Words {
  const reading = read(row);
  const by = Math.abs(reading.margin).toFixed(3);
  if (reading.tie) return say`tie between right and wrong`;
  // The captions' verdicts use the image if there is one.
  const isRight = row.i2t?.right ?? reading.right;
  if (reading.right)
    return isRight ? say`right by ${by}` : say`wrong with the image, right from the captions by ${by}`;
  return isRight
    ? say`right with the image, wrong from the captions by ${by}`
    : say`wrong: ${which(reading)} closer by ${by}`;
}

const settings = [
  {
    id: 'visla.t2t',
    name: say`From the captions alone`,
    chance: 1 / 3,
    about: say`Share of triplets whose positives are closer to each other than to the negative. Chance level: 1/3.`,
  },
  {
    id: 'visla.i2t',
    name: say`With the image`,
    chance: 1 / 3,
    about: say`Share of triplets whose positives both score higher with the image than the negative. Chance level: 1/3.`,
  },
] as const;

function cardsOf(metrics: readonly Metric[]): Card[] {
  return settings
    .filter(({ id }) => wholeMetric(metrics, id) !== undefined)
    .flatMap(({ id, name, chance, about }): Card[] => [
      {
        title: say`Accuracy`,
        group: name,
        metric: id,
        style: 'percent',
        chance,
        range: [0, 1],
        about,
      },
      {
        title: say`P1 against N`,
        group: name,
        metric: `${id}.p1n`,
        style: 'percent',
        chance: 0.5,
        range: [0, 1],
        about: say`Share of triplets in which P1 scores higher than N, which has similar words. Chance level: 50 %.`,
      },
      {
        title: say`P2 against N`,
        group: name,
        metric: `${id}.p2n`,
        style: 'percent',
        chance: 0.5,
        range: [0, 1],
        about: say`Share of triplets in which P2, which has other words, scores higher than N. Chance level: 50 %.`,
      },
      {
        title: say`Margin`,
        group: name,
        metric: `${id}.margin`,
        style: 'number',
        chance: 0,
        range: [-0.2, 0.2],
        about: say`Mean of the smallest lead over the negative. Below zero, the negative scores higher.`,
      },
    ]);
}

export const vislaView = {
  id: 'visla',
  title: 'VISLA',
  question:
    'Are two captions with the same meaning closer than two with similar words and different meanings?',
  mode: 'pairs',
  madeFor: ['triplet'],
  rows: vislaRows,
  columns: { before: 'P1', after: 'N' },
  cards: cardsOf,
  metricParts: vislaParts,
  leading: [
    {
      metric: /^visla\.t2t$/,
      words: (value) => say`${value} right`,
      sentence: (evaluator, value) =>
        say`${evaluator} distinguishes meaning from wording in ${value} of triplets from the captions alone`,
      parts: [{ metric: 'visla.i2t', name: say`with the image` }],
    },
    {
      metric: /^visla\.i2t$/,
      words: (value) => say`${value} right`,
      sentence: (evaluator, value) =>
        say`${evaluator} distinguishes meaning from wording in ${value} of triplets with the image`,
    },
  ],
  demo: {
    file: 'triplets.tsv',
    lines: [
      { metric: 'visla.t2t', words: 'same meaning closer than same words', style: 'percent' },
      {
        metric: 'visla.i2t',
        words: 'with the image, both right captions beat the wrong one',
        style: 'percent',
      },
    ],
  },
} satisfies ProbeView<VislaRow>;
