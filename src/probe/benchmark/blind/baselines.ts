/* Accuracies of models that see captions, but no image. Each chooses the caption with the highest score. */
import type { Steps } from '../../../base/turns/steps';
import type { Column } from '../columns';
import type { Known } from '../known';
import { creditOf } from '../items';
import type { Corpus } from './corpus';
import { frequency, languageModel, type ScoreOf } from './counted';
import type { ScoreOfText } from './outside';
import { regression } from './regression';

export const baselines = [
  'shorter',
  'longer',
  'first',
  'frequency',
  'typeToken',
  'unigram',
  'bigram',
  'lm',
  'lmText',
  'typicality',
] as const;

export type Baseline = (typeof baselines)[number];

export const blindMetric = (name: Baseline): string => `benchmark.blind.${name}`;

/** The credits of each baseline. Those that are fitted are fitted on the other folds. */
export function* blindColumns(
  corpus: Corpus,
  outside: Known['blind'] = {},
  told: Known['told'] = () => undefined,
): Steps<(readonly [name: Baseline, column: Column])[]> {
  const columns: (readonly [Baseline, Column])[] = [];
  for (const name of baselines) {
    told(columns.length, baselines.length);
    yield;
    columns.push([name, yield* columnOf(corpus, name, outside[name])]);
  }
  return columns;
}

function* columnOf(corpus: Corpus, name: Baseline, outside: ScoreOfText | undefined): Steps<Column> {
  const { items } = corpus;
  const score = yield* scoreOf(corpus, name, outside);
  const shares = Float64Array.from(items, ({ right, isList }, i) => {
    if (name === 'first') return !isList ? NaN : right === 0 ? 1 : 0;
    const scores = Array.from(corpus.options.at(i), (text) => score(text, corpus.folds[i]));
    return scores.some((one) => Number.isNaN(one)) ? NaN : creditOf(scores, right);
  });
  const chances = Float64Array.from(items, ({ captions }) => 1 / captions.length);
  return { id: blindMetric(name), shares, chances, ties: true };
}

function* scoreOf(corpus: Corpus, name: Baseline, outside: ScoreOfText | undefined): Steps<ScoreOf> {
  switch (name) {
    case 'first':
      return () => NaN;
    case 'lmText':
    case 'typicality':
      return (text, fold) => outside?.(corpus.texts[text], fold) ?? NaN;
    case 'shorter':
      return (text) => -lengthOf(corpus.texts[text]);
    case 'longer':
      return (text) => lengthOf(corpus.texts[text]);
    case 'typeToken':
      return (text) => varietyOf(corpus.words.at(text));
    case 'frequency':
      return frequency(corpus);
    case 'lm':
      return languageModel(corpus);
    case 'unigram':
      return yield* regression(corpus, false);
    case 'bigram':
      return yield* regression(corpus, true);
  }
}

/** Words as the published counts have them: split at spaces. */
export function lengthOf(text: string): number {
  return text.split(/\s+/).length;
}

/** The number of different words divided by the number of words. */
function varietyOf(words: Uint32Array): number {
  return words.length === 0 ? 1 : new Set(words).size / words.length;
}
