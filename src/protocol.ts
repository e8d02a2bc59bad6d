import { CaptiousError, messageOf } from './base/errors';
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
  scalar,
  type Shaped,
  text,
  union,
} from './base/shape';

/*
 * Every message between the panel, the extension host and its processes. Types come from the checks, so that what
 * is written here is what is checked on arrival, on both sides.
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
  label: text,
  score: optional(number),
  delta: optional(number),
  verdict,
});
export type Line = Shaped<typeof line>;

const edges = object({ p1p2: number, p1n: number, p2n: number });

const scored = object({
  label: text,
  text,
  score: optional(number),
  delta: optional(number),
  verdict,
  /** Which of the captions it is compared with, as an index; absent for the one that others are compared with. */
  against: optional(count),
  /** The one that was chosen in the table. */
  chosen: flag,
});
export type ScoredCaption = Shaped<typeof scored>;

const detail = object({
  index: count,
  example: text,
  line: optional(count),
  image: optional(text),
  captions: list(scored),
  /** Three captions, pair by pair. */
  triangle: optional(object({ edges, wrong: list(choice('p1n', 'p2n')) })),
  notes: list(text),
});
export type Detail = Shaped<typeof detail>;

/** What is known about one entry of the dataset file, for where it stands there. */
const mark = object({
  /** Line of the file as it was audited. */
  line: count,
  /** First of its lines in the table; absent where nothing was made of it. */
  index: optional(count),
  /** Texts that stand on the line as long as nobody edits them. */
  texts: list(text),
  /** One line of words, the most important first. */
  words: text,
  /** After the caption, in a few characters. */
  hint: optional(text),
  captions: list(scored),
});
export type Mark = Shaped<typeof mark>;

const axis = object({ title: text });
const chart = union({
  /** How often a value falls into each bin; `edges` has one more than there are bins. */
  histogram: {
    id: text,
    title: text,
    x: axis,
    edges: list(number),
    /** One on top of the other; `none` is what is neither right nor wrong. */
    series: list(object({ verdict: choice('right', 'wrong', 'none'), counts: list(count) })),
  },
  /** A share of right ones for each value of a facet, with its 95 % interval. */
  shares: {
    id: text,
    title: text,
    facet: text,
    chance: optional(number),
    values: list(object({ value: text, n: count, right: count, share: number, low: number, high: number })),
  },
  points: {
    id: text,
    title: text,
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

const facet = object({ id: text, title: text, values: list(object({ value: text, n: count })) });
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
  photo: { report: text, name: text, side: count },
  /** What a caption that somebody types scores with the photo, and with the example's other captions. */
  whatIf: { report: text, text, image: optional(text), others: list(text) },
});
export type Ask = Shaped<typeof ask>;

export const answer = union({
  facets: { facets: list(facet), count: count },
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

const metric = object({
  id: text,
  value: nullable(number),
  n: count,
  ties: optional(count),
  ci: optional(pair(number, number)),
  slice: optional(record(scalar)),
  note: optional(text),
});
export type PanelMetric = Shaped<typeof metric>;

/** Where an evaluator's main figures stand while its run goes on. */
const standing = object({ evaluator: text, examples: count, metrics: list(metric) });
export type PanelStanding = Shaped<typeof standing>;

const reportView = object({
  key: text,
  probe: text,
  title: text,
  question: text,
  evaluator: text,
  examples: count,
  skipped: count,
  leftOut: list(object({ reason: text, count: count })),
  /** What the intervals allow to say, each with the rule by which it was earned. */
  claims: list(object({ text, rule: text })),
  metrics: list(metric),
  warnings: list(text),
  /** How it was made, in pairs of word and value. */
  made: list(pair(text, text)),
});
export type ReportView = Shaped<typeof reportView>;

const progress = object({
  label: text,
  standings: optional(object({ probe: text, figures: list(standing) })),
  fraction: optional(number),
  examples: count,
  rate: optional(number),
  secondsLeft: optional(number),
});
export type PanelProgress = Shaped<typeof progress>;

const panelState = object({
  title: text,
  reports: list(reportView),
  running: optional(progress),
  /** What went wrong, with the way out. */
  problem: optional(text),
  /** The run stopped before its end and can go on. */
  resumable: flag,
});
export type PanelState = Shaped<typeof panelState>;

export const toPanel = union({
  show: { state: panelState },
  progress: { running: progress },
  answer: { id: count, answer },
  refused: { id: count, message: text },
  /** Select the example that stands on this line of the dataset file. */
  select: { line: count },
});
export type ToPanel = Shaped<typeof toPanel>;

export const fromPanel = union({
  ready: {},
  ask: { id: count, ask },
  reveal: { report: text, index: count },
  copy: { text },
  export: { report: text },
  cancel: {},
  rerun: {},
  save: { name: text, bytes },
  /** A defect inside the panel, for the log. */
  defect: { message: text },
});
export type FromPanel = Shaped<typeof fromPanel>;

/** What the panel keeps over a reload: enough to find the reports again. */
export const panelMemory = object({
  run: text,
  compare: list(text),
  /** How it was left: what is chosen and how it is filtered. */
  view: optional(object({ probe: text, report: text, selection, index: optional(count) })),
});
export type PanelMemory = Shaped<typeof panelMemory>;

/** How a probe introduces itself. The editor does not load the probes: they bring their dictionaries along. */
export const probeTitle = object({ id: text, title: text, question: text });
export type ProbeTitle = Shaped<typeof probeTitle>;

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
});
export type ToRunner = Shaped<typeof toRunner>;

const failure = object({
  kind: choice('usage', 'input', 'evaluator', 'interrupted', 'defect'),
  message: text,
  at: optional(text),
  remedy: optional(text),
  stack: optional(text),
});
export type Failure = Shaped<typeof failure>;

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
  standings: { probe: text, standings: list(standing) },
  problem: { message: text, line: optional(count) },
  notice: { message: text },
  report: { path: text },
  done: {},
  failed: { failure },
});
export type FromRunner = Shaped<typeof fromRunner>;

const sight = object({
  format: text,
  form: text,
  /** Probes that have a question for its examples; `ready`: as things stand, without photos that were not found. */
  probes: list(object({ id: text, title: text, question: text, ready: flag })),
  /** Photos that the first examples name, and how many of them were found. */
  photos: count,
  photosFound: count,
  /** Estimated from the first ones where the file is long; absent where that cannot be told. */
  examples: optional(count),
});
export type Sight = Shaped<typeof sight>;

const chair = object({
  id: text,
  name: text,
  kind: text,
  /** It looks at photos too, not only at captions. */
  photos: flag,
  /** Weights on disk, in bytes: about what it takes in memory. */
  size: optional(count),
  /** Why it cannot be used. */
  problem: optional(text),
});
export type Chair = Shaped<typeof chair>;

const place = object({ line: count, column: count, offset: count, length: count });
const checked = object({
  findings: list(
    object({
      code: text,
      severity: choice('error', 'warning'),
      message: text,
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

/** The reader answers what needs files read: rows of reports, datasets, photos, installed evaluators. */
export const toReader = union({
  /** `images`: the folders that photos of the run were looked for in. */
  ask: { id: count, ask, images: list(text), home: text },
  /** Look into a file: is it a dataset? */
  look: { id: count, path: text, images: list(text) },
  /** Installed ones, and `folders` beside them. */
  evaluators: { id: count, home: text, folders: list(text) },
  export: { id: count, report: text, form: text, target: text },
  /** What is wrong in a dataset file; `evaluator`: the model folder whose limit captions should keep to. */
  check: { id: count, path: text, images: list(text), home: text, evaluator: optional(text) },
});
export type ToReader = Shaped<typeof toReader>;

export const fromReader = union({
  answer: { id: count, answer },
  sight: { id: count, sight: nullable(sight) },
  evaluators: { id: count, chairs: list(chair) },
  exported: { id: count },
  checked: { id: count, checked },
  refused: { id: count, failure },
});
export type FromReader = Shaped<typeof fromReader>;

export function failureOf(error: unknown): Failure {
  if (error instanceof CaptiousError) {
    const { kind, message, at, remedy } = error;
    return {
      kind,
      message,
      ...(at === undefined ? {} : { at }),
      ...(remedy === undefined ? {} : { remedy }),
    };
  }
  const defect: Failure = { kind: 'defect', message: messageOf(error) };
  if (error instanceof Error && error.stack !== undefined) defect.stack = error.stack;
  return defect;
}

/** The error that a failure was made of, as far as it can be known on this side. */
export function errorOf({ kind, message, at, remedy, stack }: Failure): Error {
  if (kind !== 'defect') return new CaptiousError(kind, message, { at, remedy });
  const error = new Error(message);
  if (stack !== undefined) error.stack = stack;
  return error;
}
