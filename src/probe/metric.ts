import type { Attribute, Place } from '../dataset/example';

export type Slice = Readonly<Record<string, Attribute>>;

/** A figure of a report. */
export interface Metric {
  id: string;
  /** null where it is not defined (no example, no variance): `note` says why. */
  value: number | null;
  /** How many examples, pairs or queries it stands on. */
  n: number;
  ties?: number;
  /** 95 % unless `note` says otherwise. */
  ci?: readonly [number, number];
  slice?: Slice;
  /** The value is true and tells nothing here, so that no picture or sentence is made of it: `note` says why. */
  moot?: boolean;
  note?: string;
}

/** One line of the rows file. What every row has; each probe adds its own fields. */
export interface Row {
  /** The example's id, and its place in the file. */
  example: string;
  row: number;
  place?: Place;
  image?: string;
}
