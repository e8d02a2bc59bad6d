import type { Outcome } from '../base/outcome';
import type { Evaluator } from '../evaluator/evaluator';
import type { ImageItem, TextItem, Want } from '../protocol/item';

export interface Progress {
  /** Distinct items this run has asked for so far, and how many of them are there. */
  asked: number;
  done: number;
  /** Of those done: found in the store. */
  fromStore: number;
  /** Items per second over the last few seconds; absent until something was encoded. */
  rate?: number;
}

export interface BenchOptions {
  /** Folder of the embedding store; absent: nothing is kept beyond the run. */
  store?: string;
  batchSize?: number;
  onProgress?: (progress: Progress) => void;
  /** Something that costs no figure but should be known, such as a store that cannot be written. */
  onWarning?: (message: string) => void;
}

/** The one place where work is queued. A probe asks it for numbers and never sees a session or a batch. */
export interface Bench {
  /** One score per want, in order. */
  scores(evaluator: Evaluator, wants: readonly Want[], signal?: AbortSignal): Promise<Outcome<number>[]>;
  /** One embedding per item, in order, as the evaluator's tower made it. */
  embeddings(
    evaluator: Evaluator,
    items: readonly (TextItem | ImageItem)[],
    signal?: AbortSignal,
  ): Promise<Outcome<Float32Array>[]>;
  /** Texts seen so far that the evaluator had to cut, by evaluator id. */
  cutTexts(evaluator: Evaluator): number;
  /** Keys of those that were not told before; and what a former run was told. */
  takeNewCuts(evaluator: Evaluator): string;
  recallCuts(evaluator: Evaluator, taken: string): void;
  /** Writes out what is not yet on disk. */
  close(): Promise<void>;
}
