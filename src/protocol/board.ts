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

/* Messages between the view of a folder's reports and the extension host. Both sides check what they receive. */

const column = object({
  key: text,
  title: text,
  dataset: text,
  /** The displayed name of the metric, or its group and name. */
  names: list(words),
  better: optional(choice('lower', 'higher')),
});
export type BoardColumn = Shaped<typeof column>;

const cell = union({
  value: { value: number, text, interval: text, n: count, report: text },
  missing: { why: words },
});
export type BoardCell = Shaped<typeof cell>;

const row = object({ evaluator: text, kind: text, cells: list(cell) });
export type BoardRow = Shaped<typeof row>;

/** The metrics of a folder's reports as a table, which the reading process makes. */
export const boardTable = object({
  columns: list(column),
  rows: list(row),
  reports: count,
  /** A note on the values without an interval because they come from too few images or clusters. */
  few: optional(words),
});
export type BoardTable = Shaped<typeof boardTable>;

/** The order of the rows: by the column with this key, or by evaluator if the key is absent. */
const sorting = object({ column: optional(text), up: flag });
export type Sorting = Shaped<typeof sorting>;

/** The view's state that a reload keeps. */
export const boardMemory = object({ folder: text, sorting: optional(sorting) });
export type BoardMemory = Shaped<typeof boardMemory>;

export const toBoard = union({
  show: { folder: text, table: boardTable, memory: boardMemory },
  problem: { folder: text, problem: text, memory: boardMemory },
});
export type ToBoard = Shaped<typeof toBoard>;

const form = choice('html', 'mteb');
export type BoardForm = Shaped<typeof form>;

export const fromBoard = union({
  ready: {},
  sort: { sorting },
  /** Opens the report of the cell in this row and column. */
  open: { row: count, column: count },
  export: { form },
  /** A defect in the view, for the log. */
  defect: { message: text },
});
export type FromBoard = Shaped<typeof fromBoard>;

export const boardRequests = {
  board: { ask: object({ folder: text }), answer: boardTable, stallMs: 60_000 },
  writeBoard: {
    ask: object({ folder: text, out: text, form }),
    answer: object({ files: list(text) }),
    stallMs: 60_000,
  },
};
