import { probeNamed } from '../probe/list';
import { Clusters, intervalSeed } from '../probe/figure';
import type { Probe, Share } from '../probe/probe';
import type { Row } from '../probe/metric';
import { bcaInterval } from '../stats/bootstrap';
import { isDefined } from '../stats/outcome';
import { mcNemarExact } from '../stats/proportion';
import { mean } from '../stats/summary';

/** The difference of a metric over the rows that two reports share. */
export interface PairedDifference {
  metric: string;
  better: 'higher' | 'lower';
  /** Rows in both reports. */
  n: number;
  /** Mean of second minus first, with its BCa interval over images. */
  difference: number;
  ci?: [number, number];
  /**
   * For right or wrong outcomes: rows right only in the first, only in the second, and the exact McNemar p
   * value.
   */
  mcNemar?: { onlyFirst: number; onlySecond: number; pValue: number };
  /** The better report, if the interval excludes 0. */
  verdict: 'first' | 'second' | 'undecided';
}

interface Pairs {
  better: Share['better'];
  first: number[];
  second: number[];
  clusters: number[];
}

/** Compares two reports of one probe row by row, over the rows that both have. */
export async function pairedDifferences(
  id: string,
  first: AsyncIterable<Row>,
  second: AsyncIterable<Row>,
): Promise<PairedDifference[]> {
  const probe = probeNamed(id);
  const { shares } = probe;
  const known = new Map<string, Map<string, number>>();
  const keyInFirst = rowKeys(probe);
  for await (const row of first) {
    known.set(keyInFirst(row), new Map(shares(row).map(({ metric, value }) => [metric, value])));
  }
  const keyInSecond = rowKeys(probe);
  const clusters = new Clusters();
  const pairs = new Map<string, Pairs>();
  for await (const row of second) {
    const other = known.get(keyInSecond(row));
    if (other === undefined) continue;
    for (const { metric, value, better } of shares(row)) {
      const before = other.get(metric);
      if (before === undefined) continue;
      let of = pairs.get(metric);
      if (of === undefined) pairs.set(metric, (of = { better, first: [], second: [], clusters: [] }));
      of.first.push(before);
      of.second.push(value);
      of.clusters.push(clusters.of(row.image ?? row.example));
    }
  }
  return [...pairs].map(([metric, of]) => differenceOf(metric, of));
}

/** Identifies rows of one example by the probe's key; rows with equal keys by their order. */
export function rowKeys({ rowKey }: Probe): (row: Row) => string {
  const seen = new Map<string, number>();
  return (row) => {
    const key = JSON.stringify([row.example, rowKey?.(row) ?? null]);
    const before = seen.get(key) ?? 0;
    seen.set(key, before + 1);
    return `${before} ${key}`;
  };
}

function differenceOf(metric: string, { better, first, second, clusters }: Pairs): PairedDifference {
  const values = Float64Array.from(second, (value, i) => value - first[i]);
  const out: PairedDifference = {
    metric,
    better,
    n: values.length,
    difference: mean(values),
    verdict: 'undecided',
  };
  const interval = bcaInterval({ values, clusters, statistic: 'mean', seed: intervalSeed });
  if (isDefined(interval)) {
    out.ci = [interval.low, interval.high];
    const higher = interval.low > 0 ? 'second' : interval.high < 0 ? 'first' : 'undecided';
    const other = { first: 'second', second: 'first', undecided: 'undecided' } as const;
    out.verdict = better === 'higher' ? higher : other[higher];
  }
  if ([...first, ...second].every((value) => value === 0 || value === 1)) {
    const only = (a: readonly number[], b: readonly number[]) => a.filter((value, i) => value > b[i]).length;
    const [onlyFirst, onlySecond] = [only(first, second), only(second, first)];
    out.mcNemar = { onlyFirst, onlySecond, pValue: mcNemarExact(onlyFirst, onlySecond).pValue };
  }
  return out;
}
