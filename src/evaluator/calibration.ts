import type { Transform } from '../perturb/transform';

/**
 * How to correct a score. An orbit is the original image and one family's variants. `literal` uses a quantile of the
 * absolute changes, `signed` the family's median shift, and `shrink` the distance to the orbit's median.
 */
export const estimators = ['literal', 'signed', 'shrink'] as const;
export type Estimator = (typeof estimators)[number];

/**
 * Whether an estimator corrects an image that was changed before Captious read it. The shift of `signed` is subtracted only
 * from images that Captious changed itself, because a plain file does not say how it was changed.
 */
export function correctsPlainFiles(estimator: Estimator): boolean {
  return estimator !== 'signed';
}

/** A family of changes that keep the meaning of an image or a caption, with its measured shift. */
export interface CalibratedFamily {
  name: string;
  weight: number;
  /** The median score change of the family's variants. */
  shift: number;
  /** One transform for each variant. Absent unless they can be made from the image alone. */
  transforms?: readonly Transform[];
  /** An image whose last transform has this operation is a variant of the family. */
  op?: Transform['op'];
  /** A caption that contains one of these words is a variant. */
  words?: readonly string[];
}

/** How a pair of an image and a caption relates to one family. */
export interface Standing {
  weight: number;
  shift: number;
  /** Whether the pair's image or caption is a variant of this family. */
  variant: boolean;
  /** The score to compare with `others`: of the pair if its image is of this family, else of the original. */
  score: number;
  /** The scores of the orbit's other images. Empty if they are unknown. */
  others: readonly number[];
}

/**
 * Returns the correction of a score. The caller multiplies the correction by λ and subtracts it from the
 * score. Only the estimator `literal` uses `quantile`, the quantile of the absolute changes.
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

/** Interpolates linearly between the two values nearest to the quantile. */
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
