import { choice, list, number, object, optional, pair, type Shaped, text, count, union } from '../base/shape';

/* Messages between the view of robustness and agreement and the extension host, checked on arrival. */

const better = optional(choice('lower', 'higher'));
const ends = optional(pair(number, number));
const side = choice('x', 'y');
export type Side = Shaped<typeof side>;

const axis = object({
  key: text,
  /** The probe and the dataset. */
  group: text,
  /** The displayed name of the metric, and its id. */
  name: text,
  metric: text,
  better,
});
export type ScatterAxis = Shaped<typeof axis>;

const state = object({
  /** The metrics to choose from. */
  axes: object({ x: list(axis), y: list(axis) }),
  /** Keys of the chosen axes. */
  x: text,
  y: text,
  /** The evaluators that have both metrics. */
  points: list(object({ name: text, x: number, y: number, xci: ends, yci: ends, xText: text, yText: text })),
});
export type ScatterState = Shaped<typeof state>;

/** What the view remembers across a reload. */
export const scatterMemory = object({ reports: list(text), x: optional(text), y: optional(text) });
export type ScatterMemory = Shaped<typeof scatterMemory>;

export const toScatter = union({ show: { state, memory: scatterMemory } });
export type ToScatter = Shaped<typeof toScatter>;

export const fromScatter = union({
  ready: {},
  choose: { side, key: text },
  /** Opens the report with a point's metric. */
  open: { point: count, side },
  export: {},
  /** A defect in the view, which goes to the log. */
  defect: { message: text },
});
export type FromScatter = Shaped<typeof fromScatter>;
