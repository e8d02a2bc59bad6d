import type { Fields } from './cell';
import type { Sink } from './draft';
import type { Entry } from './entry';
import type { ExampleForm } from './example';
import type { Naming } from './fields';

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

export interface Recognised {
  form: ExampleForm;
  /** A new reader for each reading of the file. */
  reader: () => RowReader;
}

/** A meaning that rows can have, whatever the layout they come in. */
export interface Format {
  readonly id: string;
  /** For messages: what a file of this format has. */
  readonly looksLike: string;
  recognise(sample: Sample): Recognised | undefined;
}
