import { largest } from '../../../base/extent';
import type { Metric } from '../../metric';

/** How far each pair of words is apart on the same images. */
interface Differences {
  words: readonly string[];
  of(a: string, b: string): number;
}

export function differencesOf(contrasts: readonly Metric[]): Differences {
  const known = new Map<string, number>();
  const words = new Set<string>();
  for (const { slice, value } of contrasts) {
    const pair = [String(slice?.variant), String(slice?.against)];
    for (const word of pair) words.add(word);
    known.set(pair.sort().join('\n'), Math.abs(value ?? 0));
  }
  return { words: [...words].sort(), of: (a, b) => known.get([a, b].sort().join('\n')) ?? 0 };
}

/** Above this number of sets, only those of neighbours in the alphabet count, because a user's list may be long. */
const mostSets = 5000;

/** The largest difference within `size` of the words, on average over all such sets. Fewer words are one set. */
export function largestAmong({ words, of }: Differences, size: number): number {
  const own = Math.min(size, words.length);
  let count = 1;
  for (let i = 0; i < own; i++) count *= (words.length - i) / (i + 1);
  const sets =
    count > mostSets
      ? words.map((_, at) => [...words, ...words].slice(at, at + own))
      : combinations(words, own);
  const sizes = sets.map((set) =>
    largest([0, ...set.flatMap((a, i) => set.slice(i + 1).map((b) => of(a, b)))]),
  );
  return sizes.reduce((sum, one) => sum + one, 0) / sizes.length;
}

function combinations(words: readonly string[], size: number): string[][] {
  if (size === 0) return [[]];
  return words.flatMap((word, at) =>
    combinations(words.slice(at + 1), size - 1).map((others) => [word, ...others]),
  );
}
