import { say } from '../../base/say';
import type { Steps } from '../../base/turns/steps';
import type { Interval } from '../bootstrap';
import { studentQuantile, studentTwoSided } from '../distributions';
import { normalQuantile } from '../normal';
import { isDefined, notDefined, openUnit, type Outcome } from '../outcome';
import { mean } from '../summary';
import { swapTest } from '../swapTest';
import type { Association } from './association';

/** The jackknife interval over clusters, on Fisher's z scale and with Student's t. */
export function associationInterval({ value, without }: Association, level = 0.95): Outcome<Interval> {
  openUnit(level, 'The level');
  if (without.length < 3) return notDefined(say('stats.agreementNeedsImages'));
  const moved = without.map((one) => Math.atanh(one));
  const centre = Math.atanh(value);
  if (!Number.isFinite(centre) || !moved.every(Number.isFinite))
    return notDefined(say('stats.agreementPerfectOverImages'));
  const reach = studentQuantile((1 + level) / 2, without.length - 1) * jackknifeError(moved);
  if (reach === 0) return notDefined(say('stats.imagesWithoutInfluence'));
  return { estimate: value, low: Math.tanh(centre - reach), high: Math.tanh(centre + reach), level };
}

/**
 * The interval of a rank correlation of independent items. For few items, the jackknife interval is too wide. The
 * variances are by Bonett and Wright (2000) for Spearman's ρ and by Fieller et al. (1957) for Kendall's τ-b.
 */
export function rankInterval(
  measure: 'tauB' | 'spearman',
  value: number,
  n: number,
  level = 0.95,
): Outcome<Interval> {
  openUnit(level, 'The level');
  if (n < 5) return notDefined(say('stats.agreementNeedsItems'));
  const centre = Math.atanh(value);
  if (!Number.isFinite(centre)) return notDefined(say('stats.agreementPerfect'));
  const p = (1 + level) / 2;
  const reach =
    measure === 'tauB'
      ? studentQuantile(p, n - 2) * Math.sqrt(0.437 / (n - 4))
      : normalQuantile(p) * Math.sqrt((1 + value ** 2 / 2) / (n - 3));
  return { estimate: value, low: Math.tanh(centre - reach), high: Math.tanh(centre + reach), level };
}

function jackknifeError(without: Float64Array): number {
  const [g, centre] = [without.length, mean(without)];
  return Math.sqrt(((g - 1) / g) * without.reduce((total, one) => total + (one - centre) ** 2, 0));
}

export interface PairedAssociation extends Interval {
  /** The two-sided p value of a randomisation test. */
  pValue: number;
}

/** The default limit of rounds × clusters, for tests of a few seconds. The minimum of 999 rounds may exceed it. */
const mostFlips = 2e8;

/**
 * Tests the difference of two agreements on the same items. Under the null hypothesis, each cluster's pseudo-value
 * (on Fisher's scale) is as likely to be positive as negative, so random signs give the p value.
 */
export function* associationDifference(
  first: Association,
  second: Association,
  { level = 0.95, seed = 2025, rounds }: { level?: number; seed?: number; rounds?: number } = {},
): Steps<Outcome<PairedAssociation>> {
  openUnit(level, 'The level');
  const g = first.without.length;
  if (g < 3) return notDefined(say('stats.agreementNeedsImages'));
  const estimate = first.value - second.value;
  const moved = Math.atanh(first.value) - Math.atanh(second.value);
  const movedWithout = first.without.map((one, i) => Math.atanh(one) - Math.atanh(second.without[i]));
  if (!Number.isFinite(moved) || !movedWithout.every(Number.isFinite))
    return notDefined(say('stats.comparedAgreementPerfect'));
  const error = jackknifeError(first.without.map((one, i) => one - second.without[i]));
  if (error === 0)
    return estimate === 0
      ? { estimate, low: 0, high: 0, level, pValue: 1 }
      : notDefined(say('stats.imagesWithoutInfluence'));
  // The jackknife overestimates a difference's error. Simulations determined the factor √((g − 1) / g).
  const reach = normalQuantile((1 + level) / 2) * Math.sqrt((g - 1) / g) * error;
  const pseudo = movedWithout.map((one) => g * moved - (g - 1) * one);
  const { pValue } = yield* swapTest(g, (flipped) => signedMean(pseudo, flipped), {
    seed,
    rounds: rounds ?? Math.max(999, Math.min(9999, Math.floor(mostFlips / g))),
  });
  return { estimate, low: estimate - reach, high: estimate + reach, level, pValue };
}

function signedMean(values: Float64Array, flipped: Uint8Array): number {
  let total = 0;
  for (let i = 0; i < values.length; i++) total += values[i] * (1 - 2 * flipped[i]);
  return total / values.length;
}

/**
 * Williams' test (1959) of two metrics' correlations with people's ratings. `between` is the correlation between the
 * metrics. Items must be independent.
 */
export function williams(
  first: number,
  second: number,
  between: number,
  n: number,
): Outcome<{ statistic: number; degrees: number; pValue: number }> {
  if (n < 4) return notDefined(say('stats.metricsNeedItems'));
  const degrees = n - 3;
  const determinant = 1 - first ** 2 - second ** 2 - between ** 2 + 2 * first * second * between;
  const average = (first + second) / 2;
  const spread = (2 * (n - 1) * Math.max(0, determinant)) / degrees + average ** 2 * (1 - between) ** 3;
  if (!(spread > 0) || between === -1) return notDefined(say('stats.metricsPerfectlyCorrelated'));
  const statistic = (first - second) * Math.sqrt(((n - 1) * (1 + between)) / spread);
  return { statistic, degrees, pValue: studentTwoSided(statistic, degrees) };
}

/** The ends of an interval; undefined if the interval is not defined. */
export function endsOf(interval: Outcome<Interval>): [number, number] | undefined {
  return isDefined(interval) ? [interval.low, interval.high] : undefined;
}
