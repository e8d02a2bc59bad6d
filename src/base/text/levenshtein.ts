/** The most characters of a text to compare, because the time grows with the product of the lengths. */
export const mostCompared = 4000;

/** The edit distance of two sequences. Each insertion, deletion or substitution costs 1. */
export function levenshtein<T>(a: readonly T[], b: readonly T[]): number {
  if (a.length < b.length) return levenshtein(b, a);
  let previous = Uint32Array.from({ length: b.length + 1 }, (_, j) => j);
  let current = new Uint32Array(b.length + 1);
  for (let i = 1; i <= a.length; i++) {
    current[0] = i;
    for (let j = 1; j <= b.length; j++) {
      const substituted = previous[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
      current[j] = Math.min(substituted, previous[j] + 1, current[j - 1] + 1);
    }
    [previous, current] = [current, previous];
  }
  return previous[b.length];
}

/** The edit distance in characters, counted as code points. */
export function characterDistance(a: string, b: string): number {
  return levenshtein(Array.from(a), Array.from(b));
}

/** The edit distance in words. Ignores case and the punctuation between words. */
export function wordDistance(a: string, b: string): number {
  return levenshtein(words(a), words(b));
}

function words(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu) ?? [];
}
