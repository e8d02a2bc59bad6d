import {
  choice,
  count,
  flag,
  list,
  nullable,
  number,
  object,
  optional,
  type Shaped,
  text,
  union,
  words,
} from '../base/shape';
import { probeTitle, standing } from './panel';
import { answer, ask, mark } from './rows';

/* Between the extension host and the processes it starts. */

export const auditOrder = object({
  dataset: text,
  probes: list(text),
  evaluators: list(text),
  images: list(text),
  out: text,
  home: text,
  seed: optional(number),
  limit: optional(count),
});
export type AuditOrder = Shaped<typeof auditOrder>;

/** What the process of a run is asked. */
export const runnerRequests = {
  audit: { ask: object({ order: auditOrder }), answer: object({}) },
};

/** What it tells while it is at work. */
export const fromRunner = union({
  started: { probe: probeTitle, format: text },
  progress: {
    probe: text,
    progress: object({
      fraction: optional(number),
      examples: count,
      asked: count,
      done: count,
      fromStore: count,
      rate: optional(number),
      secondsLeft: optional(number),
    }),
  },
  partialMetrics: { probe: text, partialMetrics: list(standing) },
  problem: { message: text, line: optional(count) },
  notice: { message: text },
  report: { path: text },
});
export type FromRunner = Shaped<typeof fromRunner>;

const preview = object({
  format: text,
  /**
   * Probes that have a question for its examples. `natural`: made for such a dataset; `ready`: as things are, without photos
   * that were not found.
   */
  probes: list(object({ id: text, title: text, question: text, natural: flag, ready: flag })),
  /** Photos that the first examples name, and how many of them were found. */
  photos: count,
  photosFound: count,
  /** Estimated from the first ones where the file is long; absent where that cannot be told. */
  examples: optional(count),
});
export type DatasetPreview = Shaped<typeof preview>;

const entry = object({
  id: text,
  name: text,
  kind: text,
  /** It looks at photos too, not only at captions. */
  photos: flag,
  /** Weights on disk, in bytes: about what it takes in memory. */
  size: optional(count),
  /** Why it cannot be used. */
  problem: optional(words),
});
export type EvaluatorEntry = Shaped<typeof entry>;

const place = object({ line: count, column: count, offset: count, length: count });
const checked = object({
  findings: list(
    object({
      code: text,
      severity: choice('error', 'warning'),
      message: words,
      place: optional(place),
      entry: optional(place),
      text: optional(text),
      instead: optional(text),
    }),
  ),
  count,
  examples: count,
});
export type CheckedFile = Shaped<typeof checked>;

/** What a report, which anybody may have written, can be answered with; `evaluators` beside the installed ones. */
const allowed = object({ evaluators: list(text), own: list(text), workspace: list(text) });
export type Allowed = Shaped<typeof allowed>;

const second = 1000;
/** A model is loaded first, and its own process gives up after two minutes without a step. */
const modelMs = 150 * second;
const file = { path: text, images: list(text) };
/** `images`: the folders that photos of the run were looked for in. */
const aboutRows = object({ ask, images: list(text), home: text, trusted: flag, allowed });

/**
 * The reader answers what needs files read: rows of reports, datasets, photos, installed evaluators. Where the workspace
 * is not `trusted` it writes nothing, looks for no image, and opens no model.
 */
export const readerRequests = {
  rows: { ask: aboutRows, answer, stallMs: 60 * second },
  whatIf: { ask: aboutRows, answer, stallMs: modelMs },
  /** Look into a file: is it a dataset? */
  look: { ask: object({ ...file, trusted: flag }), answer: nullable(preview), stallMs: 60 * second },
  /** Installed ones, and `folders` beside them. */
  evaluators: {
    ask: object({ home: text, folders: list(text) }),
    answer: list(entry),
    stallMs: 30 * second,
  },
  export: {
    ask: object({ report: text, form: text, target: text }),
    answer: object({}),
    stallMs: 60 * second,
  },
  /** What is wrong in a dataset file; `evaluator`: the model folder whose limit captions should keep to. */
  check: {
    ask: object({ ...file, home: text, evaluator: optional(text), trusted: flag }),
    answer: checked,
    stallMs: 60 * second,
  },
  /** What a dataset file holds, as JSON: it is passed on as it is. */
  inspect: { ask: object(file), answer: text, stallMs: 60 * second },
  /** Two reports of one probe, as JSON. */
  compare: { ask: object({ report: text, other: text }), answer: text, stallMs: 60 * second },
  /** Score the examples on these lines of `file`, the dataset as it is now; `leftOut`: why examples took no part. */
  rescore: {
    ask: object({ report: text, file: text, lines: list(count), images: list(text), home: text, allowed }),
    answer: object({ marks: list(mark), leftOut: list(text) }),
    stallMs: modelMs,
  },
};
