import type { Metric } from '../../probe/metric';

export interface BoardColumn {
  probe: string;
  title: string;
  dataset: string;
  metric: string;
  better: 'higher' | 'lower' | undefined;
}

export interface BoardCell {
  column: BoardColumn;
  metric: Metric;
  /** The page with the examples behind it. */
  page: string;
}

export interface BoardRow {
  evaluator: string;
  kind: string;
  cells: (BoardCell | undefined)[];
}
