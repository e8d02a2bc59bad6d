import type { Words } from '../base/say';
import type { Fields } from './cell';
import { Draft, type Sink } from './draft';
import type { Entry } from './entry';
import type { ExampleForm } from './example';
import { truthOf } from './fields/truth';
import type { FieldMap, Naming } from './fields/fields';

/** How the file arranges its rows. */
export type Layout =
  'list' | 'object of rows' | 'object of lists' | 'lines' | 'delimited' | 'parquet' | 'arrow' | 'tar';

/** The beginning of a file. */
export interface Sample {
  layout: Layout;
  /** The column names, in file order. */
  columns: readonly string[];
  naming: Naming;
  /** The first rows. In an object of lists, `section` is the key of the list that contains the row. */
  rows: readonly { fields: Fields; section?: string }[];
  /** The keys of the lists, if the file is an object of lists. */
  sections: readonly string[];
}

/** Turns rows into examples. Without `end`, it must not use earlier rows: a resumed run skips them. */
export interface RowReader {
  read(entry: Entry, sink: Sink): void;
  /** Called after the last row. Yields from time to time, so that the caller can process the examples so far. */
  end?(sink: Sink): Iterable<void>;
}

/** A reader that makes a draft of each row alone. */
export function eachRow(read: (draft: Draft, entry: Entry, sink: Sink) => void): () => RowReader {
  return () => ({ read: (entry, sink) => read(new Draft(entry, sink), entry, sink) });
}

/** Columns and their roles, in English. */
export type Reads = readonly (readonly [column: string, as: string])[];

export interface Recognised {
  form: ExampleForm;
  title?: Words;
  reads: Reads;
  /** The image and text columns of `reads`, as a map. A question suggests --map options that extend this map. */
  map?: FieldMap;
  /** A second file in the same folder with part of the data. If it is not there, Captious asks `missing`. */
  beside?: { name: string; missing: Question };
  /** Makes the reader for one reading of the file. `beside` is the second file's text. */
  reader: (beside?: string) => RowReader;
}

/** An ambiguity for the user to resolve, usually with a map. */
export interface Question {
  ask: Words;
  remedy: Words;
}

/** A way to interpret rows of any layout. */
export interface Format {
  readonly id: string;
  readonly title: Words;
  /** Whether other files may match, too. Captious then asks about columns that may say what is right. */
  readonly isGeneral?: boolean;
  /** The required columns, in the form that `plainName` returns. */
  readonly needs?: readonly string[];
  /** The columns of this format, for messages. */
  readonly looksLike: string;
  recognise(sample: Sample): Recognised | Question | undefined;
}

/** A recognised format and its reading of the file. */
export interface Found {
  format: Format;
  recognised: Recognised;
  /** The column that the user named for clusters. */
  cluster: string | undefined;
}

export function readsOfId(id: string | undefined): Reads {
  return id === undefined ? [] : [[id, 'id']];
}

/** Whether each value of a column is either empty or a text that is not a truth value. */
export function holdsTexts(rows: Sample['rows'], column: string): boolean {
  return rows.every(({ fields }) => {
    const value = fields.get(column)?.value;
    return (
      value === undefined || value === null || (typeof value === 'string' && truthOf(value) === undefined)
    );
  });
}
