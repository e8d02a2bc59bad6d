/** N-grams of tokenised captions. Each distinct n-gram has a number, so that its text is stored once. */
export const longestNgram = 4;

export interface NgramCounts {
  /** `counts[n - 1]` maps the number of each n-gram of length n to how often it occurs. */
  counts: Map<number, number>[];
  /** The number of words. */
  length: number;
}

export class Ngrams {
  private readonly numbers = new Map<string, number>();

  count(words: readonly string[]): NgramCounts {
    const counts = Array.from({ length: longestNgram }, () => new Map<number, number>());
    for (let from = 0; from < words.length; from++) {
      let text = '';
      const end = Math.min(from + longestNgram, words.length);
      for (let to = from; to < end; to++) {
        text = to === from ? words[to] : `${text} ${words[to]}`;
        const number = this.numberOf(text);
        const of = counts[to - from];
        of.set(number, (of.get(number) ?? 0) + 1);
      }
    }
    return { counts, length: words.length };
  }

  private numberOf(text: string): number {
    const known = this.numbers.get(text);
    if (known !== undefined) return known;
    const number = this.numbers.size;
    this.numbers.set(text, number);
    return number;
  }
}
