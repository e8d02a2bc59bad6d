import type { Chart as PanelChart } from '../protocol/parts/chart';

/* Charts as data. draw.ts turns them into shapes, except tables and texts. */

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
  /** Whether a value says nothing, because the evaluator is at chance level. Such a point is in no frontier. */
  groundless?: boolean | undefined;
}

export type Better = 'lower' | 'higher';

/** Which values are better on each axis. If either axis is undefined, the chart has no frontier. */
export interface BetterOnAxes {
  x?: Better | undefined;
  y?: Better | undefined;
}

/** One line of a line chart. */
export interface Curve {
  name: string;
  /** No line connects a point with `afterGap` to the previous point. */
  points: readonly { x: number; y: number; ci?: readonly [number, number]; afterGap?: boolean }[];
}

export interface Axes {
  x: string;
  y: string;
  /** Labels of the x axis. By default, the labels are round numbers. */
  ticks?: readonly { x: number; name: string }[];
  /** A position on the x axis, marked with a vertical line and a label. */
  mark?: { x: number; name: string };
}

export interface Column {
  title: string;
  /** Whether the column contains numbers, which are right-aligned. */
  number?: boolean;
}

/** A piece of text. `shade` is from 0 (light) to 5 (dark). `below` is small text under the piece. */
export type Run =
  string | { strong: string } | { quiet: string } | { text: string; shade: number; below?: string };

export type Cell = string | { lines: readonly string[] } | { runs: readonly Run[] };

/** The distribution of one group: a density at equal steps from `low`, or all values of a small group. */
export type Ridge = { name: string; median: number; n: number } & (
  { low: number; step: number; density: readonly number[] } | { values: readonly number[] }
);

/** A distribution, as the share of values in each bin. */
export interface Outline {
  name: string;
  shares: readonly number[];
}

/** An evaluator's rank, its interval (`low` to `high`), and the probability that the evaluator is the best. */
export interface Ranked {
  name: string;
  rank: number;
  low: number;
  high: number;
  best: number;
}

export interface Picture {
  type: 'image/jpeg' | 'image/png';
  bytes: Uint8Array;
  width: number;
  height: number;
}

/** An example on a contact sheet. In place of a missing image, the sheet has the text "no image". */
export interface Frame {
  picture?: Picture;
  captions: readonly { label: string; text: string; score?: number }[];
  note: string;
  attribution?: string;
}

/** A chart as data. A chart without values is not drawn. */
export type Chart = { title: string } & (
  | { type: 'bars'; bars: readonly Bar[]; reference?: number; axis?: string }
  /** A dot and an interval per bar, on one axis. */
  | { type: 'forest'; axis: string; bars: readonly Bar[]; reference?: number }
  | { type: 'histogram'; axis: string; values: readonly number[] }
  /** Distributions over the same bins, drawn on top of each other. */
  | { type: 'outlines'; axis: string; edges: readonly number[]; outlines: readonly Outline[] }
  /** Distributions on a shared axis, one below another. */
  | { type: 'ridges'; axis: string; ridges: readonly Ridge[]; reference?: number }
  | { type: 'ranks'; axis: string; n: number; ranks: readonly Ranked[] }
  | { type: 'sheet'; frames: readonly Frame[] }
  | { type: 'curves'; axes: Axes; curves: readonly Curve[] }
  /** Null in `values` is an empty cell. */
  | {
      type: 'heatmap';
      rows: readonly string[];
      columns: readonly string[];
      values: readonly (readonly (number | null)[])[];
    }
  /**
   * Points, with a line through the best trade-offs (the frontier). By default, lower x and higher y are better.
   */
  | { type: 'tradeOff'; x: string; y: string; points: readonly Point[]; better?: BetterOnAxes }
  | { type: 'table'; columns: readonly Column[]; rows: readonly (readonly Cell[])[] }
  | { type: 'texts'; note: string; texts: readonly (readonly Run[])[] }
  /** A chart of the results panel. It shows the selected rows. */
  | { type: 'panel'; chart: PanelChart }
);

export type Kind<T extends Chart['type']> = Extract<Chart, { type: T }>;
