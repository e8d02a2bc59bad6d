import type { Words } from '../base/say';
import type { Chart as PanelChart } from '../protocol/parts/chart';

/* Charts as data. draw.ts turns them into shapes, except tables and texts. `T` are words until a language is known. */

export interface Bar<T extends Words = string> {
  name: T;
  value: number;
  ci?: readonly [number, number];
  n: number;
}

export interface Point<T extends Words = string> {
  name: T;
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
export interface Curve<T extends Words = string> {
  name: T;
  /** No line connects a point with `afterGap` to the previous point. */
  points: readonly { x: number; y: number; ci?: readonly [number, number]; afterGap?: boolean }[];
}

export interface Axes<T extends Words = string> {
  x: T;
  y: T;
  /** Labels of the x axis. By default, the labels are round numbers. */
  ticks?: readonly { x: number; name: T }[];
  /** A position on the x axis, marked with a vertical line and a label. */
  mark?: { x: number; name: T };
}

export interface Column<T extends Words = string> {
  title: T;
  /** Whether the column contains numbers, which are right-aligned. */
  number?: boolean;
}

/** A piece of text. `shade` is from 0 (light) to 5 (dark). `below` is small text under the piece. */
export type Run<T extends Words = string> =
  T | { strong: T } | { quiet: T } | { text: T; shade: number; below?: T };

export type Cell<T extends Words = string> = T | { lines: readonly T[] } | { runs: readonly Run<T>[] };

/** The distribution of one group: a density at equal steps from `low`, or all values of a small group. */
export type Ridge<T extends Words = string> = { name: T; median: number; n: number } & (
  { low: number; step: number; density: readonly number[] } | { values: readonly number[] }
);

/** A distribution, as the share of values in each bin. */
export interface Outline<T extends Words = string> {
  name: T;
  shares: readonly number[];
}

/** An evaluator's rank, its interval (`low` to `high`), and the probability that the evaluator is the best. */
export interface Ranked<T extends Words = string> {
  name: T;
  rank: number;
  low: number;
  high: number;
  best: number;
}

export interface EncodedImage {
  type: 'image/jpeg' | 'image/png';
  bytes: Uint8Array;
  width: number;
  height: number;
}

/** An example on a contact sheet. In place of a missing image, the sheet has the text "no image". */
export interface Frame<T extends Words = string> {
  image?: EncodedImage;
  captions: readonly { label: T; text: T; score?: number }[];
  note: T;
  attribution?: T;
}

/** A chart as data. A chart without values is not drawn. */
export type Chart<T extends Words = string> = { title: T } & (
  | { type: 'bars'; bars: readonly Bar<T>[]; reference?: number; axis?: T }
  /** A dot and an interval per bar, on one axis. */
  | { type: 'forest'; axis: T; bars: readonly Bar<T>[]; reference?: number }
  | { type: 'histogram'; axis: T; values: readonly number[] }
  /** Distributions over the same bins, drawn on top of each other. */
  | { type: 'outlines'; axis: T; edges: readonly number[]; outlines: readonly Outline<T>[] }
  /** Distributions on a shared axis, one below another. */
  | { type: 'ridges'; axis: T; ridges: readonly Ridge<T>[]; reference?: number }
  | { type: 'ranks'; axis: T; n: number; ranks: readonly Ranked<T>[] }
  | { type: 'sheet'; frames: readonly Frame<T>[] }
  | { type: 'curves'; axes: Axes<T>; curves: readonly Curve<T>[] }
  /** Null in `values` is an empty cell. */
  | {
      type: 'heatmap';
      rows: readonly T[];
      columns: readonly T[];
      values: readonly (readonly (number | null)[])[];
    }
  /** Points, with a line through the best trade-offs. By default, lower x and higher y are better. */
  | { type: 'tradeOff'; x: T; y: T; points: readonly Point<T>[]; better?: BetterOnAxes }
  | { type: 'table'; columns: readonly Column<T>[]; rows: readonly (readonly Cell<T>[])[] }
  | { type: 'texts'; note: T; texts: readonly (readonly Run<T>[])[] }
  /** A chart of the results panel. It shows the selected rows. */
  | { type: 'panel'; chart: PanelChart }
);

export type Kind<T extends Chart['type'], W extends Words = string> = Extract<Chart<W>, { type: T }>;
