import { count, flag, partly, list, object, type Shaped, text } from '../base/shape';

/* Messages between the Parquet reader and its decoding thread. */

const outline = object({
  columns: list(text),
  /** The types of the columns. Files with equal texts have equal columns. */
  schema: text,
  groups: list(object({ rows: count, bytes: count, indexed: flag })),
});
/** The part of a file's metadata that reading needs. */
export type Outline = Shaped<typeof outline>;

/** Cells are checked later, when they become fields. */
const rows = list(partly<Record<string, unknown>>({}));

export const parquetRequests = {
  outline: { ask: object({ path: text }), answer: outline },
  rows: { ask: object({ from: count, to: count, indexed: flag }), answer: rows },
  close: { ask: object({}), answer: object({}) },
};
