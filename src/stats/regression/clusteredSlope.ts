import { say } from '../../base/say';
import { studentQuantile, studentTwoSided } from '../distributions';
import { notDefined, type Outcome } from '../outcome';

export interface Slope {
  slope: number;
  standardError: number;
  low: number;
  high: number;
  pValue: number;
  /** Student's degrees of freedom: the clusters without one. */
  degrees: number;
}

/**
 * The slope of a straight line through points, with the sandwich over clusters (CR1: G / (G − 1) · (n − 1) / (n − 2)) and a
 * t-test against zero with G − 1 degrees of freedom.
 */
export function clusteredSlope(
  x: ArrayLike<number>,
  y: ArrayLike<number>,
  clusters: ArrayLike<number>,
): Outcome<Slope> {
  const n = x.length;
  let [sumX, sumY] = [0, 0];
  for (let i = 0; i < n; i++) {
    sumX += x[i];
    sumY += y[i];
  }
  const [meanX, meanY] = [sumX / n, sumY / n];
  let [squares, products] = [0, 0];
  for (let i = 0; i < n; i++) {
    squares += (x[i] - meanX) ** 2;
    products += (x[i] - meanX) * (y[i] - meanY);
  }
  if (n < 3 || !(squares > 1e-12 * n)) return notDefined(say('stats.onePosition'));
  const slope = products / squares;
  const sums = new Map<number, number>();
  for (let i = 0; i < n; i++) {
    const residual = y[i] - meanY - slope * (x[i] - meanX);
    sums.set(clusters[i], (sums.get(clusters[i]) ?? 0) + (x[i] - meanX) * residual);
  }
  const count = sums.size;
  if (count < 2) return notDefined(say('inference.oneCluster'));
  let total = 0;
  for (const sum of sums.values()) total += sum * sum;
  const scale = (count / (count - 1)) * ((n - 1) / (n - 2));
  const standardError = Math.sqrt(scale * total) / squares;
  // A line through all points leaves rounding errors only.
  if (!(standardError > 1e-12)) return notDefined(say('stats.noResiduals'));
  const degrees = count - 1;
  const reach = studentQuantile(0.975, degrees) * standardError;
  return {
    ...{ slope, standardError, low: slope - reach, high: slope + reach, degrees },
    pValue: studentTwoSided(slope / standardError, degrees),
  };
}
