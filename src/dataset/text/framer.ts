import { say, type Words } from '../../base/say';
import type { Cursor } from './position';

/** The bytes of one row, valid until the handler returns. */
export interface RawRow {
  bytes: Uint8Array;
  start: number;
  end: number;
  /** Stands at `start`. */
  origin: Cursor;
  /** In an object of rows: the row's key. */
  key?: string;
  /** In an object of lists: the list it came from. */
  section?: string;
}

/** Takes what a framer finds. */
export interface RowHandler {
  /** Says what is wrong where the bytes are no row; the framer then calls `broken` with as much as it gives up. */
  row(row: RawRow): Words | undefined;
  /** A row that is none: counted, named, left out. */
  broken(row: RawRow, message: Words): void;
  /** Something wrong with the file outside its rows. */
  fault(at: RawRow, message: Words): void;
}

/** Cuts a stream of UTF-8 bytes into rows. Any cut of the stream into chunks gives the same rows. */
export interface Framer {
  feed(chunk: Uint8Array): void;
  end(): void;
}

/** A row beyond this is named and left out, so that one line cannot fill the memory. */
export const longestRow = 48 * 1024 * 1024;

export function tooLongMessage(limit: number): Words {
  return say`This entry is longer than ${Math.max(1, Math.floor(limit / 2 ** 20))} MB`;
}
