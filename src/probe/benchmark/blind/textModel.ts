/* A language model of a text outside the benchmark. Its memory depends on the benchmark's words, and not on the text. */
import { type Item, wordsOf } from '../items';
import type { ScoreOfText } from './outside';
import { valueIn } from '../../../base/lists';

/** The numbers of the border of a sentence and of all words that have no number. */
const border = 0;
const unknown = 1;
/** Words of the benchmark beyond the most frequent ones count as unknown. */
const mostWords = 2 ** 15;

export class TextModel {
  /** The number of sentences. Captions of the benchmark are none, so that the model cannot recall them. */
  sentences = 0;
  private readonly captions = new Set<string>();
  private readonly vocabulary = new Map<string, number>();
  /** How often each pair of words of the benchmark is in the text. */
  private readonly pairs = new Map<number, number>();
  private readonly before: Float64Array;
  private readonly after: Float64Array;
  /** For each word, a bit for each word that follows it in the text. */
  private readonly followers = new Map<number, Uint32Array>();
  private readonly kinds: Uint32Array;
  private all = 0;

  constructor(items: readonly Item[]) {
    const counts = new Map<string, number>();
    for (const item of items)
      for (const caption of item.captions) this.captions.add(wordsOf(caption).join(' '));
    for (const caption of this.captions)
      for (const word of wordsOf(caption)) counts.set(word, (counts.get(word) ?? 0) + 1);
    const words = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).slice(0, mostWords);
    for (const [i, [word]] of words.entries()) this.vocabulary.set(word, unknown + 1 + i);
    [this.before, this.after] = [0, 1].map(() => new Float64Array(this.size));
    this.kinds = new Uint32Array(this.size);
    for (const caption of this.captions) for (const pair of this.pairsOf(caption)) this.pairs.set(pair, 0);
  }

  /** Counts the pairs of words of a sentence. */
  add(sentence: string): void {
    const pairs = this.pairsOf(sentence);
    // A sentence without words is no sentence.
    if (pairs.length < 2 || this.captions.has(wordsOf(sentence).join(' '))) return;
    this.sentences++;
    for (const pair of pairs) {
      const [first, second] = [Math.floor(pair / this.size), pair % this.size];
      this.before[first]++;
      this.after[second]++;
      this.all++;
      const count = this.pairs.get(pair);
      if (count !== undefined) this.pairs.set(pair, count + 1);
      const own = valueIn(this.followers, first, () => new Uint32Array((this.size >>> 5) + 1));
      const bit = 1 << (second & 31);
      if ((own[second >>> 5] & bit) !== 0) continue;
      own[second >>> 5] |= bit;
      this.kinds[first]++;
    }
  }

  /** The mean logarithm of a word's probability after the word before it, as for the benchmark's own language model. */
  scoreOf(): ScoreOfText {
    return (text) => {
      const pairs = this.pairsOf(text).sort((a, b) => a - b);
      const logs = pairs.map((pair) => {
        const [first, second] = [Math.floor(pair / this.size), pair % this.size];
        const word = (this.after[second] + 1) / (this.all + this.size + 1);
        const [h, k] = [this.before[first], this.kinds[first]];
        return Math.log(h === 0 ? word : ((this.pairs.get(pair) ?? 0) + k * word) / (h + k));
      });
      return logs.reduce((sum, log) => sum + log, 0) / logs.length;
    };
  }

  /** The number of known words, with the border and the unknown one. */
  private get size(): number {
    return this.vocabulary.size + 2;
  }

  /** The pairs of adjacent words, with the borders of the sentence. */
  private pairsOf(sentence: string): number[] {
    const words = wordsOf(sentence).map((word) => this.vocabulary.get(word) ?? unknown);
    return [...words, border].map((word, i) => (i === 0 ? border : words[i - 1]) * this.size + word);
  }
}
