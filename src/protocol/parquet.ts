import { count, flag, holding, list, object, type Shaped, text } from '../base/shape';

/* Between the reading of Parquet files and the thread that decodes them. */

const outline = object({
  columns: list(text),
  groups: list(object({ rows: count, bytes: count, indexed: flag })),
});
/** What lies in a file, as far as reading it needs. */
export type Outline = Shaped<typeof outline>;

/** Cells of every kind, many of them: what they are is looked at when they become fields. */
const rows = list(holding<Record<string, unknown>>({}));

export const parquetRequests = {
  outline: { ask: object({ path: text }), answer: outline },
  rows: { ask: object({ from: count, to: count, indexed: flag }), answer: rows },
  close: { ask: object({}), answer: object({}) },
};
