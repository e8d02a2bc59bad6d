import { Column } from '../../../base/column';
import { Random } from '../../../base/random';
import { type Item, wordsOf } from '../items';
import { valueIn } from '../../../base/lists';

export const foldCount = 5;

/** Lists of different lengths, one after another. */
export class Lists {
  private readonly all = new Column(Uint32Array);
  private readonly starts = new Column(Uint32Array);

  constructor() {
    this.starts.push(0);
  }

  add(list: readonly number[]): void {
    this.all.append(Uint32Array.from(list));
    this.starts.push(this.all.length);
  }

  at(i: number): Uint32Array {
    return this.all.data.subarray(this.starts.data[i], this.starts.data[i + 1]);
  }
}

/** The number of each distinct key, in the order of their first use. */
export class Numbering<K> {
  private readonly numbers = new Map<K, number>();

  of(key: K): number {
    const number = valueIn(this.numbers, key, () => this.numbers.size);
    return number;
  }

  get size(): number {
    return this.numbers.size;
  }

  keys(): K[] {
    return [...this.numbers.keys()];
  }
}

/** In ascending order, sums over the same numbers are equal to the bit, so that they tie. */
function ascending(numbers: readonly number[]): number[] {
  return numbers.toSorted((a, b) => a - b);
}

/** The fold of the items of an image. It depends only on the seed and the image's name. */
export function foldOf(seed: number, observation: string): number {
  return new Random(seed, observation, 'benchmark fold').below(foldCount);
}

/** The border of a caption, as a word. */
const border = '';
const mostWords = 2 ** 26;

/** The distinct captions of a benchmark as numbers, and the fold of each item. */
export class Corpus {
  readonly texts: string[] = [];
  /** The words of each text, in ascending order. */
  readonly words = new Lists();
  /** The pairs of adjacent words of each text, with its borders, in ascending order. */
  readonly pairs = new Lists();
  /** The first and the second word of each pair. */
  readonly first = new Column(Uint32Array);
  readonly second = new Column(Uint32Array);
  /** The text of each caption of each item. */
  readonly options = new Lists();
  /** All items of an image are in one fold, which depends only on the seed and the image's name. */
  readonly folds: Uint8Array;
  /** The number of each item's image, or of what else is one observation. */
  readonly images: Uint32Array;
  private readonly vocabulary = new Numbering<string>();
  private readonly pairNumbers = new Numbering<number>();

  constructor(
    readonly items: readonly Item[],
    seed: number,
  ) {
    this.vocabulary.of(border);
    const numbers = new Numbering<string>();
    for (const { captions } of items)
      this.options.add(
        captions.map((caption) => {
          const number = numbers.of(caption);
          if (number === this.texts.length) this.encode(caption);
          return number;
        }),
      );
    const images = new Numbering<string>();
    this.images = Uint32Array.from(items, ({ observation }) => images.of(observation));
    const folds = images.keys().map((name) => foldOf(seed, name));
    this.folds = Uint8Array.from(this.images, (image) => folds[image]);
  }

  /** The number of distinct words, with the border. */
  get wordCount(): number {
    return this.vocabulary.size;
  }

  get pairCount(): number {
    return this.pairNumbers.size;
  }

  private encode(caption: string): void {
    this.texts.push(caption);
    const words = wordsOf(caption).map((word) => this.vocabulary.of(word));
    this.words.add(ascending(words));
    const pairs = [...words, 0].map((word, i) => {
      const before = i === 0 ? 0 : words[i - 1];
      const number = this.pairNumbers.of(before * mostWords + word);
      if (number === this.first.length) {
        this.first.push(before);
        this.second.push(word);
      }
      return number;
    });
    this.pairs.add(ascending(pairs));
  }

  /** For each fold, its distinct texts: of right captions, or of all. */
  textsOfFolds(which: 'right' | 'all'): number[][] {
    const sets = Array.from({ length: foldCount }, () => new Set<number>());
    for (const [i, { right }] of this.items.entries())
      for (const [c, text] of this.options.at(i).entries())
        if (which === 'all' || c === right) sets[this.folds[i]].add(text);
    return sets.map((texts) => [...texts]);
  }
}
