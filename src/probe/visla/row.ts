import type { Row } from '../probe';

/** P1 is the positive closer to the negative in letters; `swapped` says that the file has them the other way round. */
export interface VislaRow extends Row {
  p1: string;
  p2: string;
  n: string;
  swapped: boolean;
  /** Edit distances of the three pairs, in characters and in words. */
  characters: Edges;
  words: Edges;
  /** Cosines of the three pairs of captions, and whether both positives lie closer to each other than to the negative. */
  t2t?: Edges & { right: boolean; tie: boolean };
  /** Scores of the three captions against the photo, and whether both positives beat the negative. */
  i2t?: { p1: number; p2: number; n: number; right: boolean; tie: boolean };
  /** The two settings side by side, where both were asked. */
  settings?: 'both right' | 'both wrong' | 'only t2t' | 'only i2t';
}

export interface Edges {
  p1p2: number;
  p1n: number;
  p2n: number;
}
