import { association, type Measure } from '../../stats/agreement/association';
import { bcaInterval, percentileInterval } from '../../stats/bootstrap';
import { isDefined } from '../../stats/outcome';
import { numberClusters } from '../../stats/resample';
import { intervalSeed } from '../figure';
import type { Metric } from '../metric';
import { ratingOf } from './correlations';
import { type HumanRow, imageOf, leadOf, scoreOf } from './row';

const leastSystems = 3;
/** Fewer than usual, because every resample ranks the systems again. */
const resamples = 1000;

/** Correlation of the systems' mean ratings with their mean scores. */
export function systemMetrics(rows: readonly HumanRow[], exclude: readonly string[]): Metric[] {
  const own = rows.filter(({ systems }) => systems?.length === 1 && !exclude.includes(systems[0]));
  const { numbers, names } = numbered(own.map(({ systems }) => systems![0]));
  if (names.length < leastSystems) return [];
  const people = own.map(ratingOf);
  const scores = own.map(scoreOf);
  return correlations('human.system', ['tauB', 'spearman', 'pearson'], own, names.length, (drawn) => [
    means(drawn, numbers, people, names.length),
    means(drawn, numbers, scores, names.length),
  ]);
}

/**
 * Correlation between two Bradley–Terry strengths of the systems: from people's preferences and from scores
 * (CapArena).
 */
export function arenaMetrics(rows: readonly HumanRow[], exclude: readonly string[]): Metric[] {
  const own = rows.filter(
    ({ systems }) => systems?.length === 2 && !systems.some((system) => exclude.includes(system)),
  );
  const { numbers, names } = numbered(own.flatMap(({ systems }) => systems!));
  if (names.length < leastSystems) return [];
  const people = own.map(({ preferred }) => (preferred === null ? 0.5 : preferred === 0 ? 1 : 0));
  const scores = own.map((row) => {
    const lead = leadOf({ ...row, preferred: 0 });
    return lead === 0 ? 0.5 : lead > 0 ? 1 : 0;
  });
  return correlations('human.arena', ['tauB', 'spearman'], own, names.length, (drawn) =>
    [people, scores].map((wins) => strengths(drawn, numbers, wins, names.length)),
  );
}

function numbered(systems: readonly string[]): { numbers: number[]; names: string[] } {
  const names = [...new Set(systems)];
  const at = new Map(names.map((name, i) => [name, i]));
  return { numbers: systems.map((name) => at.get(name)!), names };
}

function correlations(
  id: string,
  measures: readonly Measure[],
  rows: readonly HumanRow[],
  systems: number,
  sides: (drawn: Uint32Array) => Float64Array[],
): Metric[] {
  const all = Uint32Array.from(rows, (_, i) => i);
  const clusters = numberClusters(rows.map(imageOf)).of;
  return measures.map((measure) => {
    const statistic = (drawn: Uint32Array): number => {
      const [a, b] = sides(drawn);
      // A resample may contain no pair of some system.
      const known = [...a.keys()].filter((i) => Number.isFinite(a[i]) && Number.isFinite(b[i]));
      const found = association(
        measure,
        known.map((i) => a[i]),
        known.map((i) => b[i]),
      );
      return isDefined(found) ? found.value : NaN;
    };
    const value = statistic(all);
    const metric: Metric = { id: `${id}.${measure}`, value: null, n: systems };
    if (!Number.isFinite(value))
      return { ...metric, note: 'Not defined: the systems cannot be distinguished.' };
    const intervalOf = measure === 'pearson' ? bcaInterval : percentileInterval;
    const interval = intervalOf({ statistic, rows: rows.length, clusters, resamples, seed: intervalSeed });
    return {
      ...metric,
      value,
      ...(isDefined(interval)
        ? { ci: [interval.low, interval.high] as const }
        : { note: `No interval: ${interval.reason}.` }),
    };
  });
}

function means(
  drawn: Uint32Array,
  systems: readonly number[],
  values: readonly number[],
  count: number,
): Float64Array {
  const total = new Float64Array(count);
  const n = new Float64Array(count);
  for (const i of drawn) {
    total[systems[i]] += values[i];
    n[systems[i]]++;
  }
  return total.map((one, i) => one / n[i]);
}

const rounds = 200;

/**
 * Strengths in the Bradley–Terry model, by Hunter's iteration. Each system also has half a win and half a
 * loss against an average opponent, so that strengths stay finite without wins or losses.
 */
export function strengths(
  drawn: Uint32Array,
  systems: readonly number[],
  wins: readonly number[],
  count: number,
): Float64Array {
  const won = new Float64Array(count).fill(0.5);
  const met = Array.from({ length: count }, () => new Float64Array(count));
  for (const i of drawn) {
    const [a, b] = [systems[2 * i], systems[2 * i + 1]];
    won[a] += wins[i];
    won[b] += 1 - wins[i];
    met[a][b]++;
    met[b][a]++;
  }
  let strength = new Float64Array(count).fill(1);
  for (let round = 0; round < rounds; round++) {
    const next = strength.map((own, a) => {
      let expected = 1 / (own + 1);
      for (let b = 0; b < count; b++) if (met[a][b] > 0) expected += met[a][b] / (own + strength[b]);
      return won[a] / expected;
    });
    const moved = next.reduce((most, one, a) => Math.max(most, Math.abs(one / strength[a] - 1)), 0);
    strength = next;
    if (moved < 1e-9) break;
  }
  return strength.map(Math.log);
}
