/** N-grams of tokenised captions. Each distinct n-gram has a number, so that its text is stored once. */
export const longestNgram = 4;

export interface NgramCounts {
  /** `counts[n - 1]` maps the number of each n-gram of length n to how often it occurs. */
  counts: Map<number, number>[];
  /** The number of words. */
  length: number;
}

export class Ngrams {
  /** By the number of an n-gram without its last word (0 for none), then by that word. */
  private readonly numbers = new Map<number, Map<string, number>>();
  private size = 0;

  count(words: readonly string[]): NgramCounts {
    const counts = Array.from({ length: longestNgram }, () => new Map<number, number>());
    for (let from = 0; from < words.length; from++) {
      let number = 0;
      const end = Math.min(from + longestNgram, words.length);
      for (let to = from; to < end; to++) {
        number = this.numberOf(number, words[to]);
        const of = counts[to - from];
        of.set(number, (of.get(number) ?? 0) + 1);
      }
    }
    return { counts, length: words.length };
  }

  private numberOf(before: number, word: string): number {
    let after = this.numbers.get(before);
    if (after === undefined) this.numbers.set(before, (after = new Map<string, number>()));
    let number = after.get(word);
    if (number === undefined) after.set(word, (number = ++this.size));
    return number;
  }
}
