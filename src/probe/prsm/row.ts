import { smallest } from '../../base/extent';
import type { Row } from '../probe';

/** Two wordings of a query and how far the orders agree that they put the photos into. */
export interface PairRow {
  first: string;
  second: string;
  /** Null where all photos tie. */
  rho: number | null;
  listwise: number | null;
  /** By size of the top: share of photos that both have. */
  shared: Record<string, number>;
}

export interface QueryRow extends Row {
  kind: 'query';
  caption: string;
  wordings: { label: string; text: string; first: string[] }[];
  pairs: PairRow[];
  /** By set: the photos among the first that a wording brings in, and that it drops, against the set's first wording. */
  moved: { label: string; against: string; entered: string[]; left: string[] }[];
  /** Means over all pairs of the sets, as in the figures without a slice. */
  global: number | null;
  listwise: number | null;
  local: Record<string, number>;
}

/** What moved most comes first: by the share of the smallest top that stayed. */
export function steadiness({ local }: QueryRow): number {
  return local[smallest(Object.keys(local).map(Number))];
}
