import type { Transform } from '../perturb/transform';

/**
 * How a score is corrected along the orbit {original, variants} of a family:
 * - `literal`: by how much the score moves along the orbit, measured from the pair at hand (the median absolute change);
 * - `signed`: by the family's median shift, for a pair that is one of its variants;
 * - `shrink`: by how far the score stands from the orbit's median.
 */
export const estimators = ['literal', 'signed', 'shrink'] as const;
export type Estimator = (typeof estimators)[number];

/** A family of changes that mean nothing, and what was found of it. New ones are added here, not in code. */
export interface CalibratedFamily {
  name: string;
  weight: number;
  /** The median shift of its variants. */
  shift: number;
  /** What makes its variants of a photo; absent where a photo alone does not tell (a word, an object that is moved). */
  transforms?: readonly Transform[];
  /** Any transform of this kind makes a variant of it. */
  op?: Transform['op'];
  /** Words that make a caption a variant of it. */
  words?: readonly string[];
}

/** One family as seen from the pair that is scored. */
export interface Standing {
  weight: number;
  shift: number;
  /** The pair is a variant of this family, and not the original. */
  variant: boolean;
  /** The score that stands in this family's orbit: the pair's own, or the original's where the pair is a variant of another. */
  score: number;
  /** The orbit's other scores; empty where they are not known. */
  others: readonly number[];
}

/** What is taken off the score, before λ. */
export function correctionOf(estimator: Estimator, partialMetrics: readonly Standing[]): number {
  let total = 0;
  for (const { weight, shift, variant, score, others } of partialMetrics) {
    if (estimator === 'signed') total += variant ? weight * shift : 0;
    else if (others.length === 0) continue;
    else if (estimator === 'literal')
      total += weight * middle(others.map((other) => Math.abs(other - score)));
    else total += weight * (score - middle([score, ...others]));
  }
  return total;
}

function middle(values: readonly number[]): number {
  const ascending = [...values].sort((a, b) => a - b);
  const half = ascending.length >> 1;
  return ascending.length % 2 === 1 ? ascending[half] : (ascending[half - 1] + ascending[half]) / 2;
}
