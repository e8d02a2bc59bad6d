import { failure } from '../base/failure';
import {
  anything,
  bytes,
  count,
  flag,
  list,
  nullable,
  object,
  optional,
  record,
  type Shape,
  type Shaped,
  text,
  words,
} from '../base/shape';

/* Requests to an evaluator in Python. python/captious/serve.py answers them. */

/** An optional value. Null counts as absent, because Python's None arrives as null. */
function absent<T>(shape: Shape<T>): Shape<T | undefined> {
  return (value, at) => (value === null || value === undefined ? undefined : shape(value, at));
}

/** If `path` is set, the evaluator opens the file itself. */
const sentImage = object({
  name: text,
  path: optional(text),
  width: optional(count),
  height: optional(count),
  data: optional(bytes),
});
export type SentImage = Shaped<typeof sentImage>;

/** SHA-256 of each of the user's own source files, by path. */
const sources = record(text);

const after = {
  problems: list(nullable(text)),
  dtype: absent(text),
  /** Per method, the batch size after a larger batch ran out of memory. */
  halved: record(count),
  /** Sources and compiled modules that ran since the last answer. A compiled module has no hash. */
  sources,
};

export const openAsk = object({
  folder: text,
  file: optional(text),
  object: optional(text),
  adapter: optional(text),
  /** The hash of the code that the user agreed to run. */
  sha256: optional(text),
  args: record(anything()),
  /** The hashes of the TorchScript archives that the user allowed. */
  scripts: list(text),
  memory: count,
  /** The exit code of a process that exceeds `memory` bytes. */
  memoryExit: count,
});
export type OpenAsk = Shaped<typeof openAsk>;

const described = object({
  can: object({ embed_images: flag, embed_texts: flag, score: flag, truncated: flag }),
  references: flag,
  images: text,
  /** The result of info(), checked by readInfo. */
  info: record(anything()),
  device: text,
  gpu: absent(text),
  dtype: absent(text),
  notes: list(text),
  python: text,
  versions: record(text),
  sources,
  /** Compiled modules in the user's folder, which source hashes do not cover. */
  native: list(text),
});
export type Described = Shaped<typeof described>;

/** A TorchScript archive, which an adapter loads only with the user's consent. */
const scriptShape = object({ path: text, sha256: text });
export type Script = Shaped<typeof scriptShape>;

/** The evaluator, or else the first archive that needs consent. */
const opened: Shape<Described | { script: Script }> = (value, at) =>
  typeof value === 'object' && value !== null && 'script' in value
    ? { script: scriptShape(value.script, `${at}.script`) }
    : described(value, at);

export const converted = object({
  length: optional<number | 'free'>((value) => (typeof value === 'number' ? value : 'free')),
  unfit: optional(words),
  remedy: optional(words),
  failure: optional(failure),
  script: optional(scriptShape),
});

const embedded = object({ dimension: count, values: bytes, ...after });
const minute = 60_000;

/** Imports in Python report progress. Progress and answers reset the deadlines of all waiting requests. */
export const pythonRequests = {
  open: { ask: openAsk, answer: opened, stallMs: 10 * minute },
  embed_texts: { ask: object({ texts: list(text) }), answer: embedded },
  embed_images: { ask: object({ images: list(sentImage) }), answer: embedded },
  score: {
    ask: object({
      images: list(sentImage),
      /** For each pair, the index of its image. `texts` and `references` also have one element for each pair. */
      positions: list(count),
      texts: list(text),
      references: optional(list(list(text))),
    }),
    answer: object({ scores: bytes, ...after }),
  },
  truncated: { ask: object({ texts: list(text) }), answer: object({ cut: bytes }) },
  close: { ask: object({}), answer: object({}) },
};

/** A message that Python sends without a request. */
export const toldByPython = object({ type: text, words: text });
