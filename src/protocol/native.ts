import type { Pixels } from '../perturb/picture/pixels';
import type { Seams } from '../perturb/picture/seams';
import type { Outcome } from '../base/outcome';
import type { Transform } from '../perturb/transform';
import type { ImageItem, ImageSource } from './item';
import type { ImageSpec } from './imageSpec';
import type { RankingJobs } from './ranking';

/** A graph file and how to run it. The child process loads it for the first job that needs it. */
export interface GraphRef {
  path: string;
  threads: number;
  provider: string;
}

/** A constant input: a two-tower graph needs one for the tower that is not used. */
export interface ConstantFeed {
  name: string;
  type: 'int64' | 'int32' | 'float32' | 'float16';
  dims: readonly number[];
  fill: number;
}

/** How the second-to-last axis of the output becomes one row. `none`: the output already has one row per item. */
export type PoolingMode = 'none' | 'mean' | 'cls' | 'last' | 'max' | 'mean-sqrt-length' | 'weighted-mean';

export interface OutputSpec {
  name: string;
  pooling: PoolingMode;
  /** Tokens at the start that pooling ignores (an instruction). */
  skip: number;
  normalise: boolean;
}

export interface TextJob {
  graph: GraphRef;
  rows: number;
  /** Tokens per row, including padding. */
  length: number;
  /** rows × length. */
  ids: Int32Array;
  /** rows × length; absent without padding. */
  mask: Uint8Array | undefined;
  inputs: { ids: Port; mask?: Port; types?: Port; positions?: Port };
  constants: readonly ConstantFeed[];
  output: OutputSpec;
  /** The graph takes exactly this many rows. */
  fixedRows: number | undefined;
}

/** Texts for the tokenizer in a model's folder. */
export interface TokenJob {
  folder: string;
  rules: TokenRules;
  texts: readonly string[];
}

export interface TokenRules {
  /** Maximum length, including special tokens. */
  max: number;
  /** Pads every text to this length. */
  fixed: number | undefined;
  /** The model attends to padding, so it is not masked. */
  attendPadding: boolean;
  /** Attended padding precedes the text. */
  padLeft?: true;
  /** Prefix of every text. */
  prompt: string;
}

export interface TokenRow {
  ids: Int32Array;
  /** Tokens other than padding. */
  real: number;
  cut: boolean;
}

/** One row per text. */
export interface TokenRows {
  /** All rows, concatenated. */
  ids: Int32Array;
  lengths: Int32Array;
  real: Int32Array;
  cut: Uint8Array;
  /** Tokens of the prompt at the start of a row, including special tokens. */
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
  /** Default float32. */
  inputType?: 'float16';
  /** Further inputs of a graph that takes patches: a mask, and the patch counts per side. */
  patchInputs?: { mask?: Port; shapes: Port };
  constants: readonly ConstantFeed[];
  output: OutputSpec;
  fixedRows: number | undefined;
  /** Images per embedding run. */
  perRun: number;
}

/** How a graph receives an image's regions, which an external detector found. */
export interface RegionSpec {
  /** Contains NAME.npy and NAME.boxes.npy for each image. */
  folder: string;
  features: { input: string; columns: number };
  boxes?: { input: string; columns: number };
  mask?: Port;
}

export interface PairJob {
  graph: GraphRef;
  images: readonly ImageItem[];
  /** For each pair: the index of its image, and its text's tokens. */
  pictures: readonly number[];
  texts: readonly TokenRow[];
  inputs: TextJob['inputs'];
  /** What attention_mask covers: the tokens only, or the regions after them too. */
  maskCovers: 'text' | 'all';
  pixels?: { input: string; inputType?: 'float16'; spec: ImageSpec; mask?: Port };
  regions?: RegionSpec;
  output: { name: string; columns: number; column: number; read: 'softmax' | 'sigmoid' | 'logit' };
  fixedRows: number | undefined;
  perRun: number;
}

/** Images to encode as files for upload, with no side longer than `side`. */
export interface SendableJob {
  images: readonly ImageItem[];
  side: number;
  format: 'png' | 'jpeg';
}

/** A thumbnail of one image as JPEG. With `transforms`, even an empty list, it is decoded as for an evaluator. */
export interface ThumbnailJob {
  source: ImageSource;
  side: number;
  transforms?: readonly Transform[];
}

/** Images to preprocess without running a graph. */
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

/**
 * Requests to the child process and their answers. A new kind of evaluator adds a line here and one to
 * `nativeRequests`.
 */
export interface Jobs extends RankingJobs {
  tokens: { ask: TokenJob; answer: TokenRows };
  texts: { ask: TextJob; answer: Encoded };
  images: { ask: ImageJob; answer: Encoded };
  /** Preprocessed images for a graph on a server, one row each. */
  pixels: { ask: PixelJob; answer: Encoded };
  seams: { ask: { images: readonly ImageItem[] }; answer: Outcome<Seams>[] };
  pairs: { ask: PairJob; answer: Outcome<number>[] };
  /** Decoded and transformed pixels, for an evaluator with its own preprocessing. */
  decoded: { ask: { images: readonly ImageItem[] }; answer: Outcome<Pixels>[] };
  sendable: { ask: SendableJob; answer: Outcome<Uint8Array>[] };
  thumbnail: { ask: ThumbnailJob; answer: Uint8Array };
}
export type JobName = keyof Jobs;
