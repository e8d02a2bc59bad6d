import { mean, sum } from '../summary';

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
 * The standard deviation of scores of pairs that share units. Its error is that of a jackknife over units, each left out
 * with all its pairs. The sum over units has the squares of pairs twice, once for each unit, so they are subtracted once
 * (dyadic-robust). Undefined for fewer than two scores, or if all scores are equal.
 */
export function spreadOfPairs(pairs: readonly ScoredPair[]): PairSpread | undefined {
  const n = pairs.length;
  if (n < 2) return undefined;
  const centre = mean(pairs.map(({ score }) => score));
  const squares = pairs.map(({ score }) => (score - centre) ** 2);
  const variance = mean(squares);
  // The rounding of equal scores is no spread.
  if (!(Math.sqrt(variance) > 1e-12 * Math.abs(centre))) return undefined;
  const units = new Map<string, Omitted>();
  const ofPairs = new Map<string, number>();
  for (const [i, { left, right, score }] of pairs.entries()) {
    const part = (squares[i] / variance - 1) / (2 * n);
    const pair = JSON.stringify([left, right].sort());
    ofPairs.set(pair, (ofPairs.get(pair) ?? 0) + part);
    for (const unit of new Set([left, right])) {
      const own = units.get(unit) ?? { pairs: 0, sum: 0, squares: 0, part: 0 };
      own.pairs++;
      own.sum += score - centre;
      own.squares += squares[i];
      own.part += part;
      units.set(unit, own);
    }
  }
  const whole = { n, variance };
  const parts = [...units.values()].map((own) => jackknifed(own, whole));
  const middle = mean(parts);
  const total = sum(parts.map((part) => (part - middle) ** 2));
  const squared = (values: Iterable<number>): number => sum(Array.from(values, (value) => value ** 2));
  const twice = squared(ofPairs.values()) / squared([...units.values()].map(({ part }) => part));
  // Without a correction, the parts would have the variance `total`.
  const scale = Math.sqrt(((units.size - 1) / units.size) * Math.max(0, 1 - twice));
  return {
    mean: centre,
    deviation: Math.sqrt((variance * n) / (n - 1)),
    error: Math.sqrt(total) * scale,
    influence: new Map([...units.keys()].map((unit, i) => [unit, (parts[i] - middle) * scale])),
  };
}

/** What a unit's pairs have: sums of centred scores and of their squares, and the linear part of the logarithm. */
interface Omitted {
  pairs: number;
  sum: number;
  squares: number;
  part: number;
}

/** How much a unit raises the logarithm of the standard deviation: with its pairs, compared with without them. */
function jackknifed(own: Omitted, { n, variance }: { n: number; variance: number }): number {
  const rest = n - own.pairs;
  const without = rest < 2 ? 0 : (variance * n - own.squares - own.sum ** 2 / rest) / (rest - 1);
  const all = (variance * n) / (n - 1);
  // If the other pairs have equal scores, the spread depends on this unit alone, and only the linear part is defined.
  return without > 1e-12 * all ? 0.5 * Math.log(all / without) : own.part;
}
