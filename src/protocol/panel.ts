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
  words,
} from '../base/shape';
import { answer, ask, selection } from './rows';

/* Messages between the panel and the extension host. */

const metric = object({
  id: text,
  value: nullable(number),
  n: count,
  ties: optional(count),
  ci: optional(pair(number, number)),
  slice: optional(record(scalar)),
  /** The value carries no information; the note says why. */
  moot: optional(flag),
  note: optional(text),
});
export type PanelMetric = Shaped<typeof metric>;

/** The summary of a metric. */
const card = object({
  title: words,
  /** Cards of one group appear together under its name. */
  group: optional(words),
  metric: text,
  style: choice('percent', 'number'),
  /** The chance level, marked on the scale. */
  chance: optional(number),
  /** The scale of the interval's chart. */
  range: pair(number, number),
  about: words,
});
export type Card = Shaped<typeof card>;

/** Progress of an evaluator's main metrics during a run. */
export const standing = object({ evaluator: text, examples: count, metrics: list(metric) });
export type PanelStanding = Shaped<typeof standing>;

const reportView = object({
  key: text,
  probe: text,
  title: text,
  question: text,
  evaluator: text,
  examples: count,
  skipped: count,
  leftOut: list(object({ reason: text, count })),
  /** The verdicts that the intervals support, each with its rule. */
  claims: list(object({ text, rule: text })),
  metrics: list(metric),
  cards: list(card),
  /** Headings of the two caption columns. */
  columns: object({ before: words, after: words }),
  warnings: list(text),
  /** How the report was made, as pairs of label and value. */
  made: list(pair(text, text)),
});
export type ReportView = Shaped<typeof reportView>;

const progress = object({
  label: text,
  partialMetrics: optional(object({ probe: text, cards: list(card), figures: list(standing) })),
  fraction: optional(number),
  examples: count,
  rate: optional(number),
  secondsLeft: optional(number),
});
export type PanelProgress = Shaped<typeof progress>;

const panelState = object({
  title: text,
  /** When the newest report was written. */
  writtenAt: optional(count),
  reports: list(reportView),
  running: optional(progress),
  /** The error message, including its remedy. */
  problem: optional(text),
  /** The run stopped early and can be resumed. */
  resumable: flag,
  /** Available actions; a browser has fewer. */
  can: object({ whatIf: flag, export: flag }),
});
export type PanelState = Shaped<typeof panelState>;

export const toPanel = union({
  show: { state: panelState },
  progress: { running: progress },
  /** Selects the example on this line of the dataset file; with `whatIf`, opens a caption of it for editing. */
  select: { line: count, whatIf: flag },
});
export type ToPanel = Shaped<typeof toPanel>;

export const fromPanel = union({
  ready: {},
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

/** Requests of the panel to the extension host, which applies the deadlines. */
export const panelRequests = { rows: { ask, answer } };

/** What the panel keeps over a reload: enough to find the reports again. */
export const panelMemory = object({
  run: text,
  compare: list(text),
  /** The selection and filters before the reload. */
  view: optional(
    object({
      probe: text,
      report: text,
      selection,
      index: optional(count),
      /** The chart shown, and its height. */
      chart: optional(text),
      chartHeight: optional(count),
    }),
  ),
});
export type PanelMemory = Shaped<typeof panelMemory>;

/**
 * A probe's description. The editor does not load the probes themselves, because they include their
 * dictionaries.
 */
export const probeTitle = object({ id: text, title: text, question: text });
export type ProbeTitle = Shaped<typeof probeTitle>;
