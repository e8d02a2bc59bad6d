import type { Metric } from '../../probe/metric';

export interface BoardColumn {
  probe: string;
  title: string;
  dataset: string;
  metric: string;
  /** The displayed name of the metric. */
  name: string;
  better: 'higher' | 'lower' | undefined;
}

export interface BoardCell {
  column: BoardColumn;
  metric: Metric;
  /** The page that shows the examples behind the cell. */
  page: string;
}

export interface BoardRow {
  evaluator: string;
  kind: string;
  cells: (BoardCell | undefined)[];
}
