import type { Fingerprints } from '../base/files/fingerprints';
import type { Outcome } from '../base/outcome';
import type { Evaluator } from '../evaluator/evaluator';
import type { ImageItem, TextItem, Want } from '../protocol/item';

/** Counts items that were not in memory when requested. A forgotten result is counted again. */
export interface Progress {
  asked: number;
  done: number;
  /** How many requested items were in the store. */
  fromStore: number;
  /** Items per second over the last few seconds. Undefined before the first batch. */
  rate?: number;
}

export interface BenchOptions {
  /** The embedding store's folder. Without a store, results are lost after the run. */
  store?: string;
  /** The folders of finished stores whose results are reused, such as the stores of shards. */
  stores?: readonly string[];
  batchSize?: number;
  /** Whether batches keep their size if the evaluator is slow, so that two runs have the same batches. */
  hasSteadyBatches?: boolean;
  /** Hashes image files. By default, hashes are cached in the store's folder. */
  digests?: Pick<Fingerprints, 'sha256'>;
  onProgress?: (progress: Progress) => void;
  /** Receives problems that affect no metric, such as a read-only store. */
  onWarning?: (message: string) => void;
}

/** The queue for all scoring. Probes request scores and embeddings, and never see sessions or batches. */
export interface Bench {
  /** The scores of `wants`, in the same order. */
  scores(evaluator: Evaluator, wants: readonly Want[], signal?: AbortSignal): Promise<Outcome<number>[]>;
  /** The embeddings of `items` in the same order, as the evaluator returned them. */
  embeddings(
    evaluator: Evaluator,
    items: readonly (TextItem | ImageItem)[],
    signal?: AbortSignal,
  ): Promise<Outcome<Float32Array>[]>;
  /** The number of distinct truncated texts among those asked for since `forgetCuts`. */
  cutTexts(evaluator: Evaluator): number;
  /** Begins to count anew, because each probe of a run has its own texts. */
  forgetCuts(evaluator: Evaluator): void;
  /** The keys of texts that were truncated since the last call. A resumed run restores them with `recallCuts`. */
  takeNewCuts(evaluator: Evaluator): string;
  recallCuts(evaluator: Evaluator, taken: string): void;
  /** Stops measuring, and writes the results to disk. */
  close(): Promise<void>;
}
