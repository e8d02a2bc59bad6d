import { valueIn } from '../../base/lists';

/** Counts the n-grams of tokenised captions. A number represents each distinct n-gram, to save memory. */
export const longestNgram = 4;

/** A caption's n-grams of one length, in order of first occurrence. */
export interface NgramList {
  ngrams: number[];
  /** `counts[i]` is the count of `ngrams[i]`. */
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

  /** `counts[n - 1]` maps each n-gram of length n to its count. */
  get counts(): readonly ReadonlyMap<number, number>[] {
    this.maps ??= this.lists.map(
      ({ ngrams, counts }) => new Map(ngrams.map((ngram, i) => [ngram, counts[i]])),
    );
    return this.maps;
  }
}

export class Ngrams {
  private readonly words = new Map<string, number>();
  private readonly numbers = new PairNumbers();
  /** For each n-gram, the number of the last caption that contains it, and its position in that caption's list. */
  private readonly seen: number[] = [];
  private readonly place: number[] = [];
  private captions = 0;

  count(words: readonly string[]): NgramCounts {
    const caption = ++this.captions;
    const lists = Array.from({ length: longestNgram }, (): NgramList => ({ ngrams: [], counts: [] }));
    const ids = words.map((word) => this.idOf(word));
    for (let from = 0; from < ids.length; from++) {
      let ngram = 0;
      const end = Math.min(from + longestNgram, ids.length);
      for (let to = from; to < end; to++) {
        ngram = this.numbers.of(ngram, ids[to]);
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

  private idOf(word: string): number {
    const id = valueIn(this.words, word, () => this.words.size);
    return id;
  }
}

/**
 * Assigns numbers to n-grams, from 1. A key has two parts: the n-gram without its last word (0 if it is empty),
 * and that word. One hash table with open addressing is faster than a map for each n-gram.
 */
class PairNumbers {
  private readonly ngrams: number[] = [0];
  private readonly words: number[] = [0];
  /** The numbers of n-grams. 0 marks an empty place. */
  private table = new Int32Array(1 << 14);

  of(ngram: number, word: number): number {
    if (2 * this.ngrams.length > this.table.length) this.grow();
    const at = this.placeOf(ngram, word);
    if (this.table[at] === 0) {
      this.table[at] = this.ngrams.length;
      this.ngrams.push(ngram);
      this.words.push(word);
    }
    return this.table[at];
  }

  private placeOf(ngram: number, word: number): number {
    const last = this.table.length - 1;
    let hash = Math.imul(ngram, 0x9e3779b1) ^ Math.imul(word, 0x85ebca77);
    hash ^= hash >>> 15;
    for (let at = hash & last; ; at = (at + 1) & last) {
      const number = this.table[at];
      if (number === 0 || (this.ngrams[number] === ngram && this.words[number] === word)) return at;
    }
  }

  private grow(): void {
    this.table = new Int32Array(2 * this.table.length);
    for (let number = 1; number < this.ngrams.length; number++)
      this.table[this.placeOf(this.ngrams[number], this.words[number])] = number;
  }
}
