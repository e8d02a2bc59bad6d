import { studentTwoSided } from '../distributions';
import type { Interval } from '../bootstrap';
import { finite, isDefined, notDefined, openUnit, sameLength, type Outcome } from '../outcome';
import { numberClusters } from '../resample';
import { mean, sum } from '../summary';

export interface MeanTest extends Interval {
  /**
   * The two-sided p value for the hypothesis that the mean is zero. It is below 1 − level exactly if the
   * interval excludes zero.
   */
  pValue: number;
  standardError: number;
  clusters: number;
}

/**
 * Student's test of a mean with clustered standard errors (CR1) and clusters − 1 degrees of freedom. If each
 * cluster has one value, this is the one-sample t-test.
 */
export function clusteredMeanTest(
  values: ArrayLike<number>,
  clusters: ArrayLike<number | string>,
  level = 0.95,
): Outcome<MeanTest> {
  openUnit(level, 'The level');
  sameLength(values, clusters);
  const x = finite(values);
  if (x.length === 0) return notDefined('there are no values');
  const { of, count } = numberClusters(clusters);
  if (count < 2) return notDefined('there is only one cluster');
  const estimate = mean(x);
  const residuals = new Float64Array(count);
  for (let i = 0; i < x.length; i++) residuals[of[i]] += x[i] - estimate;
  const standardError = Math.sqrt((count / (count - 1)) * sum(residuals.map((r) => r * r))) / x.length;
  if (standardError <= 1e-14 * Math.abs(estimate) || standardError === 0)
    return notDefined('every image gives the same value');
  const degrees = count - 1;
  const reach = studentQuantile((1 + level) / 2, degrees) * standardError;
  return {
    estimate,
    low: estimate - reach,
    high: estimate + reach,
    level,
    pValue: studentTwoSided(estimate / standardError, degrees),
    standardError,
    clusters: count,
  };
}

/** Returns t so that P(T ≤ t) = p, for p above one half. */
export function studentQuantile(p: number, degrees: number): number {
  openUnit(p, 'The probability');
  if (p < 0.5) return -studentQuantile(1 - p, degrees);
  const beyond = 2 * (1 - p);
  let [low, high] = [0, 1];
  while (studentTwoSided(high, degrees) > beyond) high *= 2;
  for (let middle = high / 2; middle > low && middle < high; middle = (low + high) / 2) {
    if (studentTwoSided(middle, degrees) > beyond) low = middle;
    else high = middle;
  }
  return high;
}

/**
 * The two-sided p value for the hypothesis that the mean is zero: from the t-test or, if that has no standard
 * error, from the sign test over clusters.
 */
export function pOfMean(test: Outcome<MeanTest>, estimate: number, clusters: number): number {
  if (isDefined(test)) return test.pValue;
  return estimate === 0 ? 1 : Math.min(1, 2 * 0.5 ** clusters);
}
