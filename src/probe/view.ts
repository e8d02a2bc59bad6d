import type { Words } from '../base/say';
import type { Transform } from '../perturb/transform';
import type { Row } from './probe';
import type { Detail, Line, Mark, Verdict } from '../protocol/rows';

/** What the index keeps of a line, so that sorting and filtering need no row read again. */
export interface LineFacts {
  /** Signed change, the number the table and the histogram show. */
  delta: number;
  /** How much it speaks against the evaluator: the greater, the worse. */
  harm: number;
  verdict: Verdict;
  /** One value for each facet, in their order: in English, as indexes and filters keep it, and shown as what it is in another language. */
  facets: readonly string[];
  /** Where the line stands in the plot of points. */
  point?: readonly [number, number];
}

/** How the rows of one probe are looked at. A row may give several lines. What is said of them is said by whoever shows it. */
export interface RowView<R extends Row = Row> {
  readonly facets: readonly { id: string; title: Words; share: boolean }[];
  readonly delta: { title: Words };
  readonly points?: { title: Words; x: Words; y: Words; border: 'diagonal' | 'zero' };
  /** What guessing would get right. */
  readonly chance?: number;
  /** The line of the dataset file that the row is about. */
  fileLine(row: R): number | undefined;
  facts(row: R): LineFacts[];
  /** Everything in the row that a person may search for. */
  words(row: R): string;
  line(row: R, sub: number): Omit<Line, 'index'>;
  detail(row: R, sub: number): Omit<Detail, 'index'>;
  /** What the line does to its photo, others being named as the dataset names them; absent where a probe leaves photos as they are. */
  transforms?(row: R, sub: number): Transform[];
  /** For the line of the dataset file it stands on. */
  mark(row: R): Omit<Mark, 'line' | 'index'>;
}
