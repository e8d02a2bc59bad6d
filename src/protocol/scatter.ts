import { choice, flag, list, number, object, optional, pair, type Shaped, text, words } from '../base/shape';

/* Two metrics of each evaluator against each other: a part of the board. */

const better = optional(choice('lower', 'higher'));
const ends = optional(pair(number, number));
export const side = choice('x', 'y');
export type Side = Shaped<typeof side>;

const axis = object({
  key: text,
  /** The probe and the dataset. */
  group: text,
  /** The displayed name of the metric. Its id is `metric`. */
  name: words,
  metric: text,
  better,
});
export type ScatterAxis = Shaped<typeof axis>;

/** The keys of the axes that the user chose. */
export const chosenAxes = object({ x: text, y: text });
export type ChosenAxes = Shaped<typeof chosenAxes>;

export const scatterState = object({
  /** The axes to choose from. */
  axes: object({ x: list(axis), y: list(axis) }),
  chosen: chosenAxes,
  /** The evaluators that have both metrics. */
  points: list(
    object({
      ...{ name: text, x: number, y: number, xci: ends, yci: ends, xText: words, yText: words },
      groundless: optional(flag),
      /** The reports behind the two values. */
      reports: object({ x: text, y: text }),
    }),
  ),
});
export type ScatterState = Shaped<typeof scatterState>;

export const scatterForm = choice('html', 'svg', 'csv');
