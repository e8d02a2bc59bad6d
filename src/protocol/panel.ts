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

/* Between the panel and the extension host. */

const metric = object({
  id: text,
  value: nullable(number),
  n: count,
  ties: optional(count),
  ci: optional(pair(number, number)),
  slice: optional(record(scalar)),
  /** It tells nothing here; the note says why. */
  moot: optional(flag),
  note: optional(text),
});
export type PanelMetric = Shaped<typeof metric>;

/** A metric at a glance. */
const card = object({
  title: words,
  /** Cards of one group are shown together under its name. */
  group: optional(words),
  metric: text,
  /** How the value is written. */
  style: choice('percent', 'number'),
  /** What guessing would get, marked on the scale. */
  chance: optional(number),
  /** The scale of the interval's chart. */
  range: pair(number, number),
  about: words,
});
export type Card = Shaped<typeof card>;

/** Where an evaluator's main figures stand while its run goes on. */
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
  /** What the intervals allow to say, each with the rule by which it was earned. */
  claims: list(object({ text, rule: text })),
  metrics: list(metric),
  cards: list(card),
  /** Heads of the two columns of captions. */
  columns: object({ before: words, after: words }),
  warnings: list(text),
  /** How it was made, in pairs of word and value. */
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
  reports: list(reportView),
  running: optional(progress),
  /** What went wrong, with the way out. */
  problem: optional(text),
  /** The run stopped before its end and can go on. */
  resumable: flag,
  /** What can be done here, in a browser less than elsewhere. */
  can: object({ whatIf: flag, export: flag }),
});
export type PanelState = Shaped<typeof panelState>;

export const toPanel = union({
  show: { state: panelState },
  progress: { running: progress },
  /** Select the example that stands on this line of the dataset file; `whatIf`: a caption of it is to be tried. */
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

/** What the panel asks of the extension host, which gives up by itself where nothing moves. */
export const panelRequests = { rows: { ask, answer } };

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
