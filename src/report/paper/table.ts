/* Tables of metrics as data, independent of output formats. */
import type { Metric, Slice } from '../../probe/metric';
import { isPValue, metricText, mostDecimals, shortDecimals } from '../../base/pValue';
import { firmInterval, metricKey } from '../figures';
import type { Entry } from './entry';

export interface Block {
  /** The heading above the block's columns; may be empty. */
  head: string;
  columns: readonly Column[];
  entryOf: (evaluator: string) => Entry | undefined;
}

export interface NumberCell {
  entry: Entry;
  metric: Metric;
  /** The value as text, without marks. */
  shown: string;
  /** The interval's ends as text; absent for too few images. */
  ci?: readonly [string, string];
  /** Half the interval's length, as text. */
  plusMinus?: string;
  /** A second number with its symbol, such as Cliff's δ. */
  beside?: { sign: string; shown: string; metric: Metric };
  /** The cell of the same metric after calibration. */
  after?: NumberCell;
  best?: boolean;
  /** Whether a paired test cannot distinguish the value from the best value. */
  level?: boolean;
}

export type PaperCell = string | NumberCell;

export interface HeadCell {
  text: string;
  span: number;
}

export interface PaperRow {
  labels: readonly string[];
  cells: readonly PaperCell[];
  /** Whether the row starts a group. In LaTeX, space separates groups, and long tables are split between them. */
  ruled?: boolean;
}

export interface PaperTable {
  id: string;
  caption: string;
  /** One row of headings per level. The last row has one cell per column. */
  heads: readonly (readonly HeadCell[])[];
  /** Number of label columns. */
  labels: number;
  /** Headings of the label columns in the last row; empty by default. */
  labelHeads?: readonly string[];
  rows: readonly PaperRow[];
  notes: string[];
}

export interface Column {
  head: string;
  /** The heading above this column and its neighbours. */
  group?: string;
  metric: string;
  slice?: Slice;
  /** Finds a metric whose id or slice depends on the report. Without a result, the cell is a dash. */
  find?: (entry: Entry) => Metric | undefined;
  better?: 'higher' | 'lower';
  /** The display factor: 100 shows a share in percent. */
  factor?: number;
  digits: number;
  signed?: boolean;
  beside?: { sign: string; metric: string; digits: number };
}

export function isNumber(cell: PaperCell): cell is NumberCell {
  return typeof cell !== 'string';
}

export const noValue = '–';

/** A column's cell for a report. The cell is a dash if the report has no value for the metric. */
export function cellOf(entry: Entry | undefined, column: Column): PaperCell {
  if (entry === undefined) return noValue;
  const metric =
    column.find === undefined ? findMetric(entry, column.metric, column.slice) : column.find(entry);
  if (metric === undefined || metric.value === null) return noValue;
  const { factor = 1 } = column;
  const ends = metric.ci && ([metric.ci[0] * factor, metric.ci[1] * factor] as const);
  const digits = shortDecimals(metric.value * factor, ends, column.digits) ?? mostDecimals;
  const show = (value: number, signed = column.signed) => number(value * factor, digits, signed);
  const cell: NumberCell = {
    entry,
    metric,
    shown: isPValue(metric.id) ? metricText(metric.id, metric.value) : show(metric.value),
  };
  const firm = firmInterval(metric);
  if (firm !== undefined) {
    const [low, high] = firm;
    // A negative factor, as of a drop, swaps the ends.
    cell.ci = factor < 0 ? [show(high), show(low)] : [show(low), show(high)];
    cell.plusMinus = number(Math.abs(factor) * ((high - low) / 2), digits);
  }
  const { beside } = column;
  const second = beside && findMetric(entry, beside.metric, undefined);
  if (beside !== undefined && typeof second?.value === 'number')
    cell.beside = { sign: beside.sign, shown: number(second.value, beside.digits), metric: second };
  return cell;
}

export function findMetric({ report }: Entry, id: string, slice: Slice | undefined): Metric | undefined {
  const key = metricKey({ id, value: null, n: 0, ...(slice === undefined ? {} : { slice }) });
  return report.metrics.find((metric) => metricKey(metric) === key);
}

/** Formats a number. A value that rounds to zero has no sign, so "-0.000" never appears. */
function number(value: number, digits: number, signed = false): string {
  const text = value.toFixed(digits);
  const isZero = Number(text) === 0;
  if (isZero) return text.replace('-', '');
  return signed && value > 0 ? `+${text}` : text;
}
