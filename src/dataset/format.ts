import type { Words } from '../base/say';
import type { Fields } from './cell';
import type { Sink } from './draft';
import type { Entry } from './entry';
import type { ExampleForm } from './example';
import { truthOf } from './fields/truth';
import type { FieldMap, Naming } from './fields/fields';

/** How the rows lie in the file. */
export type Layout = 'list' | 'object of rows' | 'object of lists' | 'lines' | 'delimited' | 'parquet';

/** What looking into the beginning of a file has shown. */
export interface Sample {
  layout: Layout;
  /** In the order of the file. */
  columns: readonly string[];
  naming: Naming;
  /** The first rows, of the list `section` where there are several lists. */
  rows: readonly { fields: Fields; section?: string }[];
  /** The lists an object of lists holds, as far as seen. */
  sections: readonly string[];
}

/** Turns rows into examples, in one reading of a file. */
export interface RowReader {
  read(entry: Entry, sink: Sink): void;
  /** After the last row; yields now and then so that what it made can be taken away. */
  end?(sink: Sink): Iterable<void>;
}

/** Columns with what they are read as, in English. */
export type Reads = readonly (readonly [column: string, as: string])[];

export interface Recognised {
  form: ExampleForm;
  /** What the file is, where that says more than the format's own title. */
  title?: string;
  reads: Reads;
  /** The map that has the file read as it is read now. */
  map?: FieldMap;
  /** A new reader for each reading of the file. */
  reader: () => RowReader;
}

/** What cannot be read without an answer: what is unclear, and ways that each work. */
export interface Question {
  ask: Words;
  remedy: Words;
}

/** A meaning that rows can have, whatever the layout they come in. */
export interface Format {
  readonly id: string;
  readonly title: string;
  /** Made of columns by their usual names: any other column that may say what is true is a question. */
  readonly isGeneral?: boolean;
  /** Columns, as `plainName` writes them, without which a file is none of these. */
  readonly needs?: readonly string[];
  /** For messages: what a file of this format has. */
  readonly looksLike: string;
  recognise(sample: Sample): Recognised | Question | undefined;
}

export function readsOfId(id: string | undefined): Reads {
  return id === undefined ? [] : [[id, 'id']];
}

/** Whether a column is text wherever it is anything, as a caption is and a truth value is not. */
export function holdsTexts(rows: Sample['rows'], column: string): boolean {
  return rows.every(({ fields }) => {
    const value = fields.get(column)?.value;
    return (
      value === undefined || value === null || (typeof value === 'string' && truthOf(value) === undefined)
    );
  });
}
