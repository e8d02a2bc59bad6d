import { say } from '../../base/say';
import type { Interval } from '../bootstrap';
import { normalQuantile } from '../normal';
import { finite, notDefined, openUnit, sameLength, type Outcome } from '../outcome';
import { mean, variance } from '../summary';

export interface PredictionPowered extends Interval {
  /** The weight of the scores: 0 uses only labels, and 1 is prediction-powered inference without tuning. */
  lambda: number;
  /** The interval from the labels alone. */
  labelsOnly: Interval;
}

/**
 * Prediction-powered mean (PPI++, Angelopoulos et al. 2023). Estimates the mean label from a few items with labels
 * and many items with only scores. The default `lambda` makes the interval shortest.
 */
export function predictionPoweredMean(
  labels: ArrayLike<number>,
  scores: ArrayLike<number>,
  unlabelled: ArrayLike<number>,
  { level = 0.95, lambda }: { level?: number; lambda?: number } = {},
): Outcome<PredictionPowered> {
  sameLength(labels, scores);
  openUnit(level, 'The level');
  const [y, f, more] = [finite(labels), finite(scores), finite(unlabelled)];
  if (y.length < 2) return notDefined(say('stats.tooFewLabels'));
  if (more.length < 2) return notDefined(say('stats.tooFewUnlabelledScores'));
  const weight = lambda ?? tuned(y, f, more);
  const rest = y.map((label, i) => label - weight * f[i]);
  const estimate = weight * mean(more) + mean(rest);
  const error = Math.sqrt(weight ** 2 * errorSquared(more) + errorSquared(rest));
  const around = (centre: number, spread: number): Interval => {
    const reach = normalQuantile((1 + level) / 2) * spread;
    return { estimate: centre, low: centre - reach, high: centre + reach, level };
  };
  return {
    ...around(estimate, error),
    lambda: weight,
    labelsOnly: around(mean(y), Math.sqrt(errorSquared(y))),
  };
}

function errorSquared(values: Float64Array): number {
  return variance(values, 0) / values.length;
}

/** The weight between 0 and 1 that gives the estimate the smallest variance. */
function tuned(y: Float64Array, f: Float64Array, more: Float64Array): number {
  const all = new Float64Array(f.length + more.length);
  all.set(f);
  all.set(more, f.length);
  const spread = variance(all);
  if (spread === 0) return 0;
  const [cy, cf] = [mean(y), mean(f)];
  const covariance = mean(y.map((label, i) => (label - cy) * (f[i] - cf)));
  return Math.max(0, Math.min(1, covariance / ((1 + y.length / more.length) * spread)));
}
