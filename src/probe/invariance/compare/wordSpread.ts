import { fUpper } from '../../../stats/distributions';
import { sum } from '../../../stats/summary';
import type { Metric } from '../../metric';

/** How much words differ on the same images. */
interface WordSpread {
  words: number;
  /** The largest difference of two words. */
  largest: number;
  /** The variance of the words' effects and its degrees of freedom. */
  variance: number;
  degrees: number;
}

/** From each pair's difference. Words that no pair connects, such as adjectives and nouns, have a mean each. */
export function spreadOf(contrasts: readonly Metric[]): WordSpread {
  const parts = new Map<string, string>();
  const partOf = (word: string): string => {
    const up = parts.get(word) ?? word;
    return up === word ? word : partOf(up);
  };
  const sizes = contrasts.map(({ slice, value }) => {
    const [a, b] = [String(slice?.variant), String(slice?.against)];
    for (const word of [a, b]) parts.set(word, partOf(word));
    parts.set(partOf(a), partOf(b));
    return Math.abs(value ?? 0);
  });
  const words = [...parts.keys()];
  return {
    words: words.length,
    largest: sizes.reduce((a, b) => Math.max(a, b), 0),
    variance: sum(sizes.map((size) => size ** 2)) / 2 / Math.max(1, sizes.length),
    degrees: words.length - words.filter((word) => partOf(word) === word).length,
  };
}

/** Below .05, because F is sensitive to effects far from normal: exponential ones reject at .06 to .11 with .05. */
export const varyLevel = 0.02;

/**
 * The p value of words that vary more than neutral ones, if either are words that one could have taken (F test of two
 * variances). The images' noise is in both variances.
 */
export function pOfMore(own: WordSpread, neutral: WordSpread): number {
  return fUpper(own.variance / neutral.variance, own.degrees, neutral.degrees);
}
