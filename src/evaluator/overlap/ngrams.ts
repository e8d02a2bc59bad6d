/** N-grams of tokenised captions. Each distinct n-gram has a number, so that its text is stored once. */
export const longestNgram = 4;

/** The n-grams of one length in a caption, in the order of their first occurrence. */
export interface NgramList {
  ngrams: number[];
  /** How often each n-gram occurs. */
  counts: number[];
}

export class NgramCounts {
  private maps: ReadonlyMap<number, number>[] | undefined;

  constructor(
    /** `lists[n - 1]` has the n-grams of length n. */
    readonly lists: readonly NgramList[],
    /** The number of words. */
    readonly length: number,
  ) {}

  /** `counts[n - 1]` maps each n-gram of length n to how often it occurs. */
  get counts(): readonly ReadonlyMap<number, number>[] {
    this.maps ??= this.lists.map(
      ({ ngrams, counts }) => new Map(ngrams.map((ngram, i) => [ngram, counts[i]])),
    );
    return this.maps;
  }
}

export class Ngrams {
  /** N-gram numbers by the number of the n-gram without its last word (0 for none), and by its last word. */
  private readonly numbers = new Map<number, Map<string, number>>();
  private size = 0;
  /** For each n-gram, the last caption that contains it, and its position in that caption's list. */
  private readonly seen: number[] = [];
  private readonly place: number[] = [];
  private captions = 0;

  count(words: readonly string[]): NgramCounts {
    const caption = ++this.captions;
    const lists = Array.from({ length: longestNgram }, (): NgramList => ({ ngrams: [], counts: [] }));
    for (let from = 0; from < words.length; from++) {
      let ngram = 0;
      const end = Math.min(from + longestNgram, words.length);
      for (let to = from; to < end; to++) {
        ngram = this.numberOf(ngram, words[to]);
        const { ngrams, counts } = lists[to - from];
        if (this.seen[ngram] === caption) counts[this.place[ngram]]++;
        else {
          this.seen[ngram] = caption;
          this.place[ngram] = ngrams.length;
          ngrams.push(ngram);
          counts.push(1);
        }
      }
    }
    return new NgramCounts(lists, words.length);
  }

  private numberOf(before: number, word: string): number {
    let after = this.numbers.get(before);
    if (after === undefined) this.numbers.set(before, (after = new Map<string, number>()));
    let number = after.get(word);
    if (number === undefined) after.set(word, (number = ++this.size));
    return number;
  }
}
