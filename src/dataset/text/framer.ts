import { say, type Words } from '../../base/say';
import type { Cursor } from './position';

/** The bytes of one row, valid until the handler returns. */
export interface RawRow {
  bytes: Uint8Array;
  start: number;
  end: number;
  /** The position of `start` in the file. */
  origin: Cursor;
  /** The row's key, if the file is an object of rows. */
  key?: string;
  /** The key of the list that contains the row, if the file is an object of lists. */
  section?: string;
}

/** Receives the rows that a framer finds. */
export interface RowHandler {
  /** Returns an error if the bytes are not a row. The framer then calls `broken` with the skipped bytes. */
  row(row: RawRow): Words | undefined;
  /** Receives an invalid row. Invalid rows are counted, reported and skipped. */
  broken(row: RawRow, message: Words): void;
  /** Receives a problem outside the rows. */
  fault(at: RawRow, message: Words): void;
}

/** Splits UTF-8 bytes into rows. The rows do not depend on the sizes of the chunks. */
export interface Framer {
  feed(chunk: Uint8Array): void;
  end(): void;
}

/** Longer rows are reported and skipped, because one line must not fill the memory. */
export const longestRow = 48 * 1024 * 1024;

export function tooLongMessage(limit: number): Words {
  return say('dataset.entryTooLong', Math.max(1, Math.floor(limit / 2 ** 20)));
}
