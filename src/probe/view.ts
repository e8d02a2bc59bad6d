import type { Words } from '../base/say';
import type { ExampleForm } from '../dataset/example';
import type { Transform } from '../perturb/transform';
import type { Card } from '../protocol/panel';
import type { Detail, Line, Mark, Verdict } from '../protocol/rows';
import type { Metric, Row } from './metric';
import type { RowCheck } from './rowSchema';

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
  /** Which lines of a rows file are rows of the probe. */
  readonly row: RowCheck;
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

/** How a probe is introduced and its answers are shown: what is needed where nothing is computed. */
export interface ProbeView<R extends Row = Row> {
  readonly id: string;
  readonly title: string;
  /** One sentence: the question it asks. */
  readonly question: string;
  /** Scores pairs example by example, or ranks every image against every caption. */
  readonly mode: 'pairs' | 'gallery';
  /** The forms of datasets it was made for. */
  readonly madeFor: readonly ExampleForm[];
  readonly rows: RowView<R>;
  /** Heads of the two columns of captions. */
  readonly columns: { before: Words; after: Words };
  cards(metrics: readonly Metric[]): Card[];
  /** The metrics that stand for a report where there is room for one, the first that it has; and how each reads. */
  readonly leading?: readonly { metric: RegExp; words: (percent: string) => Words }[];
  /** What the lens over a file says, where that is more than the leading metric. */
  sentence?(metrics: readonly Metric[]): Words | undefined;
  /** What the demonstration asks of a sample file, in words that need no paper. */
  readonly demo?: { file: string; lines: readonly DemoLine[] };
}

export interface DemoLine {
  metric: string;
  words: string;
  style: Card['style'];
}

/** A metric over all examples. */
export function wholeMetric<M extends Pick<Metric, 'id' | 'slice'>>(
  metrics: readonly M[],
  id: string,
): M | undefined {
  return metrics.find((metric) => metric.id === id && metric.slice === undefined);
}

/** Of a fixed choice of cards, those whose metric the report has. */
export function fixedCards(cards: readonly Card[]): ProbeView['cards'] {
  return (metrics) => cards.filter(({ metric }) => wholeMetric(metrics, metric) !== undefined);
}
