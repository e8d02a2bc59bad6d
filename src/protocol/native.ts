import type { Seams } from '../perturb/picture/seams';
import type { Outcome } from '../base/outcome';
import type { ImageItem } from './item';
import type { ImageSpec } from './imageSpec';
import type { RankingJobs } from './ranking';

/** A graph on disk and how to run it. The child loads it on the first job that names it. */
export interface GraphRef {
  path: string;
  threads: number;
  provider: string;
}

/** An input that is the same in each run: what a graph with two towers wants for the tower that is not asked. */
export interface ConstantFeed {
  name: string;
  type: 'int64' | 'int32' | 'float32' | 'float16';
  dims: readonly number[];
  fill: number;
}

/** How the last axis but one of a graph's output becomes one row. `none`: the output is one row per item already. */
export type PoolingMode = 'none' | 'mean' | 'cls' | 'last' | 'max' | 'mean-sqrt-length' | 'weighted-mean';

export interface OutputSpec {
  name: string;
  pooling: PoolingMode;
  /** Tokens at the start that pooling leaves out (an instruction). */
  skip: number;
  normalise: boolean;
}

export interface TextJob {
  graph: GraphRef;
  rows: number;
  /** Tokens of each row, padding included. */
  length: number;
  /** rows × length. */
  ids: Int32Array;
  /** rows × length; absent where nothing is padded. */
  mask: Uint8Array | undefined;
  inputs: { ids: Port; mask?: Port; types?: Port; positions?: Port };
  constants: readonly ConstantFeed[];
  output: OutputSpec;
  /** The graph takes this many rows, no more and no fewer. */
  fixedRows: number | undefined;
}

/** Texts to be made tokens by the tokenizer of a model's folder. */
export interface TokenJob {
  folder: string;
  rules: TokenRules;
  texts: readonly string[];
}

export interface TokenRules {
  /** Longest input, special tokens included. */
  max: number;
  /** Every text is padded to this length. */
  fixed: number | undefined;
  /** The padding is part of the text to the model: it is not masked. */
  attendPadding: boolean;
  /** Padding that is attended to stands before the text. */
  padLeft?: true;
  /** Put before every text. */
  prompt: string;
}

export interface TokenRow {
  ids: Int32Array;
  /** Tokens that are not padding. */
  real: number;
  cut: boolean;
}

/** One row for each text. */
export interface TokenRows {
  /** Of all rows, one after the other. */
  ids: Int32Array;
  lengths: Int32Array;
  real: Int32Array;
  cut: Uint8Array;
  /** How many tokens the prompt takes at the start of a row, special tokens included. */
  promptTokens: number;
}

export interface Port {
  name: string;
  type: 'int64' | 'int32' | 'float32' | 'bool';
}

export interface ImageJob {
  graph: GraphRef;
  images: readonly ImageItem[];
  spec: ImageSpec;
  input: string;
  /** float32 where absent. */
  inputType?: 'float16';
  /** Inputs beside the pixels of a graph that takes patches: which of them count, and how many there are each way. */
  patchInputs?: { mask?: Port; shapes: Port };
  constants: readonly ConstantFeed[];
  output: OutputSpec;
  fixedRows: number | undefined;
  /** Embeddings are made so many pictures at a time. */
  perRun: number;
}

/** How a picture's regions, which a detector found elsewhere, are given to a graph. */
export interface RegionSpec {
  /** NAME.npy and NAME.boxes.npy lie here for each picture. */
  folder: string;
  features: { input: string; columns: number };
  boxes?: { input: string; columns: number };
  mask?: Port;
}

export interface PairJob {
  graph: GraphRef;
  images: readonly ImageItem[];
  /** For each pair: which of the images, and its text's tokens. */
  pictures: readonly number[];
  texts: readonly TokenRow[];
  inputs: TextJob['inputs'];
  /** What attention_mask covers: the tokens, or the regions after them, too. */
  maskCovers: 'text' | 'all';
  pixels?: { input: string; inputType?: 'float16'; spec: ImageSpec; mask?: Port };
  regions?: RegionSpec;
  output: { name: string; columns: number; column: number; read: 'softmax' | 'sigmoid' | 'logit' };
  fixedRows: number | undefined;
  perRun: number;
}

/** Pictures to be sent away as files, no side longer than `side`. */
export interface SendableJob {
  images: readonly ImageItem[];
  side: number;
  format: 'png' | 'jpeg';
}

/** Pictures to be made ready, and no graph to be run. */
export interface PixelJob {
  images: readonly ImageItem[];
  spec: ImageSpec;
}

export interface Encoded {
  dimension: number;
  /** One row each; a row with a problem holds zeros. */
  values: Float32Array;
  problems: readonly (string | undefined)[];
}

/** What can be asked of the child, and what it answers. A new kind of evaluator adds a line here and one to `nativeRequests`. */
export interface Jobs extends RankingJobs {
  tokens: { ask: TokenJob; answer: TokenRows };
  texts: { ask: TextJob; answer: Encoded };
  images: { ask: ImageJob; answer: Encoded };
  /** Pictures as a graph elsewhere wants them, one row each. */
  pixels: { ask: PixelJob; answer: Encoded };
  seams: { ask: { images: readonly ImageItem[] }; answer: Outcome<Seams>[] };
  pairs: { ask: PairJob; answer: Outcome<number>[] };
  sendable: { ask: SendableJob; answer: Outcome<Uint8Array>[] };
}
export type JobName = keyof Jobs;
