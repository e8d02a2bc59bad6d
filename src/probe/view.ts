import type { Words } from '../base/say';
import type { ExampleForm } from '../dataset/example';
import type { Transform } from '../perturb/transform';
import type { Card } from '../protocol/panel';
import type { Detail, Line, Mark, MetricKey, Verdict } from '../protocol/rows';
import type { Metric, Row } from './metric';
import type { RowCheck } from './rowSchema';

/** What the index stores of a line, so that sorting and filtering need not read rows. */
export interface LineFacts {
  /** Signed change, shown in the list and the histogram; undefined if the line has no comparison. */
  delta: number | undefined;
  /** Sort key of "worst first": the greater, the worse for the evaluator. */
  harm: number;
  verdict: Verdict;
  /** One value for each facet, in their order. English in indexes and filters, translated when shown. */
  facets: readonly string[];
  /** Position in the scatter chart. */
  point?: readonly [number, number];
}

export interface Facet {
  id: string;
  title: Words;
  /** Whether a chart shows the share of right lines by value. */
  share: boolean;
  /** Metrics of the report that measure this share, by value; the first one found is charted with its interval. */
  metrics?(value: string): MetricKey[];
}

/** How the rows of a probe are shown. A row may have several lines. */
export interface RowView<R extends Row = Row> {
  /** The check of the probe's rows. */
  readonly row: RowCheck;
  readonly facets: readonly Facet[];
  readonly delta: { title: Words };
  readonly points?: { title: Words; x: Words; y: Words; border: 'diagonal' | 'zero' };
  /** Chance level. */
  readonly chance?: number;
  /** The line of the dataset file that the row is about. */
  fileLine(row: R): number | undefined;
  facts(row: R): LineFacts[];
  /** Searchable text of the row. */
  words(row: R): string;
  line(row: R, sub: number): Omit<Line, 'index'>;
  detail(row: R, sub: number): Omit<Detail, 'index'>;
  /** How the line changes its image; other images have the dataset's names. Absent if the probe changes no images. */
  transforms?(row: R, sub: number): Transform[];
  /** The mark for its line of the dataset file. */
  mark(row: R): Omit<Mark, 'line' | 'index'>;
}

/** Title, question and display of a probe: everything that needs no computation. */
export interface ProbeView<R extends Row = Row> {
  readonly id: string;
  readonly title: string;
  /** The question it asks, in one sentence. */
  readonly question: string;
  /** Scores pairs one example at a time, or ranks every image against every caption. */
  readonly mode: 'pairs' | 'gallery';
  /** Dataset forms that it was made for. */
  readonly madeFor: readonly ExampleForm[];
  readonly rows: RowView<R>;
  /** Headers of the two caption columns. */
  readonly columns: { before: Words; after: Words };
  cards(metrics: readonly Metric[]): Card[];
  /** The leading metric: the first of these that the report has, with its text. */
  readonly leading?: readonly { metric: RegExp; words: (percent: string) => Words }[];
  /** Text for the CodeLens above the file, if it says more than the leading metric. */
  sentence?(metrics: readonly Metric[]): Words | undefined;
  /** The metrics of the demo on a sample file, in plain words. */
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

/** The cards whose metric the report has. */
export function fixedCards(cards: readonly Card[]): ProbeView['cards'] {
  return (metrics) => cards.filter(({ metric }) => wholeMetric(metrics, metric) !== undefined);
}
