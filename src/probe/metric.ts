import type { Attribute, Place } from '../dataset/example';

export type Slice = Readonly<Record<string, Attribute>>;

export interface Metric {
  id: string;
  /** null if the metric is undefined (no examples, no variance). `note` gives the reason. */
  value: number | null;
  /** Number of examples, pairs or queries. */
  n: number;
  /** The number of images that these examples come from, if it is smaller than `n`. */
  images?: number;
  ties?: number;
  chance?: number;
  /** The 95 % interval, unless `note` says otherwise. */
  ci?: readonly [number, number];
  slice?: Slice;
  /** Whether the value is trivial here, for the reason in `note`. It then gets no chart and no verdict. */
  moot?: boolean;
  note?: string;
}

/** The fields that every row of a rows file has. Each probe adds more. */
export interface Row {
  /** The example's id, and its place in the file. */
  example: string;
  row: number;
  place?: Place;
  image?: string;
}

/** How many independent observations a metric has. Several captions of an image count as one. */
export function imagesOf({ n, images }: Pick<Metric, 'n' | 'images'>): number {
  return images ?? n;
}
