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
  /** Whether the value is trivial, for the reason in the note. */
  moot: optional(flag),
  note: optional(text),
});
export type PanelMetric = Shaped<typeof metric>;

/** The summary of a metric. */
const card = object({
  title: words,
  /** Cards with the same group appear together under the group's name. */
  group: optional(words),
  metric: text,
  style: choice('percent', 'number'),
  chance: optional(number),
  /** The range of the scale that shows the interval. */
  range: pair(number, number),
  about: words,
});
export type Card = Shaped<typeof card>;

/** An evaluator's main metrics during the run. */
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
  /** The verdict in one sentence, with the evaluator and the most important metric. */
  headline: optional(words),
  /** The verdicts, each with the rule by which an interval supports it. */
  claims: list(object({ text, rule: text })),
  metrics: list(metric),
  cards: list(card),
  /** Headings of the two caption columns. */
  columns: object({ before: words, after: words }),
  warnings: list(text),
  /** How the report was made, as labels with values. */
  made: list(pair(text, text)),
});
export type ReportView = Shaped<typeof reportView>;

/** The metrics of a probe that has no report yet. */
export const partialMetrics = object({ probe: text, cards: list(card), figures: list(standing) });

const progress = object({
  label: text,
  partialMetrics: optional(partialMetrics),
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
  /** What a run had measured when it stopped early. */
  stopped: optional(partialMetrics),
  /** The error message, including its remedy. */
  problem: optional(text),
  /** Whether the run stopped early and can be resumed. */
  resumable: flag,
  /** The actions that are possible here. VS Code for the Web has none of them. */
  can: object({ whatIf: flag, export: flag }),
});
export type PanelState = Shaped<typeof panelState>;

export const toPanel = union({
  show: { state: panelState },
  progress: { running: progress },
  /**
   * Selects the example on this line of the dataset file, in the report of `evaluator` and `probe` if given.
   * With `whatIf`, also opens one of its captions for editing. Without a line, selects only the report.
   */
  select: { line: optional(count), whatIf: flag, evaluator: optional(text), probe: optional(text) },
  /** Opens the example of a row and shows sentences that explain it. */
  explain: { index: count, sentences: list(words) },
});
export type ToPanel = Shaped<typeof toPanel>;

/** What the panel remembers across a reload: enough to find the reports again. */
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
      /** The parts that a narrow panel shows in addition to the list. */
      open: optional(list(choice('metrics', 'charts'))),
      /** The caption typed for the open example. */
      whatIf: optional(text),
    }),
  ),
});
export type PanelMemory = Shaped<typeof panelMemory>;

export const fromPanel = union({
  ready: {},
  reveal: { report: text, index: count },
  copy: { text },
  export: { report: text },
  /** Writes tables and figures of all reports. */
  paper: {},
  cancel: {},
  rerun: {},
  save: { name: text, bytes },
  /** Keeps the view for the next time the panel is opened. */
  remember: { memory: panelMemory },
  /** A defect in the panel, which goes to the log. */
  defect: { message: text },
});
export type FromPanel = Shaped<typeof fromPanel>;

/** Requests of the panel to the extension host, which limits their time. */
export const panelRequests = { rows: { ask, answer } };

/**
 * A probe's description. The editor does not load the probes themselves, because those include dictionaries.
 */
export const probeTitle = object({ id: text, title: text, question: text });
export type ProbeTitle = Shaped<typeof probeTitle>;
