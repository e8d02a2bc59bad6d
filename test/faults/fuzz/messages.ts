import { reportOf } from '../../unit/report/reportOf';

const metric = { id: 'a.b', value: 0.5, n: 3, ties: 1, ci: [0.1, 0.9], slice: { kind: 'colour' }, note: 'x' };

export const reportSeeds: readonly unknown[] = [
  reportOf(),
  reportOf({
    metrics: [
      { ...metric, ci: [0.1, 0.9] },
      { id: 'c', value: null, n: 0, note: 'No example took part.' },
    ],
    claims: [{ text: 'It guesses.', rule: 'An interval.' }],
    warnings: ['one'],
    limit: 5,
    together: ['a', 'b'],
    options: { a: 1, b: 'x', c: true },
  }),
];

const place = { line: 2, column: 1, offset: 10, length: 9 };
const distances = { p1p2: 3, p1n: 1, p2n: 4 };
const score = { score: 0.3 };

/** Rows as probes write them. */
export const rowSeeds: readonly unknown[] = [
  {
    example: '1',
    row: 1,
    place,
    image: '1.jpg',
    p1: 'a cat',
    p2: 'one cat',
    n: 'a dog',
    swapped: false,
    characters: distances,
    words: distances,
    t2t: { p1p2: 0.5, p1n: 0.6, p2n: 0.1, right: false, tie: false },
    i2t: { p1: 0.3, p2: 0.2, n: 0.4, right: false, tie: false },
  },
  {
    example: '2',
    row: 2,
    image: '2.jpg',
    caption: 0,
    text: 'a cat',
    words: 2,
    ...score,
    paraphrases: [{ text: 'one cat', ...score, kind: 'simple' }],
    flips: [{ text: 'a dog', ...score, type: 'object', delta: 0.1 }],
  },
  {
    example: '3',
    row: 3,
    captions: ['a', 'b'],
    images: ['0.png', '1.png'],
    scores: [
      [1, 2],
      [3, 4],
    ],
    type: 'swap_obj',
  },
];

const selection = { text: 'cat', facets: { kind: ['colour'] }, range: { low: -1, high: 1 }, sort: 'worst' };
const ask = { type: 'lines', report: 'r', selection, offset: 0, limit: 100 };
const line = {
  index: 1,
  line: 2,
  image: 'a.jpg',
  before: 'a',
  after: 'b',
  label: 'object',
  score: 1,
  delta: -1,
  verdict: 'right',
};
const scored = { label: 'P1', text: 'a', score: 1, verdict: 'none', chosen: true };
const answers = [
  { type: 'lines', total: 1, lines: [line] },
  { type: 'facets', facets: [{ id: 'k', title: 'K', values: [{ value: 'x', n: 1 }] }], count: 3 },
  {
    type: 'charts',
    charts: [
      {
        type: 'histogram',
        id: 'h',
        title: 'H',
        x: { title: 'x' },
        edges: [0, 1],
        series: [{ verdict: 'right', counts: [1] }],
      },
    ],
  },
  {
    type: 'detail',
    detail: {
      index: 0,
      example: '1',
      captions: [scored],
      triangle: { edges: distances, wrong: ['p1n'] },
      notes: [],
    },
  },
  { type: 'find', index: null },
  { type: 'marks', marks: [{ line: 1, texts: ['a'], words: 'x', captions: [scored] }] },
  { type: 'photo', bytes: new Uint8Array([1, 2]) },
];
const failure = { kind: 'input', message: 'Broken.', at: 'a:1', remedy: 'Mend it.' };
const order = {
  dataset: 'a',
  probes: ['visla'],
  evaluators: ['starter'],
  images: [],
  out: 'o',
  home: 'h',
  seed: 1,
  limit: 2,
};

/** One sound message of each kind, and more of those with much in them. */
export const protocolSeeds: readonly unknown[] = [
  { type: 'ready' },
  { type: 'ask', id: 1, ask },
  { type: 'ask', id: 2, ask: { type: 'photo', report: 'r', name: 'a.jpg', side: 64 } },
  { type: 'ask', id: 3, ask: { type: 'detail', report: 'r', index: 4 }, images: [] },
  { type: 'reveal', report: 'r', index: 1 },
  { type: 'copy', text: 'x' },
  { type: 'save', name: 'x', bytes: new Uint8Array([1]) },
  {
    type: 'show',
    state: {
      title: 't',
      reports: [],
      resumable: false,
      can: { whatIf: true, export: true },
      problem: 'p',
      running: { label: 'l', examples: 3 },
    },
  },
  ...answers.map((answer) => ({ type: 'answer', id: 1, answer })),
  { type: 'refused', id: 1, message: 'x', failure },
  { type: 'audit', order },
  { type: 'cancel' },
  { type: 'started', probe: { id: 'p', title: 'P', question: '?' }, format: 'f' },
  {
    type: 'progress',
    probe: 'p',
    progress: { examples: 1, asked: 1, done: 1, fromStore: 0 },
    running: { label: 'l', examples: 1 },
  },
  { type: 'problem', message: 'm', line: 3 },
  { type: 'failed', failure },
  { type: 'look', id: 1, path: 'p', images: [] },
  { type: 'preview', id: 1, preview: { format: 'f', form: 'x', probes: [], photos: 1, photosFound: 1 } },
  {
    type: 'evaluators',
    id: 1,
    home: 'h',
    folders: [],
    entries: [{ id: 'a', name: 'A', kind: 'judge', photos: true }],
  },
  { type: 'export', id: 1, report: 'r', form: 'csv', target: 't' },
  { run: 'r', compare: ['c'], view: { probe: 'p', report: 'r', selection, index: 1 } },
  metric,
];
