import type { Words } from '../base/say';
import type { Better } from '../chart/chart';
import type { ExampleForm } from '../dataset/example';
import type { Transform } from '../perturb/transform';
import type { Card } from '../protocol/panel';
import type { Detail, Line, Mark, MetricKey, Verdict } from '../protocol/rows';
import type { Metric, Row } from './metric';
import type { RowCheck } from './rowSchema';

/** What the index stores for each line. Sorting and filtering then need no rows. */
export interface LineFacts {
  /** The signed change in the list and the histogram; undefined if the line compares nothing. */
  delta: number | undefined;
  /** The sort key of "worst first". A greater number is worse for the evaluator. */
  harm: number;
  verdict: Verdict;
  /**
   * One value for each facet, in the order of the facets. Values are English in indexes and filters, and are
   * translated for display.
   */
  facets: readonly string[];
  /** Position in the scatter chart. */
  point?: readonly [number, number];
}

export interface Facet {
  id: string;
  title: Words;
  /** Whether a chart shows the share of right lines by value. */
  share: boolean;
  /**
   * The report's metrics that measure this share for a value. The chart shows the first one that exists, with
   * its interval.
   */
  metrics?(value: string): MetricKey[];
}

/** How the rows of a probe are shown. A row may have several lines. */
export interface RowView<R extends Row = Row> {
  readonly row: RowCheck;
  readonly facets: readonly Facet[];
  readonly delta: { title: Words };
  readonly points?: { title: Words; x: Words; y: Words; border: 'diagonal' | 'zero' };
  readonly chance?: number;
  /**
   * A key that distinguishes the rows of an example and is the same for every evaluator. Rows with equal keys
   * are distinguished by their order.
   */
  key?(row: R): string;
  /** A key that distinguishes the lines of a row. By default, their position in the row. */
  lineKey?(row: R, sub: number): string;
  /** The line of the row's example in the dataset file. */
  fileLine(row: R): number | undefined;
  facts(row: R): LineFacts[];
  /** Searchable text of the row. */
  words(row: R): string;
  line(row: R, sub: number): Omit<Line, 'index'>;
  detail(row: R, sub: number): Omit<Detail, 'index'>;
  /**
   * How the line changes its image. Images that are mixed in are given by their names in the dataset. Absent
   * for probes that change no images.
   */
  transforms?(row: R, sub: number): Transform[];
  /** The mark at the row's line of the dataset file. */
  mark(row: R): Omit<Mark, 'line' | 'index'>;
}

/** Everything about a probe that needs no computation: title, question, display. */
export interface ProbeView<R extends Row = Row> {
  readonly id: string;
  readonly title: string;
  /** The question that the probe asks, in one sentence. */
  readonly question: string;
  /** `pairs` scores one example at a time; `gallery` ranks every image against every caption. */
  readonly mode: 'pairs' | 'gallery';
  /** The forms of datasets for which the probe was made. */
  readonly madeFor: readonly ExampleForm[];
  readonly rows: RowView<R>;
  /** Headers of the two caption columns. */
  readonly columns: { before: Words; after: Words };
  cards(metrics: readonly Metric[]): Card[];
  /** Whether higher or lower values of a metric are better; undefined if neither. Without this method: higher. */
  better?(metric: string): Better | undefined;
  /** Candidates for the most important metric, with texts. The first one that the report has is used. */
  readonly leading?: readonly Leading[];
  /** The end of the verdict, after the most important metric; the whole verdict if that metric is missing. */
  sentence?(metrics: readonly Metric[], evaluator: string): Words | undefined;
  /** The demo's metrics on a sample file, in simple words. */
  readonly demo?: { file: string; lines: readonly DemoLine[] };
}

export interface Leading {
  metric: RegExp;
  words: (percent: string) => Words;
  /** The same text as a sentence about the evaluator. */
  sentence?: (evaluator: string, percent: string) => Words;
  /** Slices, or other metrics, that the verdict names after the most important metric. */
  parts?: readonly { metric: string; name: Words }[];
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

/** Keeps the cards whose metrics the report has. */
export function fixedCards(cards: readonly Card[]): ProbeView['cards'] {
  return (metrics) => cards.filter(({ metric }) => wholeMetric(metrics, metric) !== undefined);
}
