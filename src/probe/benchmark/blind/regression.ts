/* Logistic regression of right against wrong captions, on counts of words. */
import { Column } from '../../../base/column';
import type { Steps } from '../../../base/turns/steps';
import { logisticRidge, type SparseRows } from '../../../stats/regression/logistic';
import { type Corpus, foldCount } from './corpus';
import type { ScoreOf } from './counted';

interface Differences {
  rows: SparseRows;
  /** The item of each row. */
  items: Uint32Array;
  /** The column of each feature, plus 1; 0 if the feature has none. */
  columnOf: Uint32Array;
}

/**
 * Scores a text by its words and, if `withPairs`, by its pairs of adjacent words. The model of a fold is fitted on the
 * items of the other folds.
 */
export function* regression(corpus: Corpus, withPairs: boolean): Steps<ScoreOf> {
  const { rows, items, columnOf } = differencesIn(corpus, withPairs);
  yield;
  const models: Float64Array[] = [];
  for (let fold = 0; fold < foldCount; fold++) {
    const weights = Float64Array.from(items, (item) =>
      corpus.folds[item] === fold ? 0 : 1 / (corpus.options.at(item).length - 1),
    );
    models.push(yield* logisticRidge(rows, { weights, penalty: 1 }));
  }
  return (text, fold) => {
    let score = 0;
    const add = (features: Uint32Array, offset: number): void => {
      for (const feature of features) {
        const column = columnOf[offset + feature];
        if (column > 0) score += models[fold][column - 1];
      }
    };
    add(corpus.words.at(text), 0);
    if (withPairs) add(corpus.pairs.at(text), corpus.wordCount);
    return score;
  };
}

/**
 * Each right caption's counts minus those of each wrong caption of its item. A feature that differs in the items of only
 * one image has no column, because the models that score this image cannot know it.
 */
function differencesIn(corpus: Corpus, withPairs: boolean): Differences {
  const [starts, features, items] = [0, 1, 2].map(() => new Column(Uint32Array));
  const values = new Column(Float64Array);
  const images = new Uint32Array(corpus.wordCount + (withPairs ? corpus.pairCount : 0));
  const columnOf = new Uint32Array(images.length);
  let width = 0;
  starts.push(0);
  for (const [item, { right }] of corpus.items.entries()) {
    const options = corpus.options.at(item);
    const image = corpus.images[item] + 1;
    const found = (feature: number, value: number): void => {
      features.push(feature);
      values.push(value);
      if (images[feature] === 0) images[feature] = image;
      else if (images[feature] !== image && columnOf[feature] === 0) columnOf[feature] = ++width;
    };
    for (const [c, other] of options.entries()) {
      if (c === right) continue;
      differ(corpus.words.at(options[right]), corpus.words.at(other), found);
      if (withPairs)
        differ(corpus.pairs.at(options[right]), corpus.pairs.at(other), (pair, value) =>
          found(corpus.wordCount + pair, value),
        );
      starts.push(features.length);
      items.push(item);
    }
  }
  return { rows: known({ starts, features, values }, columnOf, width), items: items.filled, columnOf };
}

/** Calls `found` for each number that two ascending lists do not have equally often. */
function differ(a: Uint32Array, b: Uint32Array, found: (number: number, difference: number) => void): void {
  for (let [i, j] = [0, 0]; i < a.length || j < b.length;) {
    const number = Math.min(i < a.length ? a[i] : Infinity, j < b.length ? b[j] : Infinity);
    let difference = 0;
    for (; i < a.length && a[i] === number; i++) difference++;
    for (; j < b.length && b[j] === number; j++) difference--;
    if (difference !== 0) found(number, difference);
  }
}

/** The entries of features with a column. */
function known(
  {
    starts,
    features,
    values,
  }: { starts: Column<Uint32Array>; features: Column<Uint32Array>; values: Column<Float64Array> },
  columnOf: Uint32Array,
  width: number,
): SparseRows {
  const rows = {
    starts: new Uint32Array(starts.length),
    columns: new Column(Uint32Array),
    values: new Column(Float64Array),
  };
  for (let row = 1; row < starts.length; row++) {
    for (let e = starts.data[row - 1]; e < starts.data[row]; e++) {
      const column = columnOf[features.data[e]];
      if (column === 0) continue;
      rows.columns.push(column - 1);
      rows.values.push(values.data[e]);
    }
    rows.starts[row] = rows.columns.length;
  }
  return { starts: rows.starts, columns: rows.columns.filled, values: rows.values.filled, width };
}
