import { quantileOfSorted, sorted } from '../../stats/summary';
import type { FlipType } from '../../perturb/text/variant';

/** How strongly a flip of each type contradicts the image, whatever its distance from the caption. */
export const typePrior: Readonly<Record<FlipType, number>> = { color: 1 / 3, number: 2 / 3, object: 1 };

export const strengthBins = ['weak', 'medium', 'strong'] as const;

export interface Strengths {
  /** One value in [0, 1] for each flip. */
  values: Float64Array;
  /** The bin of each flip, as an index into `strengthBins`. */
  bins: Uint8Array;
}

/**
 * The strength of each flip: s = α · prior + (1 − α) · distance. Distances are scaled from their 5th to their
 * 95th percentile and clipped. Bins are terciles; a border value belongs to the weaker bin.
 */
export function strengths(
  priors: Float64Array,
  distances: Float64Array | undefined,
  alpha: number,
): Strengths {
  const values = distances === undefined ? priors.slice() : blended(priors, distances, alpha);
  const bins = new Uint8Array(values.length);
  if (values.length === 0) return { values, bins };
  const ascending = sorted(values);
  const low = quantileOfSorted(ascending, 1 / 3);
  const high = quantileOfSorted(ascending, 2 / 3);
  for (const [i, value] of values.entries()) bins[i] = value <= low ? 0 : value <= high ? 1 : 2;
  return { values, bins };
}

function blended(priors: Float64Array, distances: Float64Array, alpha: number): Float64Array {
  if (distances.length === 0) return new Float64Array(0);
  const ascending = sorted(distances);
  const low = quantileOfSorted(ascending, 0.05);
  const width = quantileOfSorted(ascending, 0.95) - low;
  return distances.map((distance, i) => {
    const scaled = width > 0 ? Math.min(1, Math.max(0, (distance - low) / width)) : 0;
    return alpha * priors[i] + (1 - alpha) * scaled;
  });
}
