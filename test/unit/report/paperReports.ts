/* Reports with every metric of the layouts. */
import type { Words } from '../../../src/base/say';
import { createHash } from 'node:crypto';
import { comparisons, setNames } from '../../../src/probe/prsm/wordings';
import type { Metric, Slice } from '../../../src/probe/metric';
import type { VislaRow } from '../../../src/probe/visla/row';
import { sentence } from '../../sentence';
import { reportOf, writeReport } from './reportOf';

const bins = ['0-10', '10-20', '20-35', '35-50', '50-70', '70-90', '90-100'];
const categories = [
  'person',
  'animal',
  'vehicle',
  'furniture',
  'kitchen',
  'sports',
  'electronics',
  'indoor',
  'outdoor',
];
const cultures = ['American', 'European', 'Asian', 'Arab', 'African', 'Russian', 'Oceanian'];
const families = [
  ...[
    'spatial.vflip',
    'spatial.rotation',
    'spatial.reposition.br-tl',
    'societal.cultural',
    'societal.economic',
  ],
  ...['societal.gender', 'societal.emotion', 'spatial', 'societal'],
];

const groups: readonly Slice[] = [{}, { gender: 'female' }, { gender: 'male' }];

type Named = readonly [id: string, slice?: Slice];

const named: Readonly<Record<string, readonly Named[]>> = {
  lgip: [
    ...[
      'inv',
      'inv.simple',
      'inv.advanced',
      'inv.advancedIncrease',
      'sens',
      'pr',
      'sens.combined',
      'pr.combined',
    ],
    ...['pr.weak', 'pr.medium', 'pr.strong'],
    ...['object', 'color', 'number'].flatMap((type) => [`sens.${type}`, `pr.${type}`]),
  ].map((id): Named => [`lgip.${id}`]),
  exploit: [
    ...['repeat', 'stuff', 'quality', 'pad', 'hedge', 'halftruth', 'drop', 'shout', 'generic'].map(
      (family): Named => [`exploit.rate.${family}`],
    ),
    ...['order', 'json', 'score', 'role', 'authority', 'language', 'hidden'].flatMap((kind) =>
      ['', '.control'].map((part): Named => [`exploit.injection.${kind}${part}`]),
    ),
    ...['universal', 'hubness', 'search.rate@24', 'search.gain@24'].map((id): Named => [`exploit.${id}`]),
  ],
  visla: ['t2t', 't2t.p1n', 't2t.p2n', 'i2t', 'i2t.p1n', 'i2t.p2n'].map((id): Named => [`visla.${id}`]),
  rococo: [
    ['rococo.i2t.r1'],
    ['rococo.t2i.r1'],
    ...['random-vocabulary', 'same-concept', 'different-concept', 'danger'].flatMap((alteration) =>
      ['stressed.r1', 'dropRate', 'rsms'].map((id): Named => [`rococo.i2t.${id}`, { alteration }]),
    ),
    ...[
      ...['random', 'high', 'low'].map((influence) => ({ alteration: 'deletion', influence })),
      ...[2, 3, 4, 5].map((words) => ({ alteration: 'words', words })),
    ].flatMap((slice) => ['stressed.r1', 'dropRate', 'rsms'].map((id): Named => [`rococo.i2t.${id}`, slice])),
    ...['mix', 'patch'].flatMap((images) =>
      [0.9, 0.8, 0.7, 0.6].flatMap((lambda) =>
        ['stressed.r1', 'dropRate', 'rsms'].map((id): Named => [`rococo.t2i.${id}`, { images, lambda }]),
      ),
    ),
  ],
  prsm: setNames.flatMap((set) =>
    comparisons[set].flatMap((comparison) =>
      groups.flatMap((group) =>
        ['global', 'global.listwise', 'local@100', 'local@1000'].map((id): Named => [
          `prsm.${id}`,
          { set, comparison, ...group },
        ]),
      ),
    ),
  ),
  invariance: [
    ...families.flatMap((family) =>
      ['median', 'absMedian', 'cliff', 'beta1', 'rrf@0.7'].map((id): Named => [`invariance.${family}.${id}`]),
    ),
    ...['cultural', 'economic', 'gender', 'emotion'].map((family): Named => [
      `invariance.societal.${family}.gap`,
    ]),
    ...['seam', 'background', 'either'].flatMap((name) =>
      [5, 10].map((share): Named => [
        'invariance.spatial.reposition.br-tl.median',
        { without: sentence('invariance.topShareMove', share, name) },
      ]),
    ),
    ...bins.map((bin): Named => [`invariance.object.coverage.${bin}.median`]),
    ...categories.map((category): Named => [`invariance.object.category.${category}.median`]),
    ...cultures.map((word): Named => [`invariance.societal.cultural.${word}.median`]),
    ...['cheap', 'expensive'].map((word): Named => [
      `invariance.societal.economic.${word}.median`,
      { object: 'non-person' },
    ]),
  ],
  human: [['human.accuracy']],
  winoground: ['text', 'image', 'group'].map((id): Named => [`winoground.${id}`]),
  sugarcrepe: [],
};

export interface Wanted {
  probe: string;
  dataset: string;
  evaluator: string;
  /** Distinguishes reports: a greater shift gives greater values. */
  shift: number;
  notes?: readonly Words[];
  rows?: string;
  examples?: number;
}

function metricsOf({ probe, dataset, shift, examples = 500 }: Wanted): Metric[] {
  const all = probe === 'sugarcrepe' ? [[`sugarcrepe.${dataset}`] as const] : named[probe];
  return all.map(([id, slice], i) => {
    const size = /(median|absMedian)$/.test(id) && !id.includes('.object.') ? 20 : 1;
    const value = size * ((((i * 37 + 11) % 83) + 7) / 100 + shift / 1000);
    return {
      ...{ id, value, n: examples, ci: [value - 0.021 * size, value + 0.034 * size] as const },
      ...(slice === undefined ? {} : { slice }),
    };
  });
}

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Writes a report; returns its path. */
export function paperReport(folder: string, wanted: Wanted): Promise<string> {
  const { probe, dataset, evaluator, notes = [], rows = '' } = wanted;
  const base = reportOf();
  const report = reportOf({
    probe,
    dataset: {
      ...base.dataset,
      path: `/home/jane/${dataset}.json`,
      sha256: hash(dataset),
      examples: 500,
    },
    evaluator: {
      ...base.evaluator,
      id: evaluator.toLowerCase(),
      name: evaluator,
      notes,
      sha256: hash(evaluator),
    },
    options: probe === 'prsm' ? { k: '100,1000' } : probe === 'rococo' ? { captions: 'all' } : {},
    metrics: metricsOf(wanted),
    rows: `${probe}.${evaluator.replace(/[^\p{L}\p{N}_-]/gu, '-')}.${dataset}.rows.jsonl`,
  });
  return writeReport(folder, report, rows);
}

/** Invariance rows with an object moved to the top left and to the bottom right. Row `i` is the i-th most visible. */
export function movedRows(count: number): string {
  const mask = { width: 10, height: 10, runs: [0, 25] };
  const move = (variant: string, i: number) => ({
    ...{ axis: 'spatial', family: 'reposition', variant, against: 0.5, score: 0.4, delta: -0.1, change: -20 },
    transform: { op: 'move', dx: 1, dy: 1, tries: 1, fill: 'patches', feather: 0 },
    seams: { background: (count - i) / 1000, seam: 1 + i / 100 },
  });
  return Array.from({ length: count }, (_, i) => ({
    ...{ example: `m${i}`, row: i, image: `m${i}.jpg`, text: 'a', score: 0.5, objects: 'single' },
    object: {
      label: 'dog',
      category: 'animal',
      tied: false,
      box: [0, 0, 5, 5],
      coverage: 0.25,
      bin: '20-35',
      mask,
    },
    ...{ source: 'template', rejected: [] },
    // The moves to the top left are less visible, so the larger values are those of the bottom right.
    variants: [{ ...move('tl', i), seams: { background: 0, seam: 0 } }, move('br', i)],
  }))
    .map((row) => `${JSON.stringify(row)}\n`)
    .join('');
}

/** Rows of preferences. The evaluator of row `i` is right if `right[i]` is true. */
export function preferenceRows(right: readonly boolean[]): string {
  return right
    .map((is, i) => ({
      ...{ example: `${i}`, row: i, image: `${i}.jpg`, kind: 'preference', captions: ['a', 'b'] },
      ...{ scores: [is ? [0.6, 0.4] : [0.4, 0.6]], preferred: 0 },
    }))
    .map((row) => `${JSON.stringify(row)}\n`)
    .join('');
}

/** VISLA rows. Row `i` is right if `right[i]` is true. */
export function vislaRows(right: readonly boolean[]): string {
  return right
    .map((is, i): VislaRow => {
      const edges = { p1p2: 1, p1n: 1, p2n: 1 };
      return {
        ...{ example: `${i}`, row: i, image: `${i}.jpg`, p1: 'a', p2: 'b', n: 'c', swapped: false },
        ...{ characters: edges, words: edges },
        t2t: { p1p2: 0.5, p1n: is ? 0.4 : 0.6, p2n: 0.3, right: is, tie: false },
      };
    })
    .map((row) => `${JSON.stringify(row)}\n`)
    .join('');
}
