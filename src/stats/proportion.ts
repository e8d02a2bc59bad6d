import { binomialTails } from './distributions';
import { normalQuantile } from './normal';
import { count, notDefined, openUnit, type Outcome } from './outcome';
import type { Interval } from './bootstrap';

function outOf(successes: number, trials: number): void {
  count(successes, 'The number of successes');
  count(trials, 'The number of trials');
  if (successes > trials) throw new RangeError(`${successes} successes are more than ${trials} trials.`);
}

/** Wilson's score interval, without continuity correction. */
export function wilsonInterval(successes: number, trials: number, level = 0.95): Outcome<Interval> {
  outOf(successes, trials);
  openUnit(level, 'The level');
  if (trials === 0) return notDefined('there are no trials');
  const z = normalQuantile((1 + level) / 2);
  const share = successes / trials;
  const weight = (z * z) / trials;
  const centre = (share + weight / 2) / (1 + weight);
  const reach = (z * Math.sqrt((share * (1 - share)) / trials + weight / (4 * trials))) / (1 + weight);
  return {
    estimate: share,
    low: successes === 0 ? 0 : Math.max(0, centre - reach),
    high: successes === trials ? 1 : Math.min(1, centre + reach),
    level,
  };
}

/** McNemar's exact test from the two counts of disagreement. p is 1 if there is no disagreement. */
export function mcNemarExact(onlyFirst: number, onlySecond: number): { statistic: number; pValue: number } {
  count(onlyFirst, 'The first count');
  count(onlySecond, 'The second count');
  const fewer = Math.min(onlyFirst, onlySecond);
  const { lower } = binomialTails(fewer, onlyFirst + onlySecond, 0.5);
  return { statistic: fewer, pValue: onlyFirst === onlySecond ? 1 : Math.min(1, 2 * lower) };
}
