import type { Chart as PanelChart } from '../protocol/rows';

/* Charts as data. The pages, the paper kit and the panel's files draw them with one renderer, draw.ts. */

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

export type Better = 'lower' | 'higher';

/** Which values are better on each axis of a trade-off. If an axis has no direction, there is no frontier. */
export interface BetterOnAxes {
  x?: Better | undefined;
  y?: Better | undefined;
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

/**
 * The distribution of one group: its density at equal steps from `low`, in any unit, or the values themselves if
 * they are too few for a density.
 */
export type Ridge = { name: string; median: number; n: number } & (
  { low: number; step: number; density: readonly number[] } | { values: readonly number[] }
);

/** One of several distributions on the same axis, as a share for each bin. */
export interface Outline {
  name: string;
  shares: readonly number[];
}

/** An evaluator's rank, its interval (`low` to `high`), and the probability that it is the best. */
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

/** An example on a contact sheet. Without an image, its place stays empty. */
export interface Frame {
  picture?: Picture;
  captions: readonly { label: string; text: string; score?: number }[];
  note: string;
  attribution?: string;
}

/** A chart as data. A chart without values is not drawn. */
export type Chart = { title: string } & (
  | { type: 'bars'; bars: readonly Bar[]; reference?: number }
  /** A dot and an interval for each bar, on one axis. */
  | { type: 'forest'; axis: string; bars: readonly Bar[]; reference?: number }
  | { type: 'histogram'; axis: string; values: readonly number[] }
  /** Distributions over the same bins, drawn on top of each other. */
  | { type: 'outlines'; axis: string; edges: readonly number[]; outlines: readonly Outline[] }
  /** Distributions on one axis, one below another. */
  | { type: 'ridges'; axis: string; ridges: readonly Ridge[]; reference?: number }
  | { type: 'ranks'; axis: string; n: number; ranks: readonly Ranked[] }
  | { type: 'sheet'; frames: readonly Frame[] }
  | { type: 'curves'; axes: Axes; curves: readonly Curve[] }
  /** The cells by row. null makes an empty cell. */
  | {
      type: 'heatmap';
      rows: readonly string[];
      columns: readonly string[];
      values: readonly (readonly (number | null)[])[];
    }
  /**
   * Points and their frontier. A point is on the frontier if no other point is better on both axes: by default,
   * lower on the x axis and higher on the y axis.
   */
  | { type: 'tradeOff'; x: string; y: string; points: readonly Point[]; better?: BetterOnAxes }
  | { type: 'table'; columns: readonly Column[]; rows: readonly (readonly Cell[])[] }
  | { type: 'texts'; note: string; texts: readonly (readonly Run[])[] }
  /** A chart of the panel, with its selection of rows. */
  | { type: 'panel'; chart: PanelChart }
);

export type Kind<T extends Chart['type']> = Extract<Chart, { type: T }>;
