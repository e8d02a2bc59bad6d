import { betaQuantile, binomialDensity, binomialTails, chiSquaredTails } from './distributions';
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

/** Clopper and Pearson's interval: exact, and never too narrow. */
export function clopperPearsonInterval(successes: number, trials: number, level = 0.95): Outcome<Interval> {
  outOf(successes, trials);
  openUnit(level, 'The level');
  if (trials === 0) return notDefined('there are no trials');
  const tail = (1 - level) / 2;
  return {
    estimate: successes / trials,
    low: successes === 0 ? 0 : betaQuantile(tail, successes, trials - successes + 1),
    high: successes === trials ? 1 : betaQuantile(1 - tail, successes + 1, trials - successes),
    level,
  };
}

/** Exact two-sided binomial test: the chance of all outcomes no likelier than this one. No trials: p is 1. */
export function binomialTest(successes: number, trials: number, p = 0.5): { pValue: number } {
  outOf(successes, trials);
  if (!(p >= 0 && p <= 1)) throw new RangeError(`The probability is ${p}, not between 0 and 1.`);
  const expected = p * trials;
  if (successes === expected) return { pValue: 1 };
  // Outcomes whose density is the same but for rounding count as equally likely.
  const limit = binomialDensity(successes, trials, p) * (1 + 1e-7);
  const atMost = (k: number): number => binomialTails(k, trials, p).lower;
  const atLeast = (k: number): number => binomialTails(k - 1, trials, p).upper;
  // Beyond the mode the density only falls: the first k on the other side that is no likelier is found by halving.
  if (successes < expected) {
    let [low, high] = [Math.ceil(expected), trials + 1];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (binomialDensity(middle, trials, p) <= limit) high = middle;
      else low = middle + 1;
    }
    return { pValue: Math.min(1, atMost(successes) + (low > trials ? 0 : atLeast(low))) };
  }
  let [low, high] = [-1, Math.floor(expected)];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (binomialDensity(middle, trials, p) <= limit) low = middle;
    else high = middle - 1;
  }
  return { pValue: Math.min(1, atLeast(successes) + (low < 0 ? 0 : atMost(low))) };
}

/** Sign test of paired differences: ties, which are zero, are left out and counted. */
export function signTest(positive: number, negative: number): { pValue: number } {
  count(positive, 'The number of positive differences');
  count(negative, 'The number of negative differences');
  return binomialTest(positive, positive + negative, 0.5);
}

/**
 * McNemar's exact test of two paired yes-or-no outcomes, from the two counts of disagreement. No disagreement: p is 1.
 */
export function mcNemarExact(onlyFirst: number, onlySecond: number): { statistic: number; pValue: number } {
  count(onlyFirst, 'The first count');
  count(onlySecond, 'The second count');
  const fewer = Math.min(onlyFirst, onlySecond);
  const { lower } = binomialTails(fewer, onlyFirst + onlySecond, 0.5);
  return { statistic: fewer, pValue: onlyFirst === onlySecond ? 1 : Math.min(1, 2 * lower) };
}

/** McNemar's χ² with continuity correction, (|b − c| − 1)² / (b + c), as statsmodels has it, also where b equals c. */
export function mcNemarCorrected(
  onlyFirst: number,
  onlySecond: number,
): Outcome<{ statistic: number; pValue: number }> {
  count(onlyFirst, 'The first count');
  count(onlySecond, 'The second count');
  if (onlyFirst + onlySecond === 0) return notDefined('the two never disagree');
  const apart = Math.abs(onlyFirst - onlySecond) - 1;
  const statistic = (apart * apart) / (onlyFirst + onlySecond);
  return { statistic, pValue: chiSquaredTails(statistic, 1).upper };
}
