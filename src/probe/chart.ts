import type { Metric } from './metric';

/** What a report's charts are made of, besides its rows. */
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

/** One line of a chart of curves. */
export interface Curve {
  name: string;
  points: readonly { x: number; y: number; ci?: readonly [number, number] }[];
}

export interface Axes {
  x: string;
  y: string;
  /** Names of places on the x axis; absent: its ends are told as numbers. */
  ticks?: readonly { x: number; name: string }[];
  /** A place on the x axis that is marked. */
  mark?: { x: number; name: string };
}

export interface Column {
  title: string;
  /** Set to the right, digits under digits. */
  number?: boolean;
}

/** A piece of a text; `shade` is 0 to 5, the darker the more, and `below` is written small beneath it. */
export type Run =
  string | { strong: string } | { quiet: string } | { text: string; shade: number; below?: string };

export type Cell = string | { lines: readonly string[] } | { runs: readonly Run[] };

/** A chart as data: the report's export draws it, and leaves it out where there is nothing in it. */
export type Chart = { title: string } & (
  | { type: 'bars'; bars: readonly Bar[]; reference?: number }
  | { type: 'histogram'; axis: string; values: readonly number[] }
  | { type: 'curves'; axes: Axes; curves: readonly Curve[] }
  /** Row by row; null where there is nothing. */
  | {
      type: 'heatmap';
      rows: readonly string[];
      columns: readonly string[];
      values: readonly (readonly (number | null)[])[];
    }
  /** Points with the frontier of those that no other beats on both: less x, more y. */
  | { type: 'tradeOff'; x: string; y: string; points: readonly Point[] }
  | { type: 'table'; columns: readonly Column[]; rows: readonly (readonly Cell[])[] }
  | { type: 'texts'; note: string; texts: readonly (readonly Run[])[] }
);

/** Metrics as bars; those without a value are left out. */
export function barsOf(metrics: readonly Metric[], name: (metric: Metric) => string): Bar[] {
  return metrics.flatMap((metric) =>
    metric.value === null
      ? []
      : [{ name: name(metric), value: metric.value, n: metric.n, ...(metric.ci ? { ci: metric.ci } : {}) }],
  );
}
