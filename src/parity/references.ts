import { cosine } from '../bench/similarity';
import { largest } from '../base/extent';
import { sum } from '../stats/summary';
import type { Pair } from './difference';

export type Rows = readonly Float32Array[];

/** Which captions of an image are the references of one of them, and how several count. */
export type ReferenceRule = 'none' | 'others' | 'all' | 'first' | 'mean';

export const referenceRules: Readonly<Record<ReferenceRule, string>> = {
  none: 'none',
  others: 'all other captions of the image',
  all: 'all captions of the image, also the scored one',
  first: 'the first other caption of the image',
  mean: 'all other captions of the image, by their mean cosine',
};

/** The references of each pair. */
export function referencesOf(pairs: readonly Pair[], rule: ReferenceRule): (readonly string[])[] {
  return pairs.map(({ caption, references = [] }) => {
    const others = references.filter((one) => one.trim() !== caption.trim());
    if (rule === 'all') return references;
    return rule === 'first' ? others.slice(0, 1) : others;
  });
}

/** How near each caption is to its references. NaN for a caption without any, whose score stays as it is. */
export function nearness(rule: ReferenceRule, captions: Rows, references: readonly Rows[]): Float64Array {
  return Float64Array.from(captions, (row, i) => {
    if (references[i].length === 0) return NaN;
    const cosines = references[i].map((one) => cosine(row, one));
    return rule === 'mean' ? sum(cosines) / cosines.length : largest(cosines);
  });
}

/** The harmonic mean of a score and the nearness to references, as RefCLIPScore has it. */
export function withNearness(score: number, near: number): number {
  if (Number.isNaN(near)) return score;
  const [a, b] = [Math.max(0, score), Math.max(0, near)];
  return a === 0 || b === 0 ? 0 : (2 * a * b) / (a + b);
}

/** The score whose harmonic mean with the nearness is `mean`. NaN if that is no single score. */
export function withoutNearness(mean: number, near: number): number {
  if (Number.isNaN(near)) return mean;
  return mean > 0 && 2 * near > mean ? (mean * near) / (2 * near - mean) : NaN;
}
