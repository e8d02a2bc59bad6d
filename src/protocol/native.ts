import type { Words } from '../base/say';
import type { AnswerOf, AskOf } from '../base/calls';
import type { Failure, Outcome } from '../base/outcome';
import {
  bytes,
  choice,
  count,
  flag,
  holding,
  instance,
  list,
  nothing,
  nullable,
  object,
  optional,
  partly,
  type Shape,
  type Shaped,
  ShapeError,
  text,
  words,
} from '../base/shape';
import type { Transform } from '../perturb/transform';
import type { ImageSpec } from './imageSpec';
import type { ImageItem, ImageSource } from './item';
import { rankingRequests } from './ranking';

/*
 * Requests to the process that runs models. Messages are checked on arrival. A large message is not copied, and what
 * Captious itself made is checked only in outline.
 */

const each = <T>(shape: Shape<T>): Shape<readonly T[]> => list(shape);
const ints: Shape<Int32Array> = instance(Int32Array);
const octets: Shape<Uint8Array> = instance(Uint8Array);

/** NaN and infinity are accepted, because the caller checks a graph's output. */
const double: Shape<number> = (value, at) => {
  if (typeof value !== 'number') throw new ShapeError(at, 'a number');
  return value;
};

const failed = object({ problem: words, unreadable: optional(flag) });

function failure({ problem, unreadable }: ReturnType<typeof failed>): Failure {
  return { ok: false, problem, ...(unreadable === true ? { unreadable } : {}) };
}

function outcomes<T>(value: Shape<T>): Shape<Outcome<T>[]> {
  const good = object({ ok: flag });
  const whole = (one: unknown, at: string): Outcome<T> =>
    good(one, at).ok
      ? { ok: true, value: value((one as { value?: unknown }).value, `${at}.value`) }
      : failure(failed(one, at));
  return list(whole);
}

/** A graph file and its settings. The child process loads the graph for the first job that needs it. */
const graph = holding({
  path: text,
  threads: count,
  provider: text,
  /** The path prefix for the profile of the first run. */
  profile: optional(text),
});
export type GraphRef = Shaped<typeof graph>;

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

const port = holding({ name: text, type: choice('int64', 'int32', 'float32', 'bool') });
export type Port = Shaped<typeof port>;
const inputs = holding({
  ids: port,
  mask: optional(port),
  types: optional(port),
  positions: optional(port),
});
const constants = each(partly<ConstantFeed>());
const output = partly<OutputSpec>();
const fixedRows = optional(count);

const textJob = holding({
  graph,
  rows: count,
  /** The number of tokens in a row, including padding. */
  length: count,
  /** Has rows × length elements. */
  ids: ints,
  /** Has rows × length elements. Absent without padding. */
  mask: optional(octets),
  inputs,
  constants,
  output,
  /** The number of rows, if the graph fixes it. */
  fixedRows,
});
export type TextJob = Shaped<typeof textJob>;

const rules = holding({
  /** The maximum number of tokens, including special ones. */
  max: count,
  /** The fixed length of padded texts, if any. */
  fixed: optional(count),
  /** Whether the model attends to padding, which is then unmasked. */
  attendPadding: flag,
  /** Whether attended padding precedes the text. */
  padLeft: optional(flag),
  /** The text that Captious adds in front of every text. */
  prompt: text,
  /** The side that truncation removes, if it is not that of tokenizer_config.json. */
  cutSide: optional(choice('left', 'right')),
  /** Whether texts are lowercased, if not as in tokenizer.json. */
  lowercase: optional(flag),
  /** Whether the special tokens before and after a text are left out. */
  bare: optional(flag),
});
export type TokenRules = Shaped<typeof rules>;

const tokenRow = holding({
  ids: ints,
  /** The number of tokens that the model attends to. */
  real: count,
  cut: flag,
});
export type TokenRow = Shaped<typeof tokenRow>;

/** Texts for the tokenizer in a model's folder. */
const tokenJob = holding({ folder: text, rules, texts: each(text) });
export type TokenJob = Shaped<typeof tokenJob>;

const tokenRows = object({
  /** The token ids of all rows, concatenated. */
  ids: ints,
  lengths: ints,
  real: ints,
  cut: octets,
  /** The number of prompt tokens at the start of a row, including special tokens. */
  promptTokens: count,
});
export type TokenRows = Shaped<typeof tokenRows>;

const source = partly<ImageSource>({ name: text });
const images = each(partly<ImageItem>({ kind: choice('image'), source, transforms: list(partly()) }));
const inputType = optional(choice('float16'));

const imageJob = holding({
  graph,
  images,
  spec: partly<ImageSpec>(),
  input: text,
  /** float32 by default. */
  inputType,
  /** More inputs for patches: a mask, and how many rows and columns of patches an image has. */
  patchInputs: optional(holding({ mask: optional(port), shapes: port })),
  constants,
  output,
  fixedRows,
  /** The largest number of images in one run of the graph, unless the graph fixes the number. */
  perRun: count,
});
export type ImageJob = Shaped<typeof imageJob>;

/** How a graph receives the image regions from an external detector. */
export interface RegionSpec {
  /** For each image, the paths of its features and boxes, or why they are unknown. */
  files: readonly ({ features: string; boxes: string } | { problem: Words })[];
  features: { input: string; columns: number };
  boxes?: { input: string; columns: number };
  mask?: Port;
}

const pairJob = holding({
  graph,
  images,
  /** For each pair, the index of its image. */
  imageIndices: each(count),
  /** For each pair, the tokens of its text. */
  texts: each(tokenRow),
  inputs,
  /** Whether attention_mask covers only tokens, or also the regions after the tokens. */
  maskCovers: choice('text', 'all'),
  pixels: optional(partly<{ input: string; inputType?: 'float16'; spec: ImageSpec; mask?: Port }>()),
  regions: optional(partly<RegionSpec>()),
  output: partly<{ name: string; columns: number; column: number; read: 'softmax' | 'sigmoid' | 'logit' }>(),
  fixedRows,
  perRun: count,
});
export type PairJob = Shaped<typeof pairJob>;

/** Images to encode as files for upload. No side is longer than `side`. */
const sendableJob = holding({ images, side: count, format: choice('png', 'jpeg') });
export type SendableJob = Shaped<typeof sendableJob>;

/** Makes a JPEG thumbnail. With `transforms`, even an empty list, the image is decoded as for an evaluator. */
const thumbnailJob = holding({ source, side: count, transforms: optional(each(partly<Transform>())) });
export type ThumbnailJob = Shaped<typeof thumbnailJob>;

/** Images to preprocess, without any graph. */
const pixelJob = holding({ images, spec: partly<ImageSpec>() });
export type PixelJob = Shaped<typeof pixelJob>;

const encoded = object({
  dimension: count,
  /** One row per item. The row of a failed item contains zeros. */
  values: instance(Float32Array) as Shape<Float32Array>,
  problems: each(optional(words)),
  /** The rows whose image could not be read. Absent for texts. */
  unreadable: optional(each(count)),
});
export type Encoded = Shaped<typeof encoded>;

const measured = object({
  background: nullable(double),
  seam: nullable(double),
  surroundings: optional(nullable(double)),
  shade: optional(nullable(double)),
});

/** Hashes of what an image shows. */
const look = object({
  /** The hash of the decoded pixels. */
  pixels: text,
  /** 64 bits of the coarse pattern of light. Empty for a plain image. */
  pattern: octets,
});
export type Look = Shaped<typeof look>;

export const nativeRequests = {
  ...rankingRequests,
  /** Loads a graph for later text jobs. */
  open: { ask: holding({ graph }), answer: nothing },
  tokens: { ask: tokenJob, answer: tokenRows },
  texts: { ask: textJob, answer: encoded },
  images: { ask: imageJob, answer: encoded },
  /** Preprocessed images for a graph on a server, one row per image. */
  pixels: { ask: pixelJob, answer: encoded },
  seams: { ask: holding({ images }), answer: outcomes(measured) },
  pairs: { ask: pairJob, answer: outcomes(double) },
  /** Decoded and transformed pixels, for evaluators with their own preprocessing. */
  decoded: {
    ask: holding({ images }),
    answer: outcomes(object({ width: count, height: count, data: bytes })),
  },
  looks: { ask: holding({ images }), answer: outcomes(look) },
  sendable: { ask: sendableJob, answer: outcomes(bytes) },
  thumbnail: { ask: thumbnailJob, answer: bytes },
};
export type JobName = keyof typeof nativeRequests;
export type JobAsk<K extends JobName> = AskOf<typeof nativeRequests, K>;
export type JobAnswer<K extends JobName> = AnswerOf<typeof nativeRequests, K>;
