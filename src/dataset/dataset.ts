import type { Words } from '../base/say';
import type { Example, ExampleForm, Place } from './example';

/** The ids that were read so far. `add` returns false if the id is one of them. */
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
  | 'extra-caption'
  | 'broken-part'
  | 'missing-text';

export interface Problem {
  code: ProblemCode;
  /** An error excludes the entry. */
  severity: 'error' | 'warning';
  message: Words;
  row?: number;
  place?: Place;
  /** The name of the column that is missing or empty. */
  instead?: string;
}

export interface ReadOptions {
  onProblem?: (problem: Problem) => void;
  signal?: AbortSignal;
  /** The ids that earlier readings have used. If absent, ids are unique only within this reading. */
  ids?: SeenIds;
}

/** An example's position in the file. A later reading can start after this position. */
export interface Position {
  row: number;
  /** The example's number within its row, counted from 1. */
  nth: number;
  /** Absent if unknown, as in Parquet files and tar archives. */
  place?: Place;
}

/** A dataset of a known format: one file or several. It is read as a stream, and can be read again. */
export interface Dataset {
  /** A file, a folder or a pattern. */
  readonly path: string;
  /** The names of the files, if there are several. */
  readonly parts?: readonly string[];
  readonly format: string;
  /** The format's title, such as "NegBench MCQ". */
  readonly title: Words;
  /** The columns that Captious reads, and their roles. */
  readonly reads: readonly (readonly [column: string, as: string])[];
  readonly form: ExampleForm;
  /** The column that the user named for clusters. */
  readonly cluster?: string;
  readonly beside?: string;
  /** The text encoding (UTF-8, UTF-16 LE, …) and whether the file has a byte order mark. */
  readonly encoding?: string;
  /** The names of the columns or keys in the first rows, in file order. */
  readonly columns: readonly string[];
  /** The number of rows, if it is known without reading them. */
  readonly rowCount?: number | undefined;
  read(options?: ReadOptions): AsyncIterable<Example>;
  /** The examples after a position; undefined if the reading must start at the beginning of the file. */
  after?(position: Position, options?: ReadOptions): AsyncIterable<Example> | undefined;
  /**
   * One of `count` ranges of the files, counted from 1, whose rows keep their numbers. Undefined if there are fewer files, or
   * if ids are known to repeat in several. Absent if examples of a file depend on the rows before it.
   */
  slice?(index: number, count: number): DatasetSlice | undefined;
  /** The examples of a single row. Text files cannot find it. */
  at?(row: number): AsyncIterable<Example>;
  /** The embedded images with their rows, if a file lists their names without their bytes. */
  imageNames?(signal?: AbortSignal): AsyncIterable<[name: string, row: number]>;
}

/** A range of a dataset's files. */
export interface DatasetSlice extends Dataset {
  /** The names of the files of the range, also of missing ones. */
  readonly names: readonly string[];
  /** The name and the number of rows of each file of the dataset. */
  readonly outline: readonly (readonly [name: string, rows: number])[];
}
