import { say } from '../base/say';
import { clusteredError } from './decisions/clusterTest';
import { binomialTails, studentQuantile } from './distributions';
import { normalQuantile } from './normal';
import { count, notDefined, openUnit, type Outcome, sameLength } from './outcome';
import { sum } from './summary';
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
  if (trials === 0) return notDefined(say('stats.noTrials'));
  const { low, high } = around(successes / trials, trials, normalQuantile((1 + level) / 2));
  return {
    estimate: successes / trials,
    low: successes === 0 ? 0 : Math.max(0, low),
    high: successes === trials ? 1 : Math.min(1, high),
    level,
  };
}

function around(share: number, trials: number, z: number): { low: number; high: number } {
  const weight = (z * z) / trials;
  const centre = (share + weight / 2) / (1 + weight);
  const reach = (z * Math.sqrt((share * (1 - share)) / trials + weight / (4 * trials))) / (1 + weight);
  return { low: centre - reach, high: centre + reach };
}

/**
 * Wilson's interval for a share of clustered trials, with Student's t. The formula uses the number of independent
 * trials that would have the same standard error (CR2). `totals` has the successes of each cluster.
 */
export function clusteredShareInterval(
  totals: Float64Array,
  sizes: Float64Array,
  level = 0.95,
): Outcome<Interval & { degrees: number }> {
  sameLength(totals, sizes);
  openUnit(level, 'The level');
  if (totals.length < 2) return notDefined(say('stats.proportionNeedsImages'));
  const n = sum(sizes);
  const share = sum(totals) / n;
  const residuals = totals.map((total, c) => total - sizes[c] * share);
  const { standardError, degrees } = clusteredError(residuals, sizes, n);
  if (standardError <= 1e-14) return notDefined(say('stats.imagesGiveSameValue'));
  const trials = (share * (1 - share)) / standardError ** 2;
  const { low, high } = around(share, trials, studentQuantile((1 + level) / 2, degrees));
  return { estimate: share, low, high, level, degrees };
}

/** McNemar's exact test from both counts of disagreement. p is 1 if the counts are equal. */
export function mcNemarExact(onlyFirst: number, onlySecond: number): { statistic: number; pValue: number } {
  count(onlyFirst, 'The first count');
  count(onlySecond, 'The second count');
  const fewer = Math.min(onlyFirst, onlySecond);
  const { lower } = binomialTails(fewer, onlyFirst + onlySecond, 0.5);
  return { statistic: fewer, pValue: onlyFirst === onlySecond ? 1 : Math.min(1, 2 * lower) };
}
