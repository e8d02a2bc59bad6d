import { say } from '../../base/say';
import { studentQuantile, studentTails } from '../distributions';
import type { Interval } from '../bootstrap';
import { finite, isDefined, notDefined, openUnit, sameLength, type Outcome } from '../outcome';
import { numberClusters } from '../clustering';
import type { Tails } from '../special';
import { mean, sum } from '../summary';

/** The parameters of the distribution of mean / standard error. */
export interface MeanSpread {
  /** The number of clusters minus one, or Satterthwaite's degrees of freedom if the clusters differ in size. */
  degrees: number;
  /** The skewness of the clusters' contributions. Set only if the test corrects for skewness. */
  skewness?: number;
}

export interface MeanTest extends Interval, MeanSpread {
  /** The two-sided p value for a mean of zero. The interval excludes zero exactly if p is below 1 − level. */
  pValue: number;
  standardError: number;
}

export interface MeanTestOptions {
  /** The default is 0.95. */
  level?: number;
  /**
   * Whether to correct for skewness. Right-or-wrong results need no correction, because the t-test of such results
   * keeps its level. `always` corrects with any number of clusters, for families of tests, which need far tails.
   */
  correctsSkewness?: boolean | 'always';
  /** The variance of the mean from sources other than the values; 0 by default. */
  variance?: number;
}

/**
 * Student's test of a mean with bias-reduced clustered standard errors (CR2) and Bell and McCaffrey's degrees
 * of freedom. With one value per cluster, it is the one-sample t-test.
 */
export function clusteredMeanTest(
  values: ArrayLike<number>,
  clusters: ArrayLike<number | string>,
  { level = 0.95, correctsSkewness = false, variance = 0 }: MeanTestOptions = {},
): Outcome<MeanTest> {
  openUnit(level, 'The level');
  sameLength(values, clusters);
  const x = finite(values);
  const n = x.length;
  if (n === 0) return notDefined(say('stats.noValues'));
  const { of, count } = numberClusters(clusters);
  if (count < 2) return notDefined(say('inference.oneCluster'));
  const estimate = mean(x);
  const [residuals, sizes] = [new Float64Array(count), new Float64Array(count)];
  for (let i = 0; i < n; i++) {
    residuals[of[i]] += x[i] - estimate;
    sizes[of[i]]++;
  }
  const { standardError: own, degrees } = clusteredError(residuals, sizes, n);
  const standardError = Math.sqrt(own ** 2 + variance);
  if (standardError <= 1e-14 * Math.abs(estimate) || standardError === 0)
    return notDefined(say('stats.imagesGiveSameValue'));
  const spread = spreadOf(degrees, residuals, correctsSkewness);
  const { lower, upper } = meanTails(estimate / standardError, spread);
  const [below, above] = reaches((1 + level) / 2, spread);
  return {
    ...spread,
    estimate,
    low: estimate - below * standardError,
    high: estimate + above * standardError,
    level,
    pValue: Math.min(1, 2 * Math.min(lower, upper)),
    standardError,
  };
}

/** `residuals` are the clusters' contributions to the mean. */
export function spreadOf(
  degrees: number,
  residuals: Float64Array,
  correctsSkewness: boolean | 'always',
): MeanSpread {
  const skewness = skewnessOf(residuals);
  // The factor is 36, not 25 as in Cochran's rule, because the skewness of few clusters is known only roughly.
  const isFew = correctsSkewness === true && degrees + 1 < 36 * skewness ** 2;
  return isFew || (correctsSkewness === 'always' && skewness !== 0) ? { degrees, skewness } : { degrees };
}

/** A mean's standard error (CR2), from the residual sums and sizes of two or more clusters. */
export function clusteredError(
  residuals: Float64Array,
  sizes: Float64Array,
  n: number,
): { standardError: number; degrees: number } {
  const standardError = Math.sqrt(sum(residuals.map((r, c) => (r * r) / (1 - sizes[c] / n)))) / n;
  return { standardError, degrees: degreesOf(sizes, n) };
}

/**
 * The tail probabilities of mean / standard error, by Student's t. For skewed means, each tail is the larger one
 * of Student's and Hall's tails, because each method alone rejects too often for some outcomes.
 */
export function meanTails(statistic: number, { degrees, skewness }: MeanSpread): Tails {
  const student = studentTails(statistic, degrees);
  if (skewness === undefined) return student;
  const clusters = degrees + 1;
  const s = statistic / Math.sqrt(clusters);
  const cubic = s + (skewness * s ** 2) / 3 + (skewness ** 2 * s ** 3) / 27 + skewness / (6 * clusters);
  const hall = studentTails(Math.sqrt(clusters) * cubic, degrees);
  return { lower: Math.max(student.lower, hall.lower), upper: Math.max(student.upper, hall.upper) };
}

/** How far the interval reaches below and above the mean, in standard errors: the inverse of `meanTails`. */
export function reaches(p: number, { degrees, skewness }: MeanSpread): [number, number] {
  const t = studentQuantile(p, degrees);
  if (skewness === undefined) return [t, t];
  const clusters = degrees + 1;
  const root = Math.sqrt(clusters);
  const hall = (q: number): number =>
    ((3 * root) / skewness) * (Math.cbrt(1 + skewness * (q / root - skewness / (6 * clusters))) - 1);
  return [Math.max(t, hall(t)), Math.max(t, -hall(-t))];
}

/** Satterthwaite's degrees of freedom for independent rows. For clusters of equal size, their number − 1. */
function degreesOf(sizes: Float64Array, n: number): number {
  if (sizes.every((size) => size === sizes[0])) return sizes.length - 1;
  const weighted = (power: number): Float64Array =>
    sizes.map((size) => size ** (2 * power) / (1 - size / n) ** power);
  const cross = sum(weighted(1)) ** 2 - sum(weighted(2));
  return n ** 2 / (sum(sizes.map((size) => size ** 2)) + cross / n ** 2);
}

/** The adjusted Fisher–Pearson coefficient of skewness; 0 for fewer than three values. */
function skewnessOf(values: Float64Array): number {
  const n = values.length;
  if (n < 3) return 0;
  const centre = mean(values);
  const moment = (power: number): number => sum(values.map((value) => (value - centre) ** power)) / n;
  const variance = moment(2);
  return variance === 0 ? 0 : (moment(3) / variance ** 1.5) * (Math.sqrt(n * (n - 1)) / (n - 2));
}

/**
 * The two-sided p value for a mean of zero: from the t-test, or from the sign test over clusters if there is
 * no standard error.
 */
export function pOfMean(test: Outcome<MeanTest>, estimate: number, clusters: number): number {
  if (isDefined(test)) return test.pValue;
  return estimate === 0 ? 1 : Math.min(1, 2 * 0.5 ** clusters);
}
