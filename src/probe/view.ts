import { say, type Words } from '../base/say';
import type { Better } from '../chart/chart';
import type { ExampleForm, Place } from '../dataset/example';
import type { Transform } from '../perturb/transform';
import type { Card } from '../protocol/panel';
import type { Detail, LabelledCaption, Line, Mark, Verdict } from '../protocol/rows';
import type { Chart, MetricKey } from '../protocol/parts/chart';
import type { Metric, Row, Unit, Claim } from './metric';
import type { RowCheck } from './rowSchema';

/** The data of a table line for sorting and filtering. The index contains them, so that rows need not be read. */
export interface LineFacts {
  /**
   * The signed number that the list and the histogram show. A change is the variant's score minus the original's. A
   * lead is the right answer's score minus the wrong answer's. Undefined if nothing is compared.
   */
  delta: number | undefined;
  /** The sort key of "worst first": greater is worse for the evaluator. */
  harm: number;
  verdict: Verdict;
  /** One value per facet, in the order of `RowView.facets`. Values are in English and translated for display. */
  facets: readonly string[];
  /** Position in the scatter chart. */
  point?: readonly [number, number];
}

export interface Facet {
  id: string;
  /** The title of its chart, and the name of its filter unless that is `filter`. */
  title: Words;
  filter?: Words;
  /** Whether a chart shows the share of right lines by value. */
  share: boolean;
  /** Whether the value follows from the line's result, so that a filter by it selects right or wrong lines. */
  outcome?: true;
  /** The metrics that report this share for a value. The chart shows the first that the report has. */
  metrics?(value: string): MetricKey[];
}

/** How a probe's rows are shown. A row may have several table lines. */
export interface RowView<R extends Row = Row> {
  readonly row: RowCheck;
  readonly facets: readonly Facet[];
  /**
   * What `delta` means (`title`), its column header (`head`), and which values are wanted in words (`wanted`). `lower`:
   * right answers are below zero, as changes are if the variant should score lower; with 'tied', zero is right, too.
   */
  readonly delta: { title: Words; head: Words; wanted?: Words; lower?: true | 'tied' };
  /**
   * The scatter chart. Right answers are to the right of its border line: the diagonal, or zero, where x is `delta`.
   */
  readonly points?: { title: Words; x: Words; y: Words; border: 'diagonal' | 'zero' };
  readonly chance?: number;
  /** Identifies a row of its example, equally for every evaluator. Equal keys are told apart by order. */
  key?(row: R): string;
  /** One row of the same caption in several draws, with each distinct variant once. Absent if the seed decides no variants. */
  joined?(rows: readonly R[]): R;
  /** Identifies a line among the lines of its row. The default is its position in the row. */
  lineKey?(row: R, sub: number): string;
  /** The line number of the row's example, or of its caption, in the dataset file. */
  fileLine(row: R): number | undefined;
  facts(row: R): LineFacts[];
  /** Searchable text of the row. */
  words(row: R): string;
  line(row: R, sub: number): Omit<Line, 'index'>;
  detail(row: R, sub: number): Omit<Detail, 'index'>;
  /**
   * The transforms from the dataset's image to the line's image. Images that are mixed in have their dataset names.
   * Absent for probes that do not change images.
   */
  transforms?(row: R, sub: number): Transform[];
  /** The mark at the row's line in the dataset file. `spread` is the evaluator's spread, if the report has it. */
  mark(row: R, spread?: number): Omit<Mark, 'line' | 'index'>;
}

/** What a probe says about its rows. `rowView` adds what follows from it, and what all rows have. */
interface RowWords<R extends Row> extends Omit<RowView<R>, 'fileLine' | 'line' | 'detail' | 'mark'> {
  /** The texts and the score of a table line. */
  line(row: R, sub: number): Pick<Line, 'before' | 'after' | 'label'> & Partial<Line>;
  /** The captions of a row. `sub` is the open table line; it is undefined for the mark of the whole row. */
  captions(row: R, sub: number | undefined): ShownCaption[];
  /** What the open line has besides the captions. */
  detail?(row: R, sub: number): Partial<Detail>;
  mark(row: R, spread?: number): Omit<Mark, 'line' | 'index' | 'captions'>;
}

/** A caption without a verdict has the verdict `none`. The open line is about it only if it says so. */
export type ShownCaption = Omit<LabelledCaption, 'verdict' | 'chosen'> & Partial<LabelledCaption>;

export function rowView<R extends Row & { captionPlace?: Place }>(words: RowWords<R>): RowView<R> {
  const fileLine = ({ captionPlace, place }: R): number | undefined => (captionPlace ?? place)?.line;
  const captions = (row: R, sub?: number): LabelledCaption[] =>
    words.captions(row, sub).map((one) => ({ verdict: 'none', chosen: false, ...one }));
  return {
    ...words,
    fileLine,
    line(row, sub) {
      const { delta, verdict } = words.facts(row)[sub];
      return { line: fileLine(row), image: row.image, delta, verdict, ...words.line(row, sub) };
    },
    detail: (row, sub) => ({
      ...{ example: row.example, line: fileLine(row), image: row.image },
      ...{ captions: captions(row, sub), notes: [], ...words.detail?.(row, sub) },
    }),
    mark: (row, spread) => ({ ...words.mark(row, spread), captions: captions(row) }),
  };
}

/** The parts of a probe that need no computation: title, question, display. */
export interface ProbeView<R extends Row = Row> {
  readonly id: string;
  readonly title: string;
  /** The probe's question, in one sentence. */
  readonly question: string;
  /** `pairs` scores one example at a time; `gallery` needs the scores of all examples first. */
  readonly mode: 'pairs' | 'gallery';
  /** The forms of datasets that the probe is made for. */
  readonly madeFor: readonly ExampleForm[];
  readonly rows: RowView<R>;
  /** Headers of the two caption columns, and of the score if it is not that of the second one. */
  readonly columns: { before: Words; after: Words; score?: Words };
  /** What short names of captions mean, if the columns and metrics have such names. */
  readonly legend?: Words;
  /** Whether rows have no scores, because there is no evaluator. */
  readonly isUnscored?: true;
  cards(metrics: readonly Metric[]): Card[];
  /** Charts of metrics, for the panel. */
  metricCharts?(metrics: readonly Metric[]): Chart[];
  /** Displayed names for metric ids, or for parts of ids such as "simple" in `lgip.inv.simple`. */
  readonly metricParts?: Readonly<Record<string, Words>>;
  /** Whether higher or lower is better; undefined if neither. Without the method, higher is. */
  better?(metric: string): Better | undefined;
  /**
   * What a metric is, if it is in units of the score. Such metrics also have a form in units of the evaluator's spread,
   * which is used to compare evaluators. Absent if no metric is in units of the score.
   */
  unit?(metric: string): Unit | undefined;
  /**
   * For a change in percent of the score: the id of the same change in units of the score. Percentages differ if a
   * constant is added to all scores. Undefined for other metrics.
   */
  percent?(metric: string): string | undefined;
  /** What a metric needs to say something about an evaluator. Undefined if it needs nothing. */
  ground?(metric: string): Ground | undefined;
  /** Whether a metric is about a part of the nominal range of the score, of which another evaluator may use more or less. */
  ofRange?(metric: string): boolean;
  /**
   * Metrics whose tests answer one question. A comparison adjusts p values within each family. All other metrics are one
   * more family.
   */
  readonly families?: readonly { name: string; metrics: RegExp }[];
  /** Options that reports of one dataset must share to be compared, such as how often a row counts. */
  readonly sameOptions?: readonly string[];
  /** Candidates for the most important metric, with their texts. The first candidate with a value is used. */
  readonly leading?: readonly Leading[];
  /**
   * The end of the headline, after the most important metric. If no candidate in `leading` has a value, the
   * whole headline.
   */
  sentence?(metrics: readonly Metric[], evaluator: string): Words | undefined;
}

/** The metric that must be above its chance level, so that another metric says something. */
export interface Ground {
  metric: string;
  chance: (of: Metric, metrics: readonly Metric[]) => number;
}

export interface Leading {
  metric: RegExp;
  words: (percent: string) => Words;
  /** Says the same as `words`, in a sentence that names the evaluator. */
  sentence?: (evaluator: string, percent: string, metric: Metric) => Words;
  /** A remark on a metric above chance level that another of its tests does not support. */
  doubt?: (metrics: readonly Metric[], claims: readonly Pick<Claim, 'text'>[]) => Words | undefined;
  /** Further metrics that the headline names after the most important metric. */
  parts?: readonly Part[];
}

/** A `label` begins a sentence of its own, so that a remark does not seem to be about the most important metric. */
interface Part {
  metric: string;
  name: Words;
  label?: Words;
}

/** The metric with this id over all examples, so without a slice. */
export function wholeMetric<M extends Pick<Metric, 'id' | 'slice'>>(
  metrics: readonly M[],
  id: string,
): M | undefined {
  return metrics.find((metric) => metric.id === id && metric.slice === undefined);
}

/** Whether higher or lower values of a metric are better; undefined if neither is. */
export function betterOf({ better }: Pick<ProbeView, 'better'>, metric: string): Better | undefined {
  if (metric === 'refused') return 'lower';
  return better === undefined ? 'higher' : better(metric);
}

/** The card of a share. */
export function shareCard(title: Words, metric: string, about: Words, more?: Partial<Card>): Card {
  return { title, metric, style: 'percent', range: [0, 1], about, ...more };
}

/** The card of a number between the ends of `range`. */
export function numberCard(
  title: Words,
  metric: string,
  about: Words,
  range: Card['range'],
  more?: Partial<Card>,
): Card {
  return { title, metric, style: 'number', range, about, ...more };
}

/** Keeps the cards whose metrics the report has. */
export function fixedCards(cards: readonly Card[]): ProbeView['cards'] {
  return (metrics) => cards.filter(({ metric }) => wholeMetric(metrics, metric) !== undefined);
}

/** Whether a lead over the wrong caption is right, and by how much. */
export function leadWords(lead: number): Words {
  const by = Math.abs(lead).toFixed(3);
  if (lead === 0) return say('choice.tie');
  return lead > 0 ? say('choice.rightBy', by) : say('choice.wrongBy', by);
}
