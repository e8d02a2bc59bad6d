import type { Words } from '../base/say';
import type { Example, ExampleForm, Place } from './example';

/** The ids of a file. `add` returns false for an id that is already in it. */
export interface SeenIds {
  add(id: string): boolean;
}

export type ProblemCode =
  | 'broken-row'
  | 'missing-field'
  | 'wrong-type'
  | 'empty-caption'
  | 'duplicate-id'
  | 'duplicate-caption'
  | 'missing-image'
  | 'ambiguous-image'
  | 'unreadable-image'
  | 'encoding'
  | 'duplicate-key'
  | 'extra-caption';

/** A problem with one entry of a dataset. */
export interface Problem {
  code: ProblemCode;
  /** An error excludes the entry; a warning keeps it. */
  severity: 'error' | 'warning';
  message: Words;
  row?: number;
  place?: Place;
  /** A suggested replacement for a misspelt name. */
  instead?: string;
}

export interface ReadOptions {
  /** Called for each problem, in file order. */
  onProblem?: (problem: Problem) => void;
  signal?: AbortSignal;
  /** Receives the ids. If absent, they are unique within this reading. */
  ids?: SeenIds;
}

/** An example's position in the file, after which a later reading can continue. */
export interface Position {
  row: number;
  /** How many examples its row has up to this one. */
  nth: number;
  /** Absent in Parquet files. */
  place?: Place;
}

/** A dataset file of a known format. It streams, and can be read any number of times. */
export interface Dataset {
  readonly path: string;
  readonly format: string;
  /** The format's title: "NegBench, multiple choice". */
  readonly title: string;
  /** Columns and their roles; other columns are ignored, or kept as attributes. */
  readonly reads: readonly (readonly [column: string, as: string])[];
  readonly form: ExampleForm;
  /** The path of a second file with part of the data. */
  readonly beside?: string;
  /** The text encoding (UTF-8, UTF-16 LE, …), and whether the file has a byte order mark. */
  readonly encoding?: string;
  /** Column or key names found at the beginning of the file, in order. */
  readonly columns: readonly string[];
  read(options?: ReadOptions): AsyncIterable<Example>;
  /** The examples after a position. Returns undefined if that requires reading the file from its beginning. */
  after?(position: Position, options?: ReadOptions): AsyncIterable<Example> | undefined;
}
