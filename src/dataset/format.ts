import type { Words } from '../base/say';
import type { Fields } from './cell';
import type { Sink } from './draft';
import type { Entry } from './entry';
import type { ExampleForm } from './example';
import { truthOf } from './fields/truth';
import type { FieldMap, Naming } from './fields/fields';

/** How the file arranges its rows. */
export type Layout = 'list' | 'object of rows' | 'object of lists' | 'lines' | 'delimited' | 'parquet';

/** What the beginning of a file shows. */
export interface Sample {
  layout: Layout;
  /** In file order. */
  columns: readonly string[];
  naming: Naming;
  /** The first rows. If the file has several lists, these are rows of the list `section`. */
  rows: readonly { fields: Fields; section?: string }[];
  /** The lists found so far in an object of lists. */
  sections: readonly string[];
}

/**
 * Turns rows into examples, during one reading of a file. Without `end`, it must make the examples of a row from
 * this row alone: a resumed run then does not read earlier rows first.
 */
export interface RowReader {
  read(entry: Entry, sink: Sink): void;
  /**
   * Called after the last row. Yields from time to time, so that the caller can process the examples so far.
   */
  end?(sink: Sink): Iterable<void>;
}

/** Columns and their roles, in English. */
export type Reads = readonly (readonly [column: string, as: string])[];

export interface Recognised {
  form: ExampleForm;
  /** A more specific title than the format's own. */
  title?: string;
  reads: Reads;
  /** A map with which the file is read in the same way. */
  map?: FieldMap;
  /** A second file in the same folder with part of the data, and what to ask if it is missing. */
  beside?: { name: string; missing: Question };
  /** Makes a new reader for each reading of the file. `beside` is the second file's text. */
  reader: (beside?: string) => RowReader;
}

/** An ambiguity that needs the user's answer, and maps that each resolve it. */
export interface Question {
  ask: Words;
  remedy: Words;
}

/** A way to read rows, whatever their layout. */
export interface Format {
  readonly id: string;
  readonly title: string;
  /** Whether columns have no fixed names. Captious then asks about columns that may mark right captions. */
  readonly isGeneral?: boolean;
  /** Required columns, as `plainName` writes them. */
  readonly needs?: readonly string[];
  /** Used in messages: the columns that a file of this format has. */
  readonly looksLike: string;
  recognise(sample: Sample): Recognised | Question | undefined;
}

export function readsOfId(id: string | undefined): Reads {
  return id === undefined ? [] : [[id, 'id']];
}

/** Whether all values of a column are texts or empty: true of captions, but not of truth values. */
export function holdsTexts(rows: Sample['rows'], column: string): boolean {
  return rows.every(({ fields }) => {
    const value = fields.get(column)?.value;
    return (
      value === undefined || value === null || (typeof value === 'string' && truthOf(value) === undefined)
    );
  });
}
