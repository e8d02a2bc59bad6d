import type { AnswerOf, AskOf, CallContext } from '../base/calls';
import {
  bytes,
  choice,
  count,
  flag,
  list,
  nullable,
  number,
  object,
  optional,
  pair,
  record,
  type Shaped,
  text,
  words,
} from '../base/shape';
import { explained } from './explained';
import { picks } from './judgement';
import { exploitedRequests } from './parts/exploited';
import { climbed, fooledRequests } from './parts/fooled';
import { judgedRequests } from './parts/judged';
import { chart, side } from './parts/chart';

/*
 * Requests about report rows, between panel, extension host and reading process. Types derive from the
 * checks, so they cannot differ.
 */

export const verdict = choice('right', 'wrong', 'tie', 'none');
export type Verdict = Shaped<typeof verdict>;

const results = object({ right: count, wrong: count, tie: count, none: count });
export type Results = Shaped<typeof results>;

/** The filter and the order of the table's lines. */
export const selection = object({
  text,
  /** The values to keep, by facet. A missing facet keeps all rows. */
  facets: record(list(text)),
  /** Keeps lines with low ≤ `delta` < high. `judged`: only lines with a verdict (true) or without one (false). */
  range: optional(object({ low: number, high: number, judged: optional(flag) })),
  /** `image`: wrong lines and ties, then other lines. Each part starts with the worst line of each image. */
  sort: choice('image', 'worst', 'best', 'change', 'length', 'file'),
  /** Another evaluator's report to compare with, and the lines to keep. */
  versus: optional(object({ report: text, keep: optional(side) })),
});
export type Selection = Shaped<typeof selection>;

/** A line of the table: one comparison. */
const line = object({
  /** The line's position in the unfiltered table. */
  index: count,
  line: optional(count),
  image: optional(text),
  /** Whether only a part of the image was scored. The request `image` with `changed` returns this part. */
  cropped: optional(flag),
  before: text,
  after: text,
  /** A few words: for most probes the kind of change, for others the result or the size of the example. */
  label: words,
  score: optional(number),
  delta: optional(number),
  verdict,
  /** What people judged of the line's variant. */
  judged: optional(choice(...picks)),
  /** The line's result in the selection's other report. Absent if that report lacks the line. */
  beside: optional(object({ label: words, score: optional(number), delta: optional(number), verdict })),
});
export type Line = Shaped<typeof line>;

/** Three items and their pairwise similarities. */
const triangle = object({
  corners: list(words),
  sides: list(object({ from: count, to: count, value: number, wrong: flag })),
});
export type Triangle = Shaped<typeof triangle>;

/** Every caption with every image. `scores` is indexed first by caption, then by image. */
const crossed = object({
  images: list(text),
  captions: list(text),
  scores: list(list(number)),
  /** Whether each caption ranks its own image first, and each image its own caption. Ties count as false. */
  captionFinds: list(flag),
  imageFinds: list(flag),
});
export type Crossed = Shaped<typeof crossed>;

/** Search results, best first. */
const ranking = object({
  title: words,
  found: list(
    object({
      /** A caption, or the name of an image. */
      name: text,
      score: optional(number),
      kind: choice('own', 'other', 'altered', 'none'),
      /** Whether the item is also among the results of the other search (before or after the change). */
      stays: flag,
    }),
  ),
});
export type Ranking = Shaped<typeof ranking>;

/** The image before and after the line's change. */
const change = object({
  words,
  /** The changed image's name, if it differs from the line's image. */
  image: optional(text),
  /** The object's edge as an SVG path on a `width` × `height` image. `moved` is the object's shift in pixels. */
  outline: optional(
    object({ path: text, width: count, height: count, moved: optional(pair(number, number)) }),
  ),
});
export type Change = Shaped<typeof change>;

const labelled = object({
  label: words,
  text,
  score: optional(number),
  delta: optional(number),
  verdict,
  /** The index of the caption to compare with. Absent for the reference caption. */
  against: optional(count),
  /** Whether the open table line is about this caption. */
  chosen: flag,
  /** The position of this caption's table line among those of its row. Absent if it has none that people can judge. */
  sub: optional(count),
});
export type LabelledCaption = Shaped<typeof labelled>;

export const detail = object({
  index: count,
  example: text,
  line: optional(count),
  /** The file of the example in the dataset's folder, if the dataset has several. */
  part: optional(text),
  image: optional(text),
  /** Whether only a part of the image was scored. The request `image` with `changed` returns this part. */
  cropped: optional(flag),
  captions: list(labelled),
  triangle: optional(triangle),
  crossed: optional(crossed),
  /** Search results (images or captions) before and after the change. */
  rankings: optional(object({ of: choice('images', 'captions'), before: ranking, after: ranking })),
  change: optional(change),
  /** A search for a higher score that the run made. */
  search: optional(climbed),
  notes: list(words),
});
export type Detail = Shaped<typeof detail>;

/** The result for an entry of the dataset file, shown at the entry's line. */
export const mark = object({
  /** The line of the file at the time of the audit. */
  line: count,
  /** The caption's column at the time of the audit, from 1. */
  column: optional(count),
  /** The position in the table at which the example starts, if known. */
  index: optional(count),
  /** The texts on the line at the time of the audit, which reveal later edits. */
  texts: list(text),
  /** One line of text, most important part first. */
  words,
  /** A few characters to show after the caption. */
  hint: optional(text),
  /** Whether meaning-preserving changes alter the score much. */
  unstable: optional(flag),
  /** Whether the example itself has a fault, whatever an evaluator says. */
  flagged: optional(flag),
  /** The rule behind a verdict of `words`, for the hover. */
  rule: optional(words),
  captions: list(labelled),
});
export type Mark = Shaped<typeof mark>;

/** A metric's difference between two reports, which are named by index. */
const pairedDifference = object({
  first: count,
  second: count,
  metric: text,
  n: count,
  images: count,
  /** The second report minus the first. */
  difference: number,
  ci: optional(pair(number, number)),
  /** The p value after Holm's correction for all pairs and metrics; null with too few images. */
  adjusted: nullable(number),
  /** For values of 0 or 1: the number of rows that are right only in the first report, or only in the second. */
  onlyFirst: optional(count),
  onlySecond: optional(count),
  /** Why there can be no verdict. */
  tooFew: optional(choice('images', 'texts', 'discordant', 'drops')),
  /** The reports whose evaluator is at chance level, so that the metric says nothing about it. */
  groundless: optional(list(count)),
  /** The reports whose evaluator read too many texts only in part. */
  partlyRead: optional(list(count)),
  better: optional(choice('first', 'second')),
});
export type PairedDifference = Shaped<typeof pairedDifference>;

const facet = object({ id: text, title: words, values: list(object({ value: text, n: count })) });
export type Facet = Shaped<typeof facet>;

/**
 * Requests about a report's rows. `report` is a key in the panel and a path in the reading process, which also gets
 * what `readerRequests` adds.
 */
export const rowRequests = {
  /** `leftOut` says why rows could not be read. */
  facets: {
    ask: object({ report: text }),
    answer: object({ facets: list(facet), count, leftOut: optional(words) }),
  },
  /** `results` counts the selected lines by verdict. `reach` has, for each report, the `delta` that fills a bar. */
  lines: {
    ask: object({ report: text, selection, offset: count, limit: count }),
    answer: object({ total: count, results, lines: list(line), reach: list(number) }),
  },
  /** `sides` counts lines by side and ignores the filter by side. */
  charts: {
    ask: object({ report: text, selection }),
    answer: object({
      charts: list(chart),
      sides: optional(object({ both: count, onlyFirst: count, onlySecond: count, neither: count })),
    }),
  },
  detail: { ask: object({ report: text, index: count }), answer: detail },
  /** Compares reports of one probe pairwise. `differences`: what else differs between them. */
  pairs: {
    ask: object({ report: text, others: list(text) }),
    answer: object({ pairs: list(pairedDifference), differences: list(words) }),
  },
  ...judgedRequests,
  ...fooledRequests,
  ...exploitedRequests,
  /** Finds the nearest example at or before `line` of the dataset file. Returns its first position in the table. */
  find: { ask: object({ report: text, line: count }), answer: nullable(count) },
  /**
   * Finds the next example with a wrong result. Starts after position `index` of the table, or else after `line` of
   * the dataset file. `back` searches backwards.
   */
  miss: {
    ask: object({ report: text, line: count, index: optional(count), back: flag }),
    answer: nullable(mark),
  },
  /** The marks for the lines `from` to `to` of the dataset file, both included. */
  marks: { ask: object({ report: text, from: count, to: count }), answer: list(mark) },
  /** If `changed` is set, the image gets the change of the table line with this index. */
  image: { ask: object({ report: text, name: text, side: count, changed: optional(count) }), answer: bytes },
  /**
   * Scores the edited caption `text` and `others` with the image, and compares `text` with `others`. In the answer,
   * `image` is a caption's score with the image, and `text` the similarity to the edited caption. A value is null if
   * the evaluator fails or cannot compute it.
   */
  whatIf: {
    ask: object({ report: text, text, image: optional(text), others: list(text) }),
    answer: object({
      image: nullable(number),
      others: list(object({ image: nullable(number), text: nullable(number) })),
      problem: optional(words),
    }),
  },
  /**
   * Explains the score of `text` with the image, or else with the text `other`. With the image, also explains how
   * `other` changes the score. `crop` is the table line whose part of the image was scored. `depth`: words by
   * leave-one-out, which is known first, also regions, words by Shapley values, also regions, or also regions for each
   * word with an evaluator for which this takes long. With `over: 'objects'`, outlined objects are the regions. `to` writes a file, too.
   */
  why: {
    ask: object({
      ...{ report: text, text, other: optional(text), image: optional(text), crop: optional(count) },
      depth: choice('first', 'map', 'words', 'regions', 'table'),
      over: optional(choice('grid', 'objects')),
      to: optional(choice('svg', 'tex', 'pdf')),
    }),
    answer: explained,
  },
};
type RowRequests = typeof rowRequests;
export type RowRequest = keyof RowRequests;
/** The requests about several reports, which `others` names. */
export const comparing: readonly RowRequest[] = ['pairs', 'universal', 'bestOf'];
/** The requests that the evaluator of a report answers. */
export const scoring: readonly RowRequest[] = ['whatIf', 'why', 'fool'];
export type RowAsk<N extends RowRequest> = AskOf<RowRequests, N>;
export type RowAnswer<N extends RowRequest> = AnswerOf<RowRequests, N>;

/** Answers any request about rows. */
export type AnswerRows = <N extends RowRequest>(
  name: N,
  ask: RowAsk<N>,
  context?: Partial<CallContext>,
) => Promise<RowAnswer<N>>;
