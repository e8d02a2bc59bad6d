import { say } from '../base/say';
import { clusteredError } from './decisions/clusterTest';
import { binomialTails, studentQuantile } from './distributions';
import { normalQuantile } from './normal';
import { count, isDefined, notDefined, openUnit, type Outcome, sameLength } from './outcome';
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

/** A share with the number of independent trials that would have the same standard error. */
export interface ClusteredShare {
  share: number;
  trials: number;
  /** Of Student's t; undefined for normal quantiles. */
  degrees?: number;
}

/** The share of clustered trials, with CR2 standard errors. `totals` has the successes of each cluster. */
export function clusteredShare(
  totals: Float64Array,
  sizes: Float64Array,
): Outcome<ClusteredShare & { degrees: number }> {
  sameLength(totals, sizes);
  if (totals.length < 2) return notDefined(say('stats.proportionNeedsImages'));
  const n = sum(sizes);
  const share = sum(totals) / n;
  const residuals = totals.map((total, c) => total - sizes[c] * share);
  const { standardError, degrees } = clusteredError(residuals, sizes, n);
  if (standardError <= 1e-14) return notDefined(say('stats.imagesGiveSameValue'));
  return { share, trials: (share * (1 - share)) / standardError ** 2, degrees };
}

/** The ends of Wilson's interval. */
export function wilsonEnds(
  { share, trials, degrees }: ClusteredShare,
  level: number,
): { low: number; high: number } {
  const p = (1 + level) / 2;
  return around(share, trials, degrees === undefined ? normalQuantile(p) : studentQuantile(p, degrees));
}

/** Wilson's interval for a share of clustered trials, with Student's t. `totals` has the successes of each cluster. */
export function clusteredShareInterval(
  totals: Float64Array,
  sizes: Float64Array,
  level = 0.95,
): Outcome<Interval & { degrees: number }> {
  openUnit(level, 'The level');
  const found = clusteredShare(totals, sizes);
  if (!isDefined(found)) return found;
  return { estimate: found.share, ...wilsonEnds(found, level), level, degrees: found.degrees };
}

/** McNemar's exact test from both counts of disagreement. p is 1 if the counts are equal. */
export function mcNemarExact(onlyFirst: number, onlySecond: number): { statistic: number; pValue: number } {
  count(onlyFirst, 'The first count');
  count(onlySecond, 'The second count');
  const fewer = Math.min(onlyFirst, onlySecond);
  const { lower } = binomialTails(fewer, onlyFirst + onlySecond, 0.5);
  return { statistic: fewer, pValue: onlyFirst === onlySecond ? 1 : Math.min(1, 2 * lower) };
}
