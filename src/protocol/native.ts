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
  /** The path prefix for the profile of the first run. */
  profile?: string;
}

/** A constant input. A graph with two towers needs one for the tower that is not used. */
export interface ConstantFeed {
  name: string;
  type: 'int64' | 'int32' | 'float32' | 'float16';
  dims: readonly number[];
  fill: number;
}

/** How the output's second-to-last axis is pooled into one row; `none` if each item already has one row. */
export type PoolingMode = 'none' | 'mean' | 'cls' | 'last' | 'max' | 'mean-sqrt-length' | 'weighted-mean';

export interface OutputSpec {
  name: string;
  pooling: PoolingMode;
  /** How many tokens at the start are an instruction. Pooling ignores them. */
  skip: number;
  normalise: boolean;
}

export interface TextJob {
  graph: GraphRef;
  rows: number;
  /** The number of tokens in a row, including padding. */
  length: number;
  /** Has rows × length elements. */
  ids: Int32Array;
  /** Has rows × length elements. Absent if there is no padding. */
  mask: Uint8Array | undefined;
  inputs: { ids: Port; mask?: Port; types?: Port; positions?: Port };
  constants: readonly ConstantFeed[];
  output: OutputSpec;
  /** How many rows the graph takes, if their number is fixed. */
  fixedRows: number | undefined;
}

/** Texts for the tokenizer in a model's folder. */
export interface TokenJob {
  folder: string;
  rules: TokenRules;
  texts: readonly string[];
}

export interface TokenRules {
  /** The maximum number of tokens, including special ones. */
  max: number;
  /** The length to which every text is padded, if it is fixed. */
  fixed: number | undefined;
  /** Whether the model attends to padding, so that padding is not masked. */
  attendPadding: boolean;
  /** Whether padding that the model attends to precedes the text. */
  padLeft?: true;
  /** The text that precedes every text. */
  prompt: string;
}

export interface TokenRow {
  ids: Int32Array;
  /** The number of tokens that are not padding. */
  real: number;
  cut: boolean;
}

/** One row per text. */
export interface TokenRows {
  /** The token ids of all rows, concatenated. */
  ids: Int32Array;
  lengths: Int32Array;
  real: Int32Array;
  cut: Uint8Array;
  /** How many tokens the prompt has at the start of a row, including special ones. */
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
  /** float32 by default. */
  inputType?: 'float16';
  /** Further inputs of a graph that takes patches: a mask, and how many patches each side has. */
  patchInputs?: { mask?: Port; shapes: Port };
  constants: readonly ConstantFeed[];
  output: OutputSpec;
  fixedRows: number | undefined;
  /** How many images a run of the graph embeds. */
  perRun: number;
}

/** How a graph receives an image's regions, which an external detector found. */
export interface RegionSpec {
  /** The folder with NAME.npy and NAME.boxes.npy for each image. */
  folder: string;
  features: { input: string; columns: number };
  boxes?: { input: string; columns: number };
  mask?: Port;
}

export interface PairJob {
  graph: GraphRef;
  images: readonly ImageItem[];
  /** For each pair: the index of its image, and the tokens of its text. */
  pictures: readonly number[];
  texts: readonly TokenRow[];
  inputs: TextJob['inputs'];
  /** Whether attention_mask covers only the tokens, or also the regions after them. */
  maskCovers: 'text' | 'all';
  pixels?: { input: string; inputType?: 'float16'; spec: ImageSpec; mask?: Port };
  regions?: RegionSpec;
  output: { name: string; columns: number; column: number; read: 'softmax' | 'sigmoid' | 'logit' };
  fixedRows: number | undefined;
  perRun: number;
}

/** Images to encode as files for upload. No side may be longer than `side`. */
export interface SendableJob {
  images: readonly ImageItem[];
  side: number;
  format: 'png' | 'jpeg';
}

/**
 * Makes a JPEG thumbnail of one image. If `transforms` is given, even as an empty list, the image is decoded
 * as for an evaluator.
 */
export interface ThumbnailJob {
  source: ImageSource;
  side: number;
  transforms?: readonly Transform[];
}

/** Images to preprocess, without any graph. */
export interface PixelJob {
  images: readonly ImageItem[];
  spec: ImageSpec;
}

export interface Encoded {
  dimension: number;
  /** One row for each item. A row with a problem contains zeros. */
  values: Float32Array;
  problems: readonly (string | undefined)[];
}

/**
 * Requests to the child process, and their answers. A new kind of evaluator adds a line here and one to
 * `nativeRequests`.
 */
export interface Jobs extends RankingJobs {
  tokens: { ask: TokenJob; answer: TokenRows };
  texts: { ask: TextJob; answer: Encoded };
  images: { ask: ImageJob; answer: Encoded };
  /** Preprocessed images for a graph on a server, one row for each. */
  pixels: { ask: PixelJob; answer: Encoded };
  seams: { ask: { images: readonly ImageItem[] }; answer: Outcome<Seams>[] };
  pairs: { ask: PairJob; answer: Outcome<number>[] };
  /** Decoded and transformed pixels, for an evaluator that does its own preprocessing. */
  decoded: { ask: { images: readonly ImageItem[] }; answer: Outcome<Pixels>[] };
  sendable: { ask: SendableJob; answer: Outcome<Uint8Array>[] };
  thumbnail: { ask: ThumbnailJob; answer: Uint8Array };
}
export type JobName = keyof Jobs;
