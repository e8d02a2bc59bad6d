import {
  bytes,
  choice,
  count,
  flag,
  list,
  object,
  optional,
  pair,
  type Shaped,
  text,
  union,
  words,
} from '../../base/shape';
import { rowRequests, selection, verdict } from '../rows';

/*
 * Messages between the page of a dataset and the extension host, and their requests to the reading process. Both sides
 * check what they receive.
 */

/** The counts of a dataset and its first problems. */
export const datasetHead = object({
  /** Changes with the files of the dataset. */
  stamp: text,
  /** The recognised format, such as "NegBench MCQ, 4 options, 1 right". */
  readsAs: words,
  /** The number of files, if there are several. */
  parts: optional(count),
  examples: count,
  captions: count,
  /** Distinct names and embedded images. `found` is absent in an untrusted workspace, which searches no images. */
  images: object({ distinct: count, found: optional(count) }),
  /** False if the dataset is too long to list, so that all counts are those of its first examples. */
  isWhole: flag,
  /** Whether some examples have wrong or altered captions. */
  hasWrong: flag,
  problems: object({
    count,
    /** `place` is the file and the line, or else the row. */
    first: list(object({ severity: choice('error', 'warning'), message: words, place: words })),
  }),
});
export type DatasetHead = Shaped<typeof datasetHead>;

export const browsedExample = object({
  id: text,
  /** The line in a text file, or else the row. */
  place: words,
  line: optional(count),
  part: optional(text),
  images: list(text),
  /** Whether the file names the images. */
  isNamed: flag,
  captions: list(object({ text, role: words })),
  attributes: list(pair(text, text)),
  /** The worst result of the example in the report. `index` is its first table line there. */
  result: optional(object({ words, verdict, index: count, isOld: flag })),
});
export type BrowsedExample = Shaped<typeof browsedExample>;

/** In front of the key of a result, this asks for the first examples only, which are read at once. */
export const onlyFirst = 'first: ';

/** What the page can ask for, besides the message types below. `report` is the key of a result, or empty. */
export const datasetPageRequests = {
  lines: rowRequests.lines,
  image: rowRequests.image,
  head: { ask: object({ report: text }), answer: datasetHead },
  example: { ask: object({ report: text, index: count }), answer: browsedExample },
};

/** `key` names an evaluator's report of a probe. `words` is the verdict. */
const results = object({ key: text, words: text });
export type DatasetResults = Shaped<typeof results>;

export const toDatasetPage = union({
  /** `reading` changes when the page must read the dataset again. The first of `results` is the newest. */
  show: { name: text, reading: count, results: list(results), canAudit: flag },
});
export type ToDatasetPage = Shaped<typeof toDatasetPage>;

export const fromDatasetPage = union({
  ready: {},
  audit: {},
  /** Opens the file in another editor. */
  reopen: {},
  /** Opens the example in its text file. */
  reveal: { report: text, index: count },
  /** Opens the panel at the result of the example. */
  openPanel: { report: text, index: count },
  copy: { text },
  /** A defect in the page, for the log. */
  defect: { message: text },
});
export type FromDatasetPage = Shaped<typeof fromDatasetPage>;

/** A dataset, and the report whose results are shown with its examples. */
const browsedDataset = object({
  ...{ path: text, images: list(text), report: optional(text) },
  /** Whether only the first examples are read. */
  isFirst: flag,
});

const stallMs = 60_000;
/** Requests to the reading process. */
export const browseRequests = {
  datasetHead: { ask: object({ dataset: browsedDataset, trusted: flag }), answer: datasetHead, stallMs },
  datasetLines: {
    ask: object({ dataset: browsedDataset, trusted: flag, selection, offset: count, limit: count }),
    answer: rowRequests.lines.answer,
    stallMs,
  },
  datasetExample: {
    ask: object({ dataset: browsedDataset, trusted: flag, index: count }),
    answer: browsedExample,
    stallMs,
  },
  datasetImage: {
    ask: object({ dataset: browsedDataset, trusted: flag, index: count, name: text, side: count }),
    answer: bytes,
    stallMs,
  },
};
