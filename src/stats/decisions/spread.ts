import { mean } from '../summary';

/** A score of two units, such as an image and another image's caption. */
export interface ScoredPair {
  left: string;
  right: string;
  score: number;
}

export interface PairSpread {
  mean: number;
  /** The standard deviation of the scores. */
  deviation: number;
  /** The standard error of the logarithm of `deviation`. */
  error: number;
  /** What each unit contributes to the logarithm of `deviation`. The sum is zero. */
  influence: Map<string, number>;
}

/**
 * The standard deviation of scores of pairs that share units. A pair counts for both of its units. The variance is
 * dyadic-robust: the sum over units, without the squares of pairs, which this sum has twice.
 * Undefined for fewer than two scores, or if all scores are equal.
 */
export function spreadOfPairs(pairs: readonly ScoredPair[]): PairSpread | undefined {
  const n = pairs.length;
  if (n < 2) return undefined;
  const centre = mean(pairs.map(({ score }) => score));
  const squares = pairs.map(({ score }) => (score - centre) ** 2);
  const variance = mean(squares);
  // The rounding of equal scores is no spread.
  if (!(Math.sqrt(variance) > 1e-12 * Math.abs(centre))) return undefined;
  const influence = new Map<string, number>();
  const add = (unit: string, part: number): void =>
    void influence.set(unit, (influence.get(unit) ?? 0) + part);
  let ofPairs = 0;
  for (const [i, { left, right }] of pairs.entries()) {
    const part = (squares[i] / variance - 1) / (2 * n);
    add(left, part);
    add(right, part);
    ofPairs += part ** 2;
  }
  let total = 0;
  for (const part of influence.values()) total += part ** 2;
  // Without a correction, the parts would have the variance `total`.
  const scale = Math.sqrt(Math.max(0, 1 - ofPairs / total));
  for (const [unit, part] of influence) influence.set(unit, part * scale);
  return {
    mean: centre,
    deviation: Math.sqrt((variance * n) / (n - 1)),
    error: Math.sqrt(total) * scale,
    influence,
  };
}
