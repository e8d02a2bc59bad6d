import { reportOf } from '../../unit/report/reportOf';

const metric = { id: 'a.b', value: 0.5, n: 3, ties: 1, ci: [0.1, 0.9], slice: { kind: 'colour' }, note: 'x' };

export const reportSeeds: readonly unknown[] = [
  reportOf(),
  reportOf({
    metrics: [
      { ...metric, ci: [0.1, 0.9] },
      { id: 'c', value: null, n: 0, note: 'No examples.' },
    ],
    claims: [{ text: 'It guesses.', rule: 'An interval.' }],
    warnings: ['one'],
    limit: 5,
    altered: { sha256: 'a', voters: [{ id: 'b', sha256: 'c' }] },
    options: { a: 1, b: 'x', c: true },
  }),
];

const place = { line: 2, column: 1, offset: 10, length: 9 };
const distances = { p1p2: 3, p1n: 1, p2n: 4 };
const score = { score: 0.3 };
const sides = { caption: 0.5, negative: 0.4 };
const result = { right: true, tie: false };

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
    ...{
      example: '2',
      row: 2,
      image: '2.jpg',
      caption: 0,
      field: 'caption',
      captionPlace: place,
      text: 'a cat',
    },
    ...{ words: 2, outcome: 'perturbed', ...score },
    variants: [
      {
        ...{ text: 'a dog', family: 'flip', kind: 'object', rule: 'cat → dog', ...score, delta: 0, gap: 0 },
        ...{ span: [2, 5], was: [2, 5], of: 0, gapToParaphrase: 0.1, distance: 0.2 },
      },
    ],
  },
  {
    ...{ example: '3', row: 3, place },
    caption: 'a',
    negative: 'b',
    i2t: { ...sides, ...result },
    text: 0.5,
  },
  {
    ...{ example: '4', row: 4, captions: ['a', 'b'], images: ['0.png', '1.png'] },
    ...{ c0i0: 1, c1i0: 0, c0i1: 0, c1i1: 1, right: { text: true, image: true, group: true } },
  },
  {
    ...{ example: '5', row: 5, kind: 'caption', caption: 'a cat', chosen: 0, votes: 1, voters: 2 },
    words: [{ start: 2, end: 5, text: 'cat', influence: null }],
    altered: [{ source: 'same', text: 'a dog', from: 'cat', to: 'dog', similarity: 0.5 }],
    nearest: { text: 'one cat', similarity: 0.9 },
    search: {
      ...{ score: 1, clean: { r1: 1 } },
      hits: [
        {
          ...{ images: 'mix', stressed: { r1: 1 }, rsms: 0, rival: 0.5 },
          made: {
            image: 'a.jpg',
            transform: {
              op: 'patch',
              other: { path: 'b.jpg', sha256: '' },
              side: 384,
              lambda: 0.9,
              x: 1,
              y: 2,
            },
          },
        },
      ],
    },
  },
  {
    ...{
      example: '6',
      row: 6,
      kind: 'image',
      caption: 'a cat',
      score: 1,
      clean: { r1: 1 },
      occlusion: [0.5],
    },
    first: [{ text: 'a cat', score: 1, kind: 'true', of: '6' }],
    lists: [{ source: 'same', stressed: { r1: 0 }, rsms: 1, first: [] }],
  },
  {
    ...{
      example: '7',
      row: 7,
      kind: 'query',
      caption: 'a cat',
      global: 0.5,
      listwise: null,
      local: { 10: 0.5 },
    },
    wordings: [{ label: 'o', text: 'a cat', first: ['a.jpg'] }],
    pairs: [{ first: 'o', second: 'c1', rho: null, listwise: 0.5, shared: { 10: 1 } }],
    moved: [{ label: 'c1', against: 'o', entered: [], left: ['a.jpg'] }],
  },
  {
    ...{ example: '8', row: 8, objects: 'single', source: 'template', text: 'There is a cat.', ...score },
    object: {
      ...{ label: 'cat', category: 'animal', tied: false, box: [0, 0, 2, 2], coverage: 0.5, bin: 'large' },
      mask: { width: 2, height: 2, runs: [1, 3] },
    },
    variants: [
      {
        ...{
          axis: 'spatial',
          family: 'blur',
          variant: '2',
          against: 0.3,
          score: 0.2,
          delta: -0.1,
          change: null,
        },
        ...{ transform: { op: 'blur', sigma: 2 }, seams: { background: null, seam: 1 } },
      },
      {
        ...{
          axis: 'spatial',
          family: 'reposition',
          variant: 'tl',
          against: 0.3,
          score: 0.2,
          delta: -0.1,
          change: 1,
        },
        transform: { op: 'move', dx: -1, dy: 0, tries: 3, fill: 'inpaint', feather: 0 },
      },
    ],
    rejected: [{ what: 'hflip', reason: 'it is cut off' }],
  },
];

const selection = { text: 'cat', facets: { kind: ['colour'] }, range: { low: -1, high: 1 }, sort: 'worst' };
const ask = { report: 'r', selection, offset: 0, limit: 100 };
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
  { total: 1, lines: [line], reach: [1] },
  { facets: [{ id: 'k', title: 'K', values: [{ value: 'x', n: 1 }] }], count: 3 },
  {
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
    index: 0,
    example: '1',
    captions: [scored],
    triangle: { edges: distances, wrong: ['p1n'] },
    notes: [],
  },
  null,
  { line: 1, texts: ['a'], words: 'x', captions: [scored] },
  [{ line: 1, texts: ['a'], words: 'x', captions: [scored] }],
  new Uint8Array([1, 2]),
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

/** Valid messages between processes and pages, several of each complex kind. */
export const protocolSeeds: readonly unknown[] = [
  { type: 'ready' },
  ask,
  { report: 'r', name: 'a.jpg', side: 64, images: [], home: 'h', trusted: true },
  { report: 'r', index: 4 },
  { type: 'ask', id: 1, name: 'lines', ask },
  { type: 'reveal', report: 'r', index: 1 },
  { type: 'copy', text: 'x' },
  { type: 'save', name: 'x', bytes: new Uint8Array([1]) },
  {
    type: 'show',
    state: {
      title: 't',
      reports: [],
      resumable: false,
      can: { whatIf: true, export: true, images: true },
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
  { type: 'preview', id: 1, preview: { format: 'f', form: 'x', probes: [], images: 1, imagesFound: 1 } },
  {
    type: 'evaluators',
    id: 1,
    home: 'h',
    folders: [],
    entries: [{ id: 'a', name: 'A', kind: 'judge', readsImages: true }],
  },
  { type: 'export', id: 1, report: 'r', form: 'csv', target: 't' },
  { type: 'paper' },
  { run: 'r', compare: ['c'], view: { probe: 'p', report: 'r', selection, index: 1 } },
  metric,
  { type: 'change', index: 0, change: { caption: 'a', second: 'b', negative: 'c', status: 'open' } },
  { type: 'judge', index: 0, change: { left: 'fully', right: 'partly', better: 'equal' } },
  { type: 'go', index: 3 },
  { type: 'defect', message: 'x' },
  { jpeg: 'aa' },
  { caption: 'a', second: 'b', negative: 'c', image: '1.jpg', index: 0, side: 'left' },
];
