import type { Attribute, Place } from '../dataset/example';

export type Slice = Readonly<Record<string, Attribute>>;

/** A metric of a report. */
export interface Metric {
  id: string;
  /** null if not defined (no example, no variance); `note` gives the reason. */
  value: number | null;
  /** Number of examples, pairs or queries. */
  n: number;
  /** Number of images behind them, if smaller than `n`. */
  images?: number;
  ties?: number;
  /** Chance level. */
  chance?: number;
  /** 95 % unless `note` says otherwise. */
  ci?: readonly [number, number];
  slice?: Slice;
  /** The value is trivial here, so it gets no chart and no verdict; `note` gives the reason. */
  moot?: boolean;
  note?: string;
}

/** The fields that every row of the rows file has; each probe adds its own. */
export interface Row {
  /** Id of the example, and its place in the file. */
  example: string;
  row: number;
  place?: Place;
  image?: string;
}

/** The number of independent observations of a metric: several captions of an image count once. */
export function imagesOf({ n, images }: Pick<Metric, 'n' | 'images'>): number {
  return images ?? n;
}
