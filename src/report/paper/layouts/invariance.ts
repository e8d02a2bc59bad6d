import { evaluatorLayout, type Layout } from '../layout';
import { type Entry, inOrder } from '../entry';
import type { Column, Block } from '../table';
import { afterCalibration, preferenceTable } from './calibrated';
import { agreementTable } from './directions';
import { moveDiagnosticsTable, movesTable } from './moves';

function byDataset(entries: readonly Entry[], column: Omit<Column, 'head'>): Block[] {
  return inOrder(entries, ({ dataset }) => dataset).map((dataset) => ({
    head: '',
    columns: [{ ...column, head: dataset }],
    entryOf: (evaluator) => entries.find((one) => one.dataset === dataset && one.evaluator === evaluator),
  }));
}

function layout(
  table: number,
  what: string,
  caption: string,
  blocks: readonly Column[] | ((entries: readonly Entry[]) => Block[]),
  notes: readonly string[] = [],
): Layout {
  const id = `invariance.table${table}`;
  const mirrors = `Invariance audit, Table ${table}: ${what}`;
  return evaluatorLayout({ id, probe: 'invariance', mirrors, caption, blocks, notes });
}

const bins = ['0-10', '10-20', '20-35', '35-50', '50-70', '70-90', '90-100'];
const categories = [
  ...['Animal', 'Sports', 'Outdoor', 'Vehicle', 'Furniture', 'Electronics', 'Person', 'Kitchen', 'Indoor'],
];
const cultures = [
  ['Amer.', 'American'],
  ['Eur.', 'European'],
  ['Asian', 'Asian'],
  ['Russ.', 'Russian'],
  ['Arab.', 'Arab'],
  ['Afr.', 'African'],
  ['Ocean.', 'Oceanian'],
];

const percent = { digits: 1, signed: true };

const medians = bins.map((bin): Column => ({
  ...{ head: bin.replace('-', '–'), metric: `invariance.object.coverage.${bin}.median`, digits: 3 },
}));

/** Columns of the paper's flip risk tables. */
export const riskColumns: readonly Column[] = [
  ['Vertical flip', 'spatial.vflip'],
  ['Reposition (BR vs TL)', 'spatial.reposition.br-tl'],
  ['Rotation', 'spatial.rotation'],
  ['Cultural vs Neutral', 'societal.cultural'],
  ['Economic vs Neutral', 'societal.economic'],
].map(([head, family]) => ({ head, metric: `invariance.${family}.rrf@0.7`, factor: 100, digits: 0 }));

const rotations = 'Rotation: by 5 and 10 degrees in both directions.';

export const invarianceLayouts: readonly Layout[] = [
  moveDiagnosticsTable,
  layout(
    3,
    'vertical flips',
    'Vertical flips: median change of the score (%), Cliff’s δ, and β1 of a mixed model (REML).',
    [
      {
        ...{ head: 'Δ (%)', metric: 'invariance.spatial.vflip.median', ...percent },
        beside: { sign: 'δ', metric: 'invariance.spatial.vflip.cliff', digits: 2 },
      },
      { head: 'β1', metric: 'invariance.spatial.vflip.beta1', digits: 3 },
    ],
  ),
  movesTable,
  layout(5, 'size of the object', 'Median score by the object’s share of the image (%).', medians),
  layout(
    6,
    'category of the object',
    'Median score by category of the object.',
    categories.map((head) => ({
      head,
      metric: `invariance.object.category.${head.toLowerCase()}.median`,
      digits: 3,
    })),
    [
      'Categories are those of the paper’s taxonomy. Its table also has Appliance and Accessory, which the taxonomy lacks.',
    ],
  ),
  layout(
    7,
    'cultural modifiers',
    'Cultural modifiers: median change of the score (%) against a neutral word, which is the same for all modifiers of an image.',
    cultures.map(([head, word]) => ({
      head,
      metric: `invariance.societal.cultural.${word}.median`,
      ...percent,
    })),
  ),
  layout(
    8,
    'economic modifiers',
    'Economic modifiers on objects other than people: median change of the score (%) against a neutral word.',
    ['Cheap', 'Expensive'].map((head) => ({
      ...{ head, metric: `invariance.societal.economic.${head.toLowerCase()}.median`, ...percent },
      slice: { object: 'non-person' },
    })),
    ['The paper’s column Neutral is zero by definition.'],
  ),
  layout(
    9,
    'vertical flips by corpus',
    'Vertical flips: median change of the score (%), by corpus.',
    (entries) => byDataset(entries, { metric: 'invariance.spatial.vflip.median', ...percent }),
  ),
  layout(
    10,
    'cultural modifiers by corpus',
    'Cultural modifiers: median change of the score (%) against a neutral word, by corpus.',
    (entries) => byDataset(entries, { metric: 'invariance.societal.cultural.median', ...percent }),
    ['The median over all modifiers of the family.'],
  ),
  layout(
    11,
    'economic modifiers by corpus',
    'Economic modifiers: median change of the score (%) against a neutral word, by corpus.',
    (entries) => byDataset(entries, { metric: 'invariance.societal.economic.median', ...percent }),
    ['The median over all modifiers of the family.'],
  ),
  agreementTable,
  layout(13, 'flip risk', 'Flip risk (RRF, %) at a gap of 0.7 % of the score’s range.', riskColumns, [
    rotations,
  ]),
  afterCalibration(
    14,
    'sensitivity before and after calibration',
    'Median absolute change (%) before → after calibration.',
    [
      { head: 'Spatial', metric: 'invariance.spatial.absMedian', digits: 1 },
      { head: 'Societal', metric: 'invariance.societal.absMedian', digits: 1 },
    ],
  ),
  afterCalibration(
    15,
    'modifiers before and after calibration',
    'Median absolute change (%) against a neutral word, before → after calibration.',
    ['Cultural', 'Economic', 'Gender', 'Emotion'].map((head) => ({
      head,
      metric: `invariance.societal.${head.toLowerCase()}.absMedian`,
      digits: 1,
    })),
  ),
  afterCalibration(
    16,
    'flip risk before and after calibration',
    'Flip risk (RRF, %) at a gap of 0.7 % of the score’s range, before → after calibration.',
    riskColumns,
    [rotations],
  ),
  preferenceTable,
  evaluatorLayout({
    id: 'invariance.fairness',
    probe: 'invariance',
    mirrors: 'Invariance audit, B.3: fairness card',
    caption:
      'Fairness card: for each family of words, the largest difference between two words (percentage points), whether the words differ, and the flip risk (RRF, %).',
    blocks: ['Cultural', 'Economic', 'Gender', 'Emotion'].flatMap((group): Column[] => [
      { group, head: 'gap', metric: `invariance.societal.${group.toLowerCase()}.gap`, digits: 1 },
      { group, head: 'p', metric: `invariance.societal.${group.toLowerCase()}.between`, digits: 3 },
      {
        ...{ group, head: 'RRF', metric: `invariance.societal.${group.toLowerCase()}.rrf@0.7` },
        ...{ factor: 100, digits: 0 },
      },
    ]),
    notes: [
      'Gap: the largest median difference between two words on the same images, which may be few. p: whether any words of the family differ (Skillings–Mack test on the same images), not whether these two do.',
    ],
  }),
];
