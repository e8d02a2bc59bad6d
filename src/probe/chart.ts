import type { Metric } from './metric';

/** What the charts of a report need besides its rows. */
export interface Charted {
  evaluator: { name: string };
  metrics: readonly Metric[];
}

export interface Bar {
  name: string;
  value: number;
  ci?: readonly [number, number];
  n: number;
}

export interface Point {
  name: string;
  x: number;
  y: number;
  xci?: readonly [number, number];
  yci?: readonly [number, number];
}

/** One line of a line chart. */
export interface Curve {
  name: string;
  /** A point after a gap is not joined to the point before it. */
  points: readonly { x: number; y: number; ci?: readonly [number, number]; afterGap?: boolean }[];
}

export interface Axes {
  x: string;
  y: string;
  /** Labels of the x axis. By default, the axis shows its two ends as numbers. */
  ticks?: readonly { x: number; name: string }[];
  /** A marked place on the x axis. */
  mark?: { x: number; name: string };
}

export interface Column {
  title: string;
  /** Whether the column is aligned to the right. */
  number?: boolean;
}

/** A piece of text. `shade` is 0 to 5, from light to dark; `below` is small text beneath it. */
export type Run =
  string | { strong: string } | { quiet: string } | { text: string; shade: number; below?: string };

export type Cell = string | { lines: readonly string[] } | { runs: readonly Run[] };

/** A chart as data. The export draws it, unless it is empty. */
export type Chart = { title: string } & (
  | { type: 'bars'; bars: readonly Bar[]; reference?: number }
  /** A dot and an interval for each bar, on one axis. */
  | { type: 'forest'; axis: string; bars: readonly Bar[]; reference?: number }
  | { type: 'histogram'; axis: string; values: readonly number[] }
  | { type: 'curves'; axes: Axes; curves: readonly Curve[] }
  /** The cells by row. null makes an empty cell. */
  | {
      type: 'heatmap';
      rows: readonly string[];
      columns: readonly string[];
      values: readonly (readonly (number | null)[])[];
    }
  /**
   * Points and their frontier. A point is on the frontier if no other point is better on both axes (less x,
   * more y).
   */
  | { type: 'tradeOff'; x: string; y: string; points: readonly Point[] }
  | { type: 'table'; columns: readonly Column[]; rows: readonly (readonly Cell[])[] }
  | { type: 'texts'; note: string; texts: readonly (readonly Run[])[] }
);

/** One bar per metric that has a value. */
export function barsOf(metrics: readonly Metric[], name: (metric: Metric) => string): Bar[] {
  return metrics.flatMap((metric) =>
    metric.value === null
      ? []
      : [{ name: name(metric), value: metric.value, n: metric.n, ...(metric.ci ? { ci: metric.ci } : {}) }],
  );
}
