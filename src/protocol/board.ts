import {
  choice,
  count,
  flag,
  list,
  number,
  object,
  optional,
  type Shaped,
  text,
  union,
  words,
} from '../base/shape';
import { chosenAxes, scatterForm, scatterState, side } from './scatter';

/* Messages between the view of reports and the extension host. Both sides check what they receive. */

/** The reports of a board: those of a folder, chosen ones, or those of a window's runs with the times of the runs. */
export const boardSource = union({
  folder: { folder: text },
  chosen: { paths: list(text) },
  runs: { reports: list(object({ path: text, at: number })) },
});
export type BoardSource = Shaped<typeof boardSource>;

const column = object({
  key: text,
  title: text,
  dataset: text,
  metric: text,
  /** The displayed name of the metric, or its group and name. */
  names: list(words),
  better: optional(choice('lower', 'higher')),
});
export type BoardColumn = Shaped<typeof column>;

const cell = union({
  value: { value: number, text, interval: text, n: count, report: text, doubt: optional(words) },
  missing: { why: words },
});
export type BoardCell = Shaped<typeof cell>;

const row = object({ evaluator: text, kind: text, cells: list(cell) });
export type BoardRow = Shaped<typeof row>;

/** The metrics of reports as a table, which the reading process makes. */
export const boardTable = object({
  columns: list(column),
  rows: list(row),
  reports: count,
  /** What the table does not show, and which values have no interval. */
  notes: optional(words),
});
export type BoardTable = Shaped<typeof boardTable>;

const trend = object({
  /** Says which trend this is, also after the folder has changed. */
  key: text,
  /** The pattern of the checkpoints, as in the experiment file, or the evaluator of the runs. */
  series: text,
  /** The steps are runs of one evaluator in the order of time. */
  ofRuns: optional(
    object({
      /** The number of all runs, of which the trend may show the newest only. */
      of: count,
      /** Why no test compares the runs. The intervals are then those of the reports. */
      untested: optional(words),
    }),
  ),
  probe: text,
  dataset: text,
  metric: text,
  /** The metrics that can be shown instead. */
  metrics: list(text),
  better: choice('lower', 'higher'),
  /** Absent if all steps are at chance level. */
  best: optional(number),
  steps: list(
    object({
      ...{ step: number, value: number, text, interval: text, report: text },
      /** The time of a run. */
      at: optional(number),
      band: optional(object({ low: number, high: number })),
      verdict: optional(choice('better', 'worse')),
      groundless: flag,
      /** Why its report has no verdict. */
      doubt: optional(words),
      inBest: flag,
    }),
  ),
});
export type BoardTrend = Shaped<typeof trend>;

/** A metric of each series of checkpoints or runs against the step, and the series of which there is none. */
export const boardTrends = object({
  trends: list(trend),
  missing: list(object({ series: text, why: words })),
});
export type BoardTrends = Shaped<typeof boardTrends>;

/** The order of the rows: by the column with this key, or by evaluator if the key is absent. */
const sorting = object({ column: optional(text), up: flag });
export type Sorting = Shaped<typeof sorting>;

/** The metrics that the user chose, by the key of the trend. */
const chosenMetrics = list(object({ key: text, metric: text }));
export type ChosenMetrics = Shaped<typeof chosenMetrics>;

/** The view's state that a reload keeps. */
export const boardMemory = object({
  /** The folder, or the chosen reports. Both are absent if the reports are those of the window's runs. */
  folder: optional(text),
  reports: optional(list(text)),
  sorting: optional(sorting),
  metrics: optional(chosenMetrics),
  axes: optional(chosenAxes),
});
export type BoardMemory = Shaped<typeof boardMemory>;

export const toBoard = union({
  show: { folder: text, table: boardTable, memory: boardMemory },
  /** Follows the table, because trends need the rows of the reports. */
  trends: { trends: boardTrends },
  /** Absent if no evaluator has both an agreement with people and another metric. */
  scatter: { state: optional(scatterState), memory: boardMemory },
  problem: { folder: text, problem: text, memory: boardMemory },
});
export type ToBoard = Shaped<typeof toBoard>;

const form = choice('html', 'mteb');
export type BoardForm = Shaped<typeof form>;

export const fromBoard = union({
  ready: {},
  sort: { sorting },
  chooseMetrics: { metrics: chosenMetrics },
  /** Opens the report of the cell in this row and column. */
  open: { row: count, column: count },
  openStep: { trend: count, step: count },
  chooseAxis: { side, key: text },
  openPoint: { point: count, side },
  exportScatter: {},
  export: { form },
  /** A defect in the view, for the log. */
  defect: { message: text },
});
export type FromBoard = Shaped<typeof fromBoard>;

export const boardRequests = {
  board: { ask: object({ from: boardSource }), answer: boardTable, stallMs: 60_000 },
  trends: {
    ask: object({ from: boardSource, metrics: optional(chosenMetrics) }),
    answer: boardTrends,
    stallMs: 60_000,
  },
  scatter: {
    ask: object({ from: boardSource, axes: optional(chosenAxes) }),
    answer: object({ state: optional(scatterState) }),
    stallMs: 60_000,
  },
  scatterFile: {
    ask: object({ from: boardSource, axes: chosenAxes, form: scatterForm }),
    answer: object({ text }),
    stallMs: 60_000,
  },
  writeBoard: {
    ask: object({ from: boardSource, out: text, form }),
    answer: object({ files: list(text) }),
    stallMs: 60_000,
  },
};
