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
 * What is asked about the rows of reports, and what is answered: between the panel, the extension host and the reading
 * process. Types come from the checks, so that what is written here is what is checked on arrival, on both sides.
 */

export const verdict = choice('right', 'wrong', 'tie', 'none');
export type Verdict = Shaped<typeof verdict>;

/** How the lines of the table are chosen and ordered. */
export const selection = object({
  text,
  /** By facet, the values that pass; a facet that is not named passes whole. */
  facets: record(list(text)),
  range: optional(object({ low: number, high: number })),
  sort: choice('file', 'worst', 'best', 'change', 'length'),
});
export type Selection = Shaped<typeof selection>;

/** A line of the table: one thing compared with another. */
const line = object({
  /** Position in the report's rows, stable under any selection. */
  index: count,
  line: optional(count),
  image: optional(text),
  before: text,
  after: text,
  /** What kind of change, in a word or two. */
  label: words,
  score: optional(number),
  delta: optional(number),
  verdict,
});
export type Line = Shaped<typeof line>;

/** Three things, and how alike each two of them are. */
const triangle = object({
  corners: list(words),
  sides: list(object({ from: count, to: count, value: number, wrong: flag })),
});
export type Triangle = Shaped<typeof triangle>;

/** Captions against photos, each with each; `scores` and `right` by caption, then by photo. */
const crossed = object({
  photos: list(text),
  captions: list(text),
  scores: list(list(number)),
  /** Whether the caption finds its own photo, and whether the photo finds its own caption; ties find nothing. */
  captionFinds: list(flag),
  photoFinds: list(flag),
});
export type Crossed = Shaped<typeof crossed>;

/** What a search found, best first. */
const ranking = object({
  title: words,
  found: list(
    object({
      /** A caption, or the name of a photo. */
      name: text,
      score: optional(number),
      kind: choice('own', 'other', 'altered', 'none'),
      /** It stands in the other list, too. */
      stays: flag,
    }),
  ),
});
export type Ranking = Shaped<typeof ranking>;

/** The photo of a line that changes it, before and after. */
const change = object({
  words,
  /** The photo that is changed, where it is another than the line's own. */
  image: optional(text),
  /** The object's edge as an SVG path over a picture of this size, and where the change has put it. */
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
  /** Which of the captions it is compared with, as an index; absent for the one that others are compared with. */
  against: optional(count),
  /** The one that was chosen in the table. */
  chosen: flag,
});
export type LabelledCaption = Shaped<typeof labelled>;

const detail = object({
  index: count,
  example: text,
  line: optional(count),
  image: optional(text),
  captions: list(labelled),
  triangle: optional(triangle),
  crossed: optional(crossed),
  /** As it was and as it became; of photos or of captions. */
  rankings: optional(object({ of: choice('photos', 'captions'), before: ranking, after: ranking })),
  change: optional(change),
  notes: list(words),
});
export type Detail = Shaped<typeof detail>;

/** What is known about one entry of the dataset file, for where it stands there. */
export const mark = object({
  /** Line of the file as it was audited. */
  line: count,
  /** Where on the line the caption begins, from 1, as it was audited. */
  column: optional(count),
  /** First of its lines in the table; absent where nothing was made of it. */
  index: optional(count),
  /** Texts that stand on the line as long as nobody edits them. */
  texts: list(text),
  /** One line of words, the most important first. */
  words,
  /** After the caption, in a few characters. */
  hint: optional(text),
  captions: list(labelled),
});
export type Mark = Shaped<typeof mark>;

const axis = object({ title: words });
const chart = union({
  /** How often a value falls into each bin; `edges` has one more than there are bins. */
  histogram: {
    id: text,
    title: words,
    x: axis,
    edges: list(number),
    /** One on top of the other; `none` is what is neither right nor wrong. */
    series: list(object({ verdict: choice('right', 'wrong', 'none'), counts: list(count) })),
  },
  /** A share of right ones for each value of a facet, with its 95 % interval. */
  shares: {
    id: text,
    title: words,
    facet: text,
    chance: optional(number),
    values: list(object({ value: text, n: count, right: count, share: number, low: number, high: number })),
  },
  points: {
    id: text,
    title: words,
    x: axis,
    y: axis,
    /** The line that parts right from wrong: where both are the same, or where y is zero. */
    border: choice('diagonal', 'zero'),
    points: list(object({ index: count, x: number, y: number, right: flag })),
    /** How many there are where only some are drawn. */
    of: count,
  },
});
export type Chart = Shaped<typeof chart>;

const facet = object({ id: text, title: words, values: list(object({ value: text, n: count })) });
export type Facet = Shaped<typeof facet>;

/** What may be asked about the rows of a report. In the panel `report` is a key, in the rows process a path. */
export const ask = union({
  facets: { report: text },
  lines: { report: text, selection, offset: count, limit: count },
  charts: { report: text, selection },
  detail: { report: text, index: count },
  /** Where a line of the dataset file stands: the first index at or after it. */
  find: { report: text, line: count },
  /** What is known about the lines `from` up to `to` of the dataset file. */
  marks: { report: text, from: count, to: count },
  /** `changed`: as the line at this index changes it. */
  photo: { report: text, name: text, side: count, changed: optional(count) },
  /** What a caption that somebody types scores with the photo, and with the example's other captions. */
  whatIf: { report: text, text, image: optional(text), others: list(text) },
});
export type Ask = Shaped<typeof ask>;

export const answer = union({
  /** `leftOut` says which rows could not be read. */
  facets: { facets: list(facet), count, leftOut: optional(words) },
  lines: { total: count, lines: list(line) },
  charts: { charts: list(chart) },
  detail: { detail },
  find: { index: nullable(count) },
  marks: { marks: list(mark) },
  photo: { bytes },
  /** null: there is no photo, or no such score. For each of the others: its own score, and its similarity to what is typed. */
  whatIf: {
    photo: nullable(number),
    others: list(object({ photo: nullable(number), text: nullable(number) })),
    problem: optional(text),
  },
});
export type Answer = Shaped<typeof answer>;
export type AnswerTo<T extends Ask['type']> = Extract<Answer, { type: T }>;

/** The answer, as one to this question. */
export function answerTo<A extends Ask>(ask: A, answer: Answer): AnswerTo<A['type']> {
  if (answer.type !== ask.type) throw new Error(`Asked for ${ask.type}, told ${answer.type}.`);
  return answer as AnswerTo<A['type']>;
}
