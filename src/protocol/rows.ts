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
  union,
  words,
} from '../base/shape';

/*
 * Requests about report rows and their answers, between panel, extension host and reading process. The types
 * derive from the checks, so each side checks exactly what it declares.
 */

export const verdict = choice('right', 'wrong', 'tie', 'none');
export type Verdict = Shaped<typeof verdict>;

/** Names one metric of a report. */
const metricKey = object({ id: text, slice: optional(record(text)) });
export type MetricKey = Shaped<typeof metricKey>;

/** Which evaluators of a comparison are right. */
const side = choice('both', 'onlyFirst', 'onlySecond', 'neither');
export type Side = Shaped<typeof side>;

/** The filter and the order of the table's lines. */
export const selection = object({
  text,
  /** The values to keep, by facet. A facet that is missing keeps all. */
  facets: record(list(text)),
  range: optional(object({ low: number, high: number })),
  /** `image`: the worst line of each image, then the second worst of each. Wrong lines and ties come first. */
  sort: choice('image', 'worst', 'best', 'change', 'length', 'file'),
  /** Another evaluator's report to show next to this one, and which lines of both to keep. */
  versus: optional(object({ report: text, keep: optional(side) })),
});
export type Selection = Shaped<typeof selection>;

/** A line of the table, which shows one comparison. */
const line = object({
  /** The line's position in the complete table. */
  index: count,
  line: optional(count),
  image: optional(text),
  /** Whether only a part of the image was scored. The request `photo` with `changed` returns that part. */
  cropped: optional(flag),
  before: text,
  after: text,
  /** The kind of change in one or two words. */
  label: words,
  score: optional(number),
  delta: optional(number),
  verdict,
  /** The result of the other report in the selection. Absent if that report lacks the line. */
  beside: optional(object({ score: optional(number), delta: optional(number), verdict })),
});
export type Line = Shaped<typeof line>;

/** Three items and the similarity of each pair of them. */
const triangle = object({
  corners: list(words),
  sides: list(object({ from: count, to: count, value: number, wrong: flag })),
});
export type Triangle = Shaped<typeof triangle>;

/** Every caption with every image. `scores` and `right` are indexed by caption and then by image. */
const crossed = object({
  photos: list(text),
  captions: list(text),
  scores: list(list(number)),
  /** Whether each caption ranks its own image first, and each image its own caption. A tie counts as false. */
  captionFinds: list(flag),
  photoFinds: list(flag),
});
export type Crossed = Shaped<typeof crossed>;

/** Search results, the best first. */
const ranking = object({
  title: words,
  found: list(
    object({
      /** A caption, or the name of an image. */
      name: text,
      score: optional(number),
      kind: choice('own', 'other', 'altered', 'none'),
      /** Whether the other list contains the entry, too. */
      stays: flag,
    }),
  ),
});
export type Ranking = Shaped<typeof ranking>;

/** The image before and after, for a line that changes it. */
const change = object({
  words,
  /** The name of the changed image, if it is not the line's image. */
  image: optional(text),
  /** The object's edge as an SVG path on an image of this size, and its place after the change. */
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
  /** The index of the caption that this one is compared with. Absent for the reference caption. */
  against: optional(count),
  /** Whether this line is selected in the table. */
  chosen: flag,
});
export type LabelledCaption = Shaped<typeof labelled>;

export const detail = object({
  index: count,
  example: text,
  line: optional(count),
  image: optional(text),
  /** Whether only a part of the image was scored. The request `photo` with `changed` returns that part. */
  cropped: optional(flag),
  captions: list(labelled),
  triangle: optional(triangle),
  crossed: optional(crossed),
  /** Search results (images or captions) before and after the change. */
  rankings: optional(object({ of: choice('photos', 'captions'), before: ranking, after: ranking })),
  change: optional(change),
  notes: list(words),
});
export type Detail = Shaped<typeof detail>;

/** What is known about an entry of the dataset file. Shown at the entry's line. */
export const mark = object({
  /** The line of the file at the time of the audit. */
  line: count,
  /** The caption's column at the time of the audit, from 1. */
  column: optional(count),
  /** The position of the example's first line in the table; absent if the example has no line. */
  index: optional(count),
  /** The texts on the line at the time of the audit. They show whether the line was edited since. */
  texts: list(text),
  /** One line of text, with the most important part first. */
  words,
  /** A few characters to show after the caption. */
  hint: optional(text),
  /** Whether changes that keep the meaning change the score much. */
  unstable: optional(flag),
  captions: list(labelled),
});
export type Mark = Shaped<typeof mark>;

const axis = object({ title: words });
const chart = union({
  /** The count of each bin. `edges` has one element more than there are bins. */
  histogram: {
    id: text,
    title: words,
    x: axis,
    edges: list(number),
    /** Stacked series. `none` means neither right nor wrong. */
    series: list(object({ verdict: choice('right', 'wrong', 'none'), counts: list(count) })),
  },
  /**
   * The share of right lines for each facet value. Without a filter, the interval comes from the report's
   * metrics.
   */
  shares: {
    id: text,
    title: words,
    facet: text,
    chance: optional(number),
    values: list(
      object({
        value: text,
        n: count,
        share: number,
        interval: optional(pair(number, number)),
        metrics: list(metricKey),
      }),
    ),
  },
  points: {
    id: text,
    title: words,
    x: axis,
    y: axis,
    /** The border between right and wrong: the diagonal, or y = 0. */
    border: choice('diagonal', 'zero'),
    points: list(object({ index: count, x: number, y: number, right: flag })),
    /** The number of all points, if only some are drawn. */
    of: count,
  },
  /** A line's value in this report (x) and in the other report of the selection (y). */
  versus: {
    id: text,
    title: words,
    x: axis,
    y: axis,
    points: list(object({ index: count, x: number, y: number, side: optional(side) })),
    of: count,
  },
});
export type Chart = Shaped<typeof chart>;
export type ChartOf<T extends Chart['type']> = Extract<Chart, { type: T }>;

/** A metric's difference between two reports of a request; `first` and `second` are their indices. */
const pairedDifference = object({
  first: count,
  second: count,
  metric: text,
  n: count,
  images: count,
  /** The second report minus the first. */
  difference: number,
  ci: optional(pair(number, number)),
  /** The p value after Holm's correction for all pairs and metrics; null if there are too few images. */
  adjusted: nullable(number),
  /** How many rows are right in only one of the reports. */
  onlyFirst: optional(count),
  onlySecond: optional(count),
  /** Why there can be no verdict. */
  tooFew: optional(choice('images', 'discordant')),
  better: optional(choice('first', 'second')),
});
export type PairedDifference = Shaped<typeof pairedDifference>;

const facet = object({ id: text, title: words, values: list(object({ value: text, n: count })) });
export type Facet = Shaped<typeof facet>;

/** Requests about the rows of a report. In the panel, `report` is a key; in the reading process, a path. */
export const ask = union({
  facets: { report: text },
  lines: { report: text, selection, offset: count, limit: count },
  charts: { report: text, selection },
  detail: { report: text, index: count },
  /** Compares each two of `report` and `others`, which come from one probe. */
  pairs: { report: text, others: list(text) },
  /** Finds the first table line of the last example at or before a line of the dataset file. */
  find: { report: text, line: count },
  /**
   * Finds the next example with a wrong line, after `index` or after `line` of the dataset file. With `back`,
   * finds the previous one.
   */
  miss: { report: text, line: count, index: optional(count), back: flag },
  /** Requests the marks for the lines `from` up to `to` of the dataset file. */
  marks: { report: text, from: count, to: count },
  /** `changed` is the index of the line whose change is applied. */
  photo: { report: text, name: text, side: count, changed: optional(count) },
  /** Scores an edited caption with the image and with the example's other captions. */
  whatIf: { report: text, text, image: optional(text), others: list(text) },
});
export type Ask = Shaped<typeof ask>;

export const answer = union({
  /** `leftOut` says which rows could not be read. `reach`: the change that fills a bar, for each report. */
  facets: { facets: list(facet), count, leftOut: optional(words) },
  lines: { total: count, lines: list(line), reach: list(number) },
  /** `sides` counts the lines by side and ignores the selection's own filter by side. */
  charts: {
    charts: list(chart),
    sides: optional(object({ both: count, onlyFirst: count, onlySecond: count, neither: count })),
  },
  detail: { detail },
  /** `differences` lists what else differs between the reports. */
  pairs: { pairs: list(pairedDifference), differences: list(text) },
  find: { index: nullable(count) },
  miss: { mark: nullable(mark) },
  marks: { marks: list(mark) },
  photo: { bytes },
  /**
   * null if there is no image or no such score. Each of the other captions has its own score and its
   * similarity to the edited caption.
   */
  whatIf: {
    photo: nullable(number),
    others: list(object({ photo: nullable(number), text: nullable(number) })),
    problem: optional(text),
  },
});
export type Answer = Shaped<typeof answer>;
export type AnswerTo<T extends Ask['type']> = Extract<Answer, { type: T }>;

/** Narrows an answer to the type that belongs to this request. */
export function answerTo<A extends Ask>(ask: A, answer: Answer): AnswerTo<A['type']> {
  if (answer.type !== ask.type) throw new Error(`Requested ${ask.type}, received ${answer.type}.`);
  return answer as AnswerTo<A['type']>;
}
