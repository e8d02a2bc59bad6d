import type { Outcome } from '../base/outcome';
import type { Evaluator } from '../evaluator/evaluator';
import type { ImageItem, TextItem, Want } from '../protocol/item';

/**
 * Counts items that were not in memory when they were requested. A run that is larger than the memory for recent
 * results may count an item again.
 */
export interface Progress {
  asked: number;
  done: number;
  /** How many of the requested items were found in the store. */
  fromStore: number;
  /** Items per second over the last few seconds; absent before the first encoding. */
  rate?: number;
}

export interface BenchOptions {
  /** Folder of the embedding store; without it nothing outlives the run. */
  store?: string;
  /** Folders of finished stores to read, too, such as those of shards. */
  stores?: readonly string[];
  batchSize?: number;
  onProgress?: (progress: Progress) => void;
  /** Receives problems that affect no metric, such as a store that cannot be written. */
  onWarning?: (message: string) => void;
}

/** The queue for all scoring. Probes ask it for scores and embeddings, and never see sessions or batches. */
export interface Bench {
  /** One score per want, in order. */
  scores(evaluator: Evaluator, wants: readonly Want[], signal?: AbortSignal): Promise<Outcome<number>[]>;
  /** One embedding per item, in order, as the evaluator returned it. */
  embeddings(
    evaluator: Evaluator,
    items: readonly (TextItem | ImageItem)[],
    signal?: AbortSignal,
  ): Promise<Outcome<Float32Array>[]>;
  cutTexts(evaluator: Evaluator): number;
  /** Keys of the texts truncated since the last call. A resumed run restores them. */
  takeNewCuts(evaluator: Evaluator): string;
  recallCuts(evaluator: Evaluator, taken: string): void;
  /** Writes pending results to disk. */
  close(): Promise<void>;
}
