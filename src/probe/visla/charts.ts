import { say, type Words } from '../../base/say';
import { largest } from '../../base/extent';
import type { Chart, Kind } from '../../chart/chart';
import type { Charted } from '../charted';
import type { VislaRow } from './row';

const pairs = {
  p1p2: say('visla.positives'),
  p1n: say('visla.firstAndNegative'),
  p2n: say('visla.secondAndNegative'),
} as const;
type Pair = keyof typeof pairs;
const pairIds = Object.keys(pairs) as Pair[];

const examplesShown = 20;

/** Charts of edit distances (in characters and in words) and of margins, and two tables of failures. */
export async function vislaCharts(_report: Charted, rows: AsyncIterable<VislaRow>): Promise<Chart<Words>[]> {
  const distances = new Distances();
  const margins: { t2t: number[]; i2t: number[] } = { t2t: [], i2t: [] };
  const failing: VislaRow[] = [];
  const onlySeen: VislaRow[] = [];
  for await (const row of rows) {
    distances.add(row);
    const { t2t, i2t } = row;
    if (t2t) margins.t2t.push(t2t.p1p2 - Math.max(t2t.p1n, t2t.p2n));
    if (i2t) margins.i2t.push(Math.min(i2t.p1, i2t.p2) - i2t.n);
    if (i2t && !i2t.right && failing.length < examplesShown) failing.push(row);
    if (i2t?.right && t2t && !t2t.right && onlySeen.length < examplesShown) onlySeen.push(row);
  }
  return [
    ...distances.charts(),
    {
      type: 'histogram',
      title: say('visla.captionsMarginChart'),
      axis: say('visla.axisBothComparisons'),
      values: margins.t2t,
    },
    {
      type: 'histogram',
      title: say('visla.imageMarginChart'),
      axis: say('visla.axisBothBeatNegative'),
      values: margins.i2t,
    },
    examples(say('visla.wrongOrTiedTable'), failing),
    examples(say('visla.rightOnlySeenTable'), onlySeen),
  ];
}

/** Charts of edit distances only, in characters and in words. */
export async function distanceCharts(rows: AsyncIterable<VislaRow>): Promise<Kind<'outlines', Words>[]> {
  const distances = new Distances();
  for await (const row of rows) distances.add(row);
  return distances.charts();
}

const units = ['characters', 'words'] as const;
const mostBins = 40;

/** The edit distances of the pairs of captions, with one chart per unit (VISLA, Figure 8). */
class Distances {
  private readonly of = {
    characters: { p1p2: [], p1n: [], p2n: [] },
    words: { p1p2: [], p1n: [], p2n: [] },
  } as Record<(typeof units)[number], Record<Pair, number[]>>;

  add(row: VislaRow): void {
    for (const unit of units) for (const pair of pairIds) this.of[unit][pair].push(row[unit][pair]);
  }

  charts(): Kind<'outlines', Words>[] {
    return units.map((unit) => {
      const own = this.of[unit];
      const n = own.p1p2.length;
      const most = largest(pairIds.map((pair) => largest(own[pair])));
      const width = Math.max(1, Math.ceil((most + 1) / mostBins));
      const edges = Array.from({ length: Math.floor(most / width) + 2 }, (_, i) => i * width);
      return {
        type: 'outlines',
        title: say('visla.distancesChart', n),
        axis: say('visla.axisEditDistance', unit),
        edges: n === 0 ? [] : edges,
        outlines:
          n === 0 ? [] : pairIds.map((pair) => ({ name: pairs[pair], shares: sharesOf(own[pair], edges) })),
      };
    });
  }
}

function sharesOf(values: readonly number[], edges: readonly number[]): number[] {
  const counts = new Array<number>(edges.length - 1).fill(0);
  for (const value of values) counts[Math.floor(value / edges[1])]++;
  return counts.map((count) => count / values.length);
}

function examples(title: Words, rows: readonly VislaRow[]): Chart<Words> {
  const score = (value: number | undefined): string => (value === undefined ? '–' : value.toFixed(4));
  const count = rows.length === examplesShown ? `the first ${examplesShown}` : String(rows.length);
  return {
    type: 'table',
    title: say('probe.nameWithDetail', title, count),
    columns: [
      { title: 'line', number: true },
      { title: 'image' },
      { title: 'captions' },
      { title: say('visla.axisImageScore'), number: true },
      { title: 'P1–P2, P1–N, P2–N', number: true },
    ],
    rows: rows.map(({ image, p1, p2, n, i2t, t2t, row, place }) => [
      String(place?.line ?? row + 1),
      image ?? '',
      { lines: [`P1 ${p1}`, `P2 ${p2}`, `N ${n}`] },
      { lines: [i2t?.p1, i2t?.p2, i2t?.n].map(score) },
      { lines: [t2t?.p1p2, t2t?.p1n, t2t?.p2n].map(score) },
    ]),
  };
}
