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
import { failure } from './failure';
import { probeTitle, standing } from './panel';
import { answer, ask, mark } from './rows';
import { grant, hostCall } from './hostCalls';

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

export const toRunner = union({
  audit: { order: auditOrder },
  cancel: {},
  granted: { id: count, grant },
  refused: { id: count, failure },
});
export type ToRunner = Shaped<typeof toRunner>;

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
  hostCall: { id: count, hostCall },
  /** Nobody waits for it any more. */
  cancelHostCall: { id: count },
  done: {},
  failed: { failure },
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

/**
 * The reader answers what needs files read: rows of reports, datasets, photos, installed evaluators. Where the workspace
 * is not `trusted` it writes nothing, looks for no image, and opens no model.
 */
export const toReader = union({
  /** `images`: the folders that photos of the run were looked for in. */
  ask: { id: count, trusted: flag, ask, images: list(text), home: text, allowed },
  /** Look into a file: is it a dataset? */
  look: { id: count, trusted: flag, path: text, images: list(text) },
  /** Installed ones, and `folders` beside them. */
  evaluators: { id: count, home: text, folders: list(text) },
  export: { id: count, report: text, form: text, target: text },
  /** What is wrong in a dataset file; `evaluator`: the model folder whose limit captions should keep to. */
  check: {
    id: count,
    trusted: flag,
    path: text,
    images: list(text),
    home: text,
    evaluator: optional(text),
  },
  /** What a dataset file holds. */
  inspect: { id: count, path: text, images: list(text) },
  /** Two reports of one probe. */
  compare: { id: count, report: text, other: text },
  /** Score the examples on these lines of `file`, the dataset as it is now, as the report scored what stood there. */
  rescore: {
    id: count,
    report: text,
    file: text,
    lines: list(count),
    images: list(text),
    home: text,
    allowed,
  },
});
export type ToReader = Shaped<typeof toReader>;

export const fromReader = union({
  answer: { id: count, answer },
  preview: { id: count, preview: nullable(preview) },
  evaluators: { id: count, entries: list(entry) },
  exported: { id: count },
  checked: { id: count, checked },
  /** What was found, as JSON: it is passed on as it is. */
  json: { id: count, json: text },
  /** `leftOut`: why examples took no part. */
  rescored: { id: count, marks: list(mark), leftOut: list(text) },
  refused: { id: count, failure },
});
export type FromReader = Shaped<typeof fromReader>;
