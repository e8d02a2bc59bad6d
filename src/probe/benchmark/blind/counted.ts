/* Baselines that count words in other folds: how frequent a caption's words are, and how likely their order. */
import { type Corpus, foldCount } from './corpus';

/** Scores a text by a model of the folds other than this one. */
export type ScoreOf = (text: number, fold: number) => number;

type ListsOf = Pick<Corpus['words'], 'at'>;

/** For each fold, how often each number is in the lists of the other folds' texts. */
function countsWithout(lists: ListsOf, texts: readonly (readonly number[])[], size: number): Uint32Array[] {
  const own = texts.map((fold) => {
    const counts = new Uint32Array(size);
    for (const text of fold) for (const number of lists.at(text)) counts[number]++;
    return counts;
  });
  const total = new Uint32Array(size);
  for (const counts of own) for (let i = 0; i < size; i++) total[i] += counts[i];
  return own.map((counts) => counts.map((count, i) => total[i] - count));
}

/** The mean logarithm of the frequency of a caption's words among all captions, right and wrong. */
export function frequency(corpus: Corpus): ScoreOf {
  const logs = countsWithout(corpus.words, corpus.textsOfFolds('all'), corpus.wordCount).map((counts) =>
    Float64Array.from(counts, (count) => Math.log(count + 1)),
  );
  return (text, fold) => meanOf(corpus.words.at(text), (word) => logs[fold][word]);
}

/**
 * The mean logarithm of a word's probability after the word before it, in a model of right captions. Pairs of words that
 * the model does not know have the probability of the second word (Witten and Bell's interpolation).
 */
export function languageModel(corpus: Corpus): ScoreOf {
  const texts = corpus.textsOfFolds('right');
  const pairs = countsWithout(corpus.pairs, texts, corpus.pairCount);
  const [first, second] = [corpus.first.data, corpus.second.data];
  const logs = Array.from({ length: foldCount }, (_, fold) => {
    const before = new Uint32Array(corpus.wordCount);
    const kinds = new Uint32Array(corpus.wordCount);
    const after = new Uint32Array(corpus.wordCount);
    let all = 0;
    for (const [pair, count] of pairs[fold].entries()) {
      if (count === 0) continue;
      before[first[pair]] += count;
      after[second[pair]] += count;
      kinds[first[pair]]++;
      all += count;
    }
    return Float64Array.from(pairs[fold], (count, pair) => {
      const word = (after[second[pair]] + 1) / (all + corpus.wordCount + 1);
      const [h, k] = [before[first[pair]], kinds[first[pair]]];
      return Math.log(h === 0 ? word : (count + k * word) / (h + k));
    });
  });
  return (text, fold) => meanOf(corpus.pairs.at(text), (pair) => logs[fold][pair]);
}

/** Rounded to 12 decimals, because means of the same numbers in another order are ties. */
function meanOf(list: Uint32Array, of: (number: number) => number): number {
  let total = 0;
  for (const number of list) total += of(number);
  return list.length === 0 ? 0 : Math.round((total / list.length) * 1e12) / 1e12;
}
