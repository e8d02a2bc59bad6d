import { say } from '../../base/say';
import { smallest } from '../../base/extent';
import { type Association, association, type Measure } from '../../stats/agreement/association';
import { associationInterval, rankInterval } from '../../stats/agreement/paired';
import type { Interval } from '../../stats/bootstrap';
import { isDefined, notDefined, type Outcome } from '../../stats/outcome';
import type { Metric } from '../metric';
import { ratingOf } from './correlations';
import { type HumanRow, leadOf, scoreOf } from './row';

const leastSystems = 3;
/** With fewer, intervals missed their nominal coverage in simulations (docs/statistics.md). */
const leastForInterval = { systems: 12, captions: 50, pairs: 100 } as const;

/** The correlation of the systems' mean ratings with their mean scores. */
export function systemMetrics(rows: readonly HumanRow[], exclude: readonly string[]): Metric[] {
  const own = rows.filter(({ systems }) => systems?.length === 1 && !exclude.includes(systems[0]));
  const { numbers, names } = numbered(own.map(({ systems }) => systems![0]));
  if (names.length < leastSystems) return [];
  const people = own.map(ratingOf);
  const scores = own.map(scoreOf);
  const sides = [people, scores].map((values) => means(numbers, values, names.length));
  return correlations('human.system', ['tauB', 'spearman', 'pearson'], sides, numbers, 'captions');
}

/** As in CapArena: the correlation of the systems' Bradley–Terry strengths by people and by scores. */
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
  const sides = [people, scores].map((wins) => strengths(numbers, wins, names.length));
  return correlations('human.arena', ['tauB', 'spearman'], sides, numbers, 'pairs');
}

function numbered(systems: readonly string[]): { numbers: number[]; names: string[] } {
  const names = [...new Set(systems)];
  const at = new Map(names.map((name, i) => [name, i]));
  return { numbers: systems.map((name) => at.get(name)!), names };
}

/**
 * Correlates `people` with `scores`. Each list has one value for each system. `numbers` has the index of each
 * caption's system, or of both systems of each pair.
 */
function correlations(
  id: string,
  measures: readonly Measure[],
  [people, scores]: readonly Float64Array[],
  numbers: readonly number[],
  unit: 'captions' | 'pairs',
): Metric[] {
  const times = new Uint32Array(people.length);
  for (const system of numbers) times[system]++;
  return measures.map((measure) => {
    const metric: Metric = { id: `${id}.${measure}`, value: null, n: people.length };
    const found = association(measure, people, scores);
    if (!isDefined(found)) return { ...metric, note: say('human.systemsIndistinguishable') };
    const interval = intervalOf(measure, found, times, unit);
    return {
      ...metric,
      value: found.value,
      ...(isDefined(interval)
        ? { ci: [interval.low, interval.high] as const }
        : { note: say('probe.noInterval', interval.reason) }),
    };
  });
}

/** The interval of a correlation over systems. The systems are the sample, not the images. */
function intervalOf(
  measure: Measure,
  found: Association,
  times: Uint32Array,
  unit: 'captions' | 'pairs',
): Outcome<Interval> {
  if (times.length < leastForInterval.systems)
    return notDefined(say('human.tooFewSystems', times.length, leastForInterval.systems));
  const fewest = smallest(times);
  if (fewest < leastForInterval[unit])
    return notDefined(
      unit === 'pairs'
        ? say('human.tooFewSystemPairs', fewest, leastForInterval.pairs)
        : say('human.tooFewSystemCaptions', fewest, leastForInterval.captions),
    );
  return measure === 'tauB' || measure === 'spearman'
    ? rankInterval(measure, found.value, times.length)
    : associationInterval(found);
}

function means(systems: readonly number[], values: readonly number[], count: number): Float64Array {
  const total = new Float64Array(count);
  const n = new Float64Array(count);
  systems.forEach((system, i) => {
    total[system] += values[i];
    n[system]++;
  });
  return total.map((one, i) => one / n[i]);
}

const rounds = 200;

/**
 * Bradley–Terry strengths by Hunter's iteration. Each system also has half a win and half a loss against an
 * average opponent, so that a system without wins or without losses has a finite strength.
 */
export function strengths(systems: readonly number[], wins: readonly number[], count: number): Float64Array {
  const won = new Float64Array(count).fill(0.5);
  const met = Array.from({ length: count }, () => new Float64Array(count));
  wins.forEach((win, i) => {
    const [a, b] = [systems[2 * i], systems[2 * i + 1]];
    won[a] += win;
    won[b] += 1 - win;
    met[a][b]++;
    met[b][a]++;
  });
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
