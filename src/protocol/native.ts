import type { Pixels } from '../perturb/picture/pixels';
import type { Seams } from '../perturb/picture/seams';
import type { Outcome } from '../base/outcome';
import type { Transform } from '../perturb/transform';
import type { ImageItem, ImageSource } from './item';
import type { ImageSpec } from './imageSpec';
import type { RankingJobs } from './ranking';

/** A graph file and its settings. The child process loads the graph for the first job that needs it. */
export interface GraphRef {
  path: string;
  threads: number;
  provider: string;
  /** The path prefix for the profile of the first run. */
  profile?: string;
}

/** A constant input. A graph with two towers needs one for the unused tower. */
export interface ConstantFeed {
  name: string;
  type: 'int64' | 'int32' | 'float32' | 'float16';
  dims: readonly number[];
  fill: number;
}

/** How the output's second-to-last axis becomes one row per item; `none` if each item already has one row. */
export type PoolingMode = 'none' | 'mean' | 'cls' | 'last' | 'max' | 'mean-sqrt-length' | 'weighted-mean';

export interface OutputSpec {
  name: string;
  pooling: PoolingMode;
  /** The number of instruction tokens at the start. Pooling ignores them, except for `cls`. */
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
  /** Has rows × length elements. Absent without padding. */
  mask: Uint8Array | undefined;
  inputs: { ids: Port; mask?: Port; types?: Port; positions?: Port };
  constants: readonly ConstantFeed[];
  output: OutputSpec;
  /** The number of rows, if the graph fixes it. */
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
  /** The fixed length of padded texts, if any. */
  fixed: number | undefined;
  /** Whether the model attends to padding, which is then unmasked. */
  attendPadding: boolean;
  /** Whether attended padding precedes the text. */
  padLeft?: true;
  /** The text that Captious adds in front of every text. */
  prompt: string;
}

export interface TokenRow {
  ids: Int32Array;
  /** The number of tokens that the model attends to. */
  real: number;
  cut: boolean;
}

export interface TokenRows {
  /** The token ids of all rows, concatenated. */
  ids: Int32Array;
  lengths: Int32Array;
  real: Int32Array;
  cut: Uint8Array;
  /** The number of prompt tokens at the start of a row, including special tokens. */
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
  /** More inputs for patches: a mask, and how many rows and columns of patches an image has. */
  patchInputs?: { mask?: Port; shapes: Port };
  constants: readonly ConstantFeed[];
  output: OutputSpec;
  fixedRows: number | undefined;
  /** The largest number of images in one run of the graph, unless the graph fixes the number. */
  perRun: number;
}

/** How a graph receives the image regions from an external detector. */
export interface RegionSpec {
  /** For each image, the paths of its features and boxes, or why they are unknown. */
  files: readonly ({ features: string; boxes: string } | { problem: string })[];
  features: { input: string; columns: number };
  boxes?: { input: string; columns: number };
  mask?: Port;
}

export interface PairJob {
  graph: GraphRef;
  images: readonly ImageItem[];
  /** For each pair, the index of its image. */
  pictures: readonly number[];
  /** For each pair, the tokens of its text. */
  texts: readonly TokenRow[];
  inputs: TextJob['inputs'];
  /** Whether attention_mask covers only tokens, or also the regions after the tokens. */
  maskCovers: 'text' | 'all';
  pixels?: { input: string; inputType?: 'float16'; spec: ImageSpec; mask?: Port };
  regions?: RegionSpec;
  output: { name: string; columns: number; column: number; read: 'softmax' | 'sigmoid' | 'logit' };
  fixedRows: number | undefined;
  perRun: number;
}

/** Images to encode as files for upload. No side is longer than `side`. */
export interface SendableJob {
  images: readonly ImageItem[];
  side: number;
  format: 'png' | 'jpeg';
}

/** Makes a JPEG thumbnail. With `transforms`, even an empty list, the image is decoded as for an evaluator. */
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
  /** One row per item. The row of a failed item contains zeros. */
  values: Float32Array;
  problems: readonly (string | undefined)[];
}

/**
 * Requests to the child process and their answers. A new request needs an entry here and one in
 * `nativeRequests`.
 */
export interface Jobs extends RankingJobs {
  /** Loads a graph for later text jobs. */
  open: { ask: { graph: GraphRef }; answer: null };
  tokens: { ask: TokenJob; answer: TokenRows };
  texts: { ask: TextJob; answer: Encoded };
  images: { ask: ImageJob; answer: Encoded };
  /** Preprocessed images for a graph on a server, one row per image. */
  pixels: { ask: PixelJob; answer: Encoded };
  seams: { ask: { images: readonly ImageItem[] }; answer: Outcome<Seams>[] };
  pairs: { ask: PairJob; answer: Outcome<number>[] };
  /** Decoded and transformed pixels, for evaluators with their own preprocessing. */
  decoded: { ask: { images: readonly ImageItem[] }; answer: Outcome<Pixels>[] };
  sendable: { ask: SendableJob; answer: Outcome<Uint8Array>[] };
  thumbnail: { ask: ThumbnailJob; answer: Uint8Array };
}
export type JobName = keyof Jobs;
