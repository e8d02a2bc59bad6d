import type { Words } from '../base/say';
import type { Example, ExampleForm, Place } from './example';

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

/** Something wrong with one entry of a dataset. */
export interface Problem {
  code: ProblemCode;
  /** An error leaves the entry out; a warning keeps it. */
  severity: 'error' | 'warning';
  message: Words;
  row?: number;
  place?: Place;
  /** What should stand there: a name that is missing. */
  instead?: string;
}

export interface ReadOptions {
  /** Called for each problem, in the order of the file. */
  onProblem?: (problem: Problem) => void;
  signal?: AbortSignal;
}

/** A dataset file whose format is known. Reading streams; it can be read any number of times. */
export interface Dataset {
  readonly path: string;
  /** Id of the format that recognised the file. */
  readonly format: string;
  /** The format in words: "NegBench, multiple choice". */
  readonly title: string;
  /** Columns with what they are read as; the others are ignored, or kept as attributes. */
  readonly reads: readonly (readonly [column: string, as: string])[];
  readonly form: ExampleForm;
  /** How its characters are stored, where it is text: UTF-8, UTF-16 LE, …, and whether a byte order mark says so. */
  readonly encoding?: string;
  /** Column or key names, in the order of the file, as far as looking into it has shown. */
  readonly columns: readonly string[];
  read(options?: ReadOptions): AsyncIterable<Example>;
}
