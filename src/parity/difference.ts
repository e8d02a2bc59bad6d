import { largest } from '../base/extent';
import { groupedBy } from '../base/lists';
import { spearman } from '../stats/correlation';
import { isDefined } from '../stats/outcome';
import { median } from '../stats/summary';
import type { ImageItem } from '../protocol/item';

export interface Pair {
  image: ImageItem;
  caption: string;
  /** The captions of the image that are references, as the dataset has them. */
  references?: readonly string[];
}

export interface Difference {
  largest: number;
  median: number;
  /** Spearman's ρ. Null if A gives every pair the same score. */
  rank: number | null;
  /** The pairs of captions of one image, and those that A and B order differently. */
  decisions: { n: number; changed: number };
}

/** The difference that the last bits of float32 can cause, relative to the largest score. */
export const float32 = 1e-5;

export function roundingOf(...scores: readonly (readonly number[])[]): number {
  const most = scores.flat().reduce((known, score) => Math.max(known, Math.abs(score)), 0);
  return (float32 * most) ** 2;
}

export function differenceOf(pairs: readonly Pair[], a: readonly number[], b: readonly number[]): Difference {
  const apart = a.map((score, i) => Math.abs(score - b[i]));
  const rank = spearman(a, b);
  const images = groupedBy([...pairs.keys()].map(String), (i) => pairs[Number(i)].image.source.name);
  const decisions = { n: 0, changed: 0 };
  for (const own of images.values())
    for (const [at, first] of own.entries())
      for (const second of own.slice(at + 1)) {
        const [i, j] = [Number(first), Number(second)];
        decisions.n++;
        if (Math.sign(a[i] - a[j]) !== Math.sign(b[i] - b[j])) decisions.changed++;
      }
  return {
    largest: largest(apart),
    median: median(apart),
    rank: isDefined(rank) ? rank.coefficient : null,
    decisions,
  };
}
