import type { Words } from '../../base/say';
import type { Chart } from '../../chart/chart';
import { barsOf, type Charted } from '../charted';
import type { Metric } from '../metric';
import { type HumanRow, leadOf } from './row';

const names: Readonly<Record<string, string>> = {
  'human.tauB': 'Kendall τ-b',
  'human.tauC': 'Kendall τ-c',
  'human.spearman': 'Spearman ρ',
  'human.pearson': 'Pearson r',
  'human.ceiling.tauB': 'one person, τ-b',
  'human.ceiling.tauC': 'one person, τ-c',
  'human.ceiling.spearman': 'one person, ρ',
  'human.ceiling.pearson': 'one person, r',
  'human.pairwise': 'pairs of an image',
  'human.pairwise.calibrated': 'pairs of an image, ties calibrated',
  'human.accuracy': 'preferred caption',
  'human.ceiling.accuracy': 'one voter',
  'human.foil': 'caption against its foil',
};

const correlations = ['tauB', 'tauC', 'spearman', 'pearson'].flatMap((measure) => [
  `human.${measure}`,
  `human.ceiling.${measure}`,
]);
const rates = [
  'human.pairwise',
  'human.pairwise.calibrated',
  'human.accuracy',
  'human.ceiling.accuracy',
  'human.foil',
];

const worstShown = 20;

/** Charts of the agreement with people and the human ceiling, and the captions with most disagreement. */
export async function humanCharts(
  { metrics }: Charted,
  rows: AsyncIterable<HumanRow>,
): Promise<Chart<Words>[]> {
  const worst: HumanRow[] = [];
  for await (const row of rows) {
    if (disagreement(row) <= 0) continue;
    worst.push(row);
    if (worst.length > 50 * worstShown) shorten(worst);
  }
  shorten(worst);
  const whole = (ids: readonly string[]): Metric[] =>
    ids.flatMap((id) => metrics.find((metric) => metric.id === id && metric.slice === undefined) ?? []);
  const bars = (ids: readonly string[]) => barsOf(whole(ids), ({ id }) => names[id] ?? id);
  return [
    { type: 'bars', title: "Agreement with people's ratings", bars: bars(correlations), reference: 0 },
    { type: 'bars', title: "Agreement with people's choices", bars: bars(rates), reference: 0.5 },
    disagreements(worst),
  ];
}

function shorten(rows: HumanRow[]): void {
  rows.sort((a, b) => disagreement(b) - disagreement(a));
  rows.length = Math.min(rows.length, worstShown);
}

/** How strongly the evaluator disagrees with people. The value is 0 or negative if it agrees. */
export function disagreement(row: HumanRow): number {
  if (row.kind === 'rating')
    return row.ranks === undefined ? 0 : Math.abs(row.ranks.evaluator - row.ranks.people);
  return row.preferred === null ? 0 : -leadOf(row, row.scores.length - 1);
}

function disagreements(rows: readonly HumanRow[]): Chart<Words> {
  return {
    type: 'table',
    title: `Largest disagreement (${rows.length})`,
    columns: [
      { title: 'line', number: true },
      { title: 'image' },
      { title: 'captions' },
      { title: 'people' },
      { title: 'score', number: true },
    ],
    rows: rows.map((row) => [
      String(row.place?.line ?? row.row + 1),
      row.image ?? '',
      { lines: row.captions },
      {
        lines:
          row.kind === 'rating'
            ? [(row.ratings ?? []).join(', ')]
            : row.captions.map((_, i) => (i === row.preferred ? 'preferred' : '')),
      },
      { lines: row.scores[row.scores.length - 1].map((one) => one.toFixed(4)) },
    ]),
  };
}

export function humanComparison(reports: readonly Charted[]): Chart<Words>[] {
  return ['human.tauB', 'human.tauC', 'human.accuracy', 'human.foil'].map((id): Chart<Words> => ({
    type: 'bars',
    title: names[id],
    bars: reports.flatMap(({ evaluator, metrics }) =>
      barsOf(
        metrics.filter((metric) => metric.id === id && metric.slice === undefined),
        () => evaluator.name,
      ),
    ),
    reference: id === 'human.accuracy' || id === 'human.foil' ? 0.5 : 0,
  }));
}
