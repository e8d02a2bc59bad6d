import type { Transform } from '../perturb/transform';

/**
 * How to correct a score by its orbit (the original and its variants). `literal` uses the median absolute
 * change, `signed` the family's median shift (variants only), and `shrink` the distance to the orbit's
 * median.
 */
export const estimators = ['literal', 'signed', 'shrink'] as const;
export type Estimator = (typeof estimators)[number];

/** A family of meaning-preserving changes with its measured shift. A new family needs no new code. */
export interface CalibratedFamily {
  name: string;
  weight: number;
  /** The median score change of the family's variants. */
  shift: number;
  /**
   * The transforms of the family's variants. Absent if variants depend on more than the image, such as a word
   * or a moved object.
   */
  transforms?: readonly Transform[];
  /** A variant has any transform of this kind. */
  op?: Transform['op'];
  /** A caption that contains one of these words is a variant. */
  words?: readonly string[];
}

/** The pair's relation to a family. */
export interface Standing {
  weight: number;
  shift: number;
  /** Whether the pair is a variant of this family, and not the original. */
  variant: boolean;
  /**
   * The score to correct in this orbit: the pair's score, or the original's score for a variant of another
   * family.
   */
  score: number;
  /** The orbit's other scores; empty if unknown. */
  others: readonly number[];
}

/**
 * The correction of a score. The caller subtracts λ times the correction. `quantile` is for the literal
 * estimator.
 */
export function correctionOf(estimator: Estimator, standings: readonly Standing[], quantile = 0.5): number {
  let total = 0;
  for (const { weight, shift, variant, score, others } of standings) {
    if (estimator === 'signed') total += variant ? weight * shift : 0;
    else if (others.length === 0) continue;
    else if (estimator === 'literal')
      total +=
        weight *
        quantileOf(
          others.map((other) => Math.abs(other - score)),
          quantile,
        );
    else total += weight * (score - middle([score, ...others]));
  }
  return total;
}

/** Interpolates linearly between the two nearest values. */
function quantileOf(values: readonly number[], quantile: number): number {
  if (quantile === 0.5) return middle(values);
  const ascending = [...values].sort((a, b) => a - b);
  const at = quantile * (ascending.length - 1);
  const below = Math.floor(at);
  const above = Math.min(below + 1, ascending.length - 1);
  return ascending[below] + (at - below) * (ascending[above] - ascending[below]);
}

function middle(values: readonly number[]): number {
  const ascending = [...values].sort((a, b) => a - b);
  const half = ascending.length >> 1;
  return ascending.length % 2 === 1 ? ascending[half] : (ascending[half - 1] + ascending[half]) / 2;
}
