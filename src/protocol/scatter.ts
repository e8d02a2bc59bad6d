import {
  choice,
  flag,
  list,
  number,
  object,
  optional,
  pair,
  type Shaped,
  text,
  count,
  union,
} from '../base/shape';

/* Messages between the scatter view and the extension host. Both sides check what they receive. */

const better = optional(choice('lower', 'higher'));
const ends = optional(pair(number, number));
const side = choice('x', 'y');
export type Side = Shaped<typeof side>;

const axis = object({
  key: text,
  /** The probe and the dataset. */
  group: text,
  /** The displayed name of the metric. Its id is `metric`. */
  name: text,
  metric: text,
  better,
});
export type ScatterAxis = Shaped<typeof axis>;

const state = object({
  /** The axes to choose from. */
  axes: object({ x: list(axis), y: list(axis) }),
  /** Keys of the chosen axes. */
  x: text,
  y: text,
  /** The evaluators that have both metrics. */
  points: list(
    object({
      ...{ name: text, x: number, y: number, xci: ends, yci: ends, xText: text, yText: text },
      groundless: optional(flag),
    }),
  ),
});
export type ScatterState = Shaped<typeof state>;

/** The view's state that a reload keeps. */
export const scatterMemory = object({ reports: list(text), x: optional(text), y: optional(text) });
export type ScatterMemory = Shaped<typeof scatterMemory>;

export const toScatter = union({ show: { state, memory: scatterMemory } });
export type ToScatter = Shaped<typeof toScatter>;

export const fromScatter = union({
  ready: {},
  choose: { side, key: text },
  /** Opens the report behind a point's x or y value. */
  open: { point: count, side },
  export: {},
  /** A defect in the view, for the log. */
  defect: { message: text },
});
export type FromScatter = Shaped<typeof fromScatter>;
