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
import { chart } from './parts/chart';
import { selection } from './rows';

/* Messages between the panel and the extension host. */

const metric = object({
  id: text,
  /** The displayed name, without slice. Absent if it is the id. */
  name: optional(words),
  value: nullable(number),
  n: count,
  /** The number of images, or of the report's clusters, behind the rows, if smaller than `n`. */
  images: optional(count),
  ties: optional(count),
  ci: optional(pair(number, number)),
  /** The halves of the intervals over images alone and over draws alone, if the run made several draws. */
  parts: optional(object({ images: number, draws: number })),
  slice: optional(record(scalar)),
  /** Whether the value carries no information. `note` gives the reason. */
  moot: optional(flag),
  note: optional(words),
  /** The kind of altered entries that a RoCOCO metric covers, such as mix-0.9. */
  kind: optional(text),
});
export type PanelMetric = Shaped<typeof metric>;

const card = object({
  title: words,
  /** Cards of one group appear together under the group's name. */
  group: optional(words),
  /** Whether it stands for one of several ways to fail, of which the first screen has those that fail most. */
  worstFirst: optional(flag),
  metric: text,
  style: choice('percent', 'number', 'count'),
  chance: optional(number),
  /** The ends of the scale for the value and its interval. The panel widens a scale that is too short for them. */
  range: pair(number, number),
  about: words,
  /** The codes of what n and ties count, if n is not comparisons or ties count something else. */
  units: optional(object({ n: text, ties: text })),
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
  /** The precision, if the metrics are a draft: the model also has float32 graphs. */
  draft: optional(text),
  /** How many captions and images, or examples, the report has. */
  size: words,
  examples: count,
  skipped: count,
  /** The column whose values count as one observation each. Absent if each image is one observation. */
  cluster: optional(text),
  /** What was left out because the evaluator gave no score, in words. */
  lost: optional(words),
  /** `lines`: where the first of them are in the dataset file. */
  leftOut: list(object({ reason: words, count, lines: list(text) })),
  /** The evaluator, its most important metric with the interval, and slices, in one or two sentences. */
  headline: optional(words),
  /** The verdicts, each with the rule that its interval satisfies. */
  claims: list(object({ text: words, rule: words })),
  metrics: list(metric),
  cards: list(card),
  /** Charts of metrics, which no selection of rows changes. */
  charts: optional(list(chart)),
  /** What short names of captions mean, such as P1. */
  legend: optional(words),
  /**
   * The headings of the two caption columns, of the score and of the signed number. `about` explains the number, and
   * `right` is the sign of right answers, if they have one.
   */
  columns: object({
    before: words,
    after: words,
    score: words,
    delta: words,
    about: words,
    right: optional(text),
  }),
  /** Set if the rows have no scores, so that there is nothing to explain or to try. */
  unscored: optional(flag),
  warnings: list(words),
  /** How the report was made: labels with values. */
  made: list(pair(text, words)),
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
  /** When the newest run ended or, if `isOfFile` is true, the time of the report's file. */
  writtenAt: optional(count),
  isOfFile: optional(flag),
  reports: list(reportView),
  running: optional(progress),
  /** The metrics of a run that stopped early. */
  stopped: optional(partialMetrics),
  /** The error message with its remedy. */
  problem: optional(words),
  /** Whether the run stopped early and can be resumed. */
  resumable: flag,
  /** The possible actions. VS Code for the Web has none of them. */
  /** `images`: whether images are opened. In Restricted Mode they are not. */
  can: object({ whatIf: flag, export: flag, images: flag }),
});
export type PanelState = Shaped<typeof panelState>;

export const toPanel = union({
  show: { state: panelState },
  progress: { running: progress },
  /**
   * Selects a report by `evaluator` and `probe` (if set), then the example of the table line `index`, or on `line` of
   * the dataset file. `whatIf` also opens a caption for editing.
   */
  select: {
    ...{ line: optional(count), index: optional(count), whatIf: flag },
    ...{ evaluator: optional(text), probe: optional(text) },
  },
  /** Opens the example of a row, with sentences that explain the row. */
  explain: { index: count, sentences: list(words) },
});
export type ToPanel = Shaped<typeof toPanel>;

/** The panel's state that a reload keeps. It names the reports to open again. */
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
      /** The id of the chart that the panel shows. */
      chart: optional(text),
      chartHeight: optional(count),
      detailWidth: optional(count),
      /** The parts that a narrow panel shows besides the list. */
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
  paper: {},
  cancel: {},
  rerun: {},
  save: { name: text, bytes },
  /** Keeps the view until the panel is opened again. */
  remember: { memory: panelMemory },
  /** A defect in the panel, for the log. */
  defect: { message: text },
});
export type FromPanel = Shaped<typeof fromPanel>;

/** A probe's description. The editor does not load the probes themselves, because they include dictionaries. */
export const probeTitle = object({ id: text, title: text, question: text });
export type ProbeTitle = Shaped<typeof probeTitle>;
