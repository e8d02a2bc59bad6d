import type { DefinedSpread } from '../probe/spread';
import { mean } from '../stats/summary';

export interface Uncertain {
  /** The values with the same mean, whose clustered variance has the errors of the spreads. */
  values: Float64Array;
  /** The variance of the mean from images that have no value. */
  variance?: number;
}

/**
 * Adds the errors of two spreads to the differences of two metrics divided by these spreads. Each image gets what it
 * contributes to the difference through both spreads (delta method), so errors that the evaluators share cancel out.
 */
export function withSpreadErrors(
  values: Float64Array,
  images: readonly string[],
  [first, second]: readonly [number, number],
  [a, b]: readonly DefinedSpread[],
): Uncertain {
  const rows = new Map<string, number>();
  for (const image of images) rows.set(image, (rows.get(image) ?? 0) + 1);
  const parts = new Map<string, number>();
  let variance = 0;
  for (const image of new Set([...influenced(a), ...influenced(b)])) {
    const part = first * influenceOf(a, image) - second * influenceOf(b, image);
    if (rows.has(image)) parts.set(image, part);
    else variance += part ** 2;
  }
  const added = Float64Array.from(
    images,
    (image) => ((parts.get(image) ?? 0) * values.length) / rows.get(image)!,
  );
  const centre = added.length === 0 ? 0 : mean(added);
  return { values: values.map((value, i) => value + added[i] - centre), variance };
}

/** What an image contributes to the logarithm of a spread. */
export function influenceOf({ influence = {} }: DefinedSpread, image: string): number {
  return Object.hasOwn(influence, image) ? influence[image] : 0;
}

function influenced({ influence = {} }: DefinedSpread): string[] {
  return Object.keys(influence);
}
