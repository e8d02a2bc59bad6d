import {
  choice,
  count,
  flag,
  list,
  nullable,
  number,
  object,
  optional,
  record,
  scalar,
  type Shape,
  type Shaped,
  text,
  words,
} from '../base/shape';
import { boardRequests } from './board';
import { experimentRequests } from './experiment';
import { browseRequests } from './parts/browsed';
import { sessionRequests } from './session';
import { mark, type RowAsk, type RowRequest, rowRequests, scoring } from './rows';

/* Requests of the extension host to the reading process. */

const preview = object({
  format: text,
  /** The recognised format, such as "NegBench MCQ, 4 options, 1 right". */
  readsAs: words,
  /**
   * Probes that accept the file's examples. `natural`: the probe is made for such datasets. `ready`: the
   * probe can run without the missing images. `needs`: the probe needs an evaluator that can do one of these.
   */
  probes: list(
    object({
      ...{ id: text, title: text, question: text, natural: flag, ready: flag },
      needs: list(text),
      /** How many draws of the variants a run of the whole file makes by default; absent if the seed decides none. */
      draws: optional(count),
      options: list(
        object({ key: text, title: words, describe: text, default: scalar, choices: optional(list(text)) }),
      ),
    }),
  ),
  /** The other probes, and why they accept none of the first examples. */
  others: list(object({ id: text, title: text, why: words })),
  /** Why the check of a benchmark finds nothing to choose in the first examples. Absent if it does. */
  unchecked: optional(words),
  /** The number of image names in the first examples, with repeats, and how many of the images were found. */
  images: count,
  imagesFound: count,
  /** The image folder that would lead to images of the same file names: `FROM=DIR`. */
  instead: optional(text),
  columns: list(text),
  /** An estimate if the file is long; absent if unknown. */
  examples: optional(count),
  /** The number of captions, if these are what the dataset has; an estimate as of the examples. */
  captions: optional(count),
});
export type DatasetPreview = Shaped<typeof preview>;

const entry = object({
  id: text,
  name: text,
  kind: text,
  /** Whether the evaluator, or its inner evaluator, runs in the user's Python. */
  python: optional(flag),
  /** Whether the evaluator uses images as well as captions. */
  readsImages: flag,
  /** What the evaluator may be able to do; empty if unknown. */
  abilities: list(text),
  /** Bytes of the weights on disk, for an estimate of memory. */
  size: optional(count),
  /** Why the evaluator cannot be used. */
  problem: optional(words),
});
export type EvaluatorEntry = Shaped<typeof entry>;

const place = object({ line: count, column: count, offset: count, length: count, part: optional(text) });
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
  /** The number of all findings of each code. `findings` has at most some of each. */
  counts: record(count),
  examples: count,
});
export type CheckedFile = Shaped<typeof checked>;

const submittedRun = object({
  dataset: text,
  probes: list(text),
  evaluators: list(text),
  /** The scheduler's job ids. */
  jobs: list(text),
  /** The number of shards of all evaluators. `done` shards are complete. */
  shards: count,
  done: count,
  /** Milliseconds since 1970. `changedAt` is the time of the submission, or of a newer complete shard or report. */
  submittedAt: number,
  changedAt: number,
  /** Paths of the merged reports. */
  reports: list(text),
  isMerged: flag,
});
export type SubmittedRun = Shaped<typeof submittedRun>;

/** The evaluators and folders that an untrusted report may use. Only this machine's runs write to `own`. */
const allowed = object({
  evaluators: list(text),
  own: list(text),
  workspace: list(text),
  /** The command line of the interpreter for evaluators in Python. */
  python: optional(list(text)),
});
export type Allowed = Shaped<typeof allowed>;

const second = 1000;
/** Includes the time to load a model. A model process without progress is ended earlier, after two minutes. */
const modelMs = 150 * second;
const file = { path: text, images: list(text) };
/** `images` are the folders to search for the run's images. */
const scope = object({
  images: list(text),
  home: text,
  trusted: flag,
  allowed,
  /** The person whose judgments are saved. */
  judge: optional(text),
});

type InScope = {
  [N in RowRequest]: {
    ask: Shape<RowAsk<N> & Shaped<typeof scope>>;
    answer: (typeof rowRequests)[N]['answer'];
    stallMs: number;
  };
};
const aboutRows = Object.fromEntries(
  Object.entries(rowRequests).map(([name, { ask, answer }]) => [
    name,
    {
      ask: (value: unknown, at: string) => ({ ...ask(value, at), ...scope(value, at) }),
      answer,
      stallMs: scoring.some((each) => each === name) ? modelMs : 60 * second,
    },
  ]),
) as InScope;

/**
 * Requests that need files: rows, datasets, images, evaluators. In an untrusted workspace, the reader saves
 * no index, searches no images and opens no model.
 */
export const readerRequests = {
  ...aboutRows,
  /** Previews a dataset file. Null if the file is not a dataset or has no examples. */
  look: { ask: object({ ...file, trusted: flag }), answer: nullable(preview), stallMs: 60 * second },
  /** Describes the dataset's newest report for each probe and evaluator. Searches only the files `reports`. */
  beside: {
    ask: object({ dataset: text, reports: list(text) }),
    answer: list(
      object({
        ...{ path: text, probe: text, evaluator: text, writtenAt: number, isCurrent: flag },
        ...{ sentence: optional(words), brief: optional(words) },
      }),
    ),
    stallMs: 60 * second,
  },
  /** The installed evaluators, and those in `folders`. */
  evaluators: {
    ask: object({ home: text, folders: list(text) }),
    answer: list(entry),
    stallMs: 30 * second,
  },
  /** Scores one sample, to try an evaluator before it is added. */
  try: {
    ask: object({ evaluator: text, home: text, image: text, captions: list(text) }),
    answer: object({ score: number, withImage: flag }),
    stallMs: modelMs,
  },
  /** Describes the evaluators in Python that Captious makes from weight files. */
  checkpoints: { ask: object({ files: list(text) }), answer: list(entry), stallMs: 60 * second },
  /** Writes a report in another format. An HTML page may contain the worst examples' images and be translated. */
  export: {
    ask: object({
      ...{ report: text, form: text, target: text, images: list(text), trusted: flag, allowed },
      /** Further reports of the run, for one HTML page about all. */
      others: optional(list(text)),
      translation: optional(object({ language: text, texts: record(text), messages: record(text) })),
    }),
    answer: object({}),
    stallMs: 60 * second,
  },
  /** Writes tables and figures for a paper in the formats `to`. */
  paper: {
    ask: object({
      ...{ reports: list(text), layout: text, to: list(text), out: text },
      ...{ images: list(text), trusted: flag, allowed },
    }),
    answer: object({ files: list(text) }),
    stallMs: 60 * second,
  },
  /** Makes a report of another program's log. */
  import: { ask: object({ log: text, home: text }), answer: object({ report: text }), stallMs: 60 * second },
  ...boardRequests,
  ...browseRequests,
  ...experimentRequests,
  ...sessionRequests,
  /** The possible tables of a paper. */
  layouts: {
    ask: object({}),
    answer: list(object({ id: text, probe: text, mirrors: text })),
    stallMs: 30 * second,
  },
  /** Finds problems in a dataset file. `evaluator` is the folder of the model whose token limit applies. */
  check: {
    ask: object({ ...file, home: text, evaluator: optional(text), trusted: flag }),
    answer: checked,
    stallMs: 60 * second,
  },
  /** A summary of a dataset file, as JSON text. */
  inspect: { ask: object(file), answer: text, stallMs: 60 * second },
  /** Explains the score of the caption at a line: its words and the regions of its image. The answer is JSON text. */
  explain: {
    ask: object({
      ...{ path: text, line: count, evaluator: text, images: list(text), home: text },
      ...{ regions: optional(choice('grid', 'objects')), python: optional(list(text)) },
    }),
    answer: text,
    stallMs: modelMs,
  },
  /** Compares two reports of one probe. The answer is JSON text. */
  compare: { ask: object({ report: text, other: text }), answer: text, stallMs: 60 * second },
  /** Reads a submitted run from its `submission.json`. Null if the file is not a submission. */
  submitted: { ask: object({ path: text }), answer: nullable(submittedRun), stallMs: 60 * second },
  /**
   * The influence of each word of a caption on its score by the report's evaluator, without one word at a time. The
   * caption is compared with its image, or else with `against`.
   */
  wordInfluence: {
    ask: object({
      ...{ report: text, caption: text, image: optional(text), against: text },
      ...{ images: list(text), home: text, allowed },
    }),
    answer: list(object({ start: count, end: count, influence: nullable(number) })),
    stallMs: modelMs,
  },
  /** Scores the examples that are now on `lines` of `file`. `leftOut` gives the reasons for skipped examples. */
  rescore: {
    ask: object({ report: text, file: text, lines: list(count), images: list(text), home: text, allowed }),
    answer: object({ marks: list(mark), leftOut: list(words) }),
    stallMs: modelMs,
  },
};
