import type { Words } from '../../base/say';
import { imagesOf, type Metric } from '../../probe/metric';
import { leastImages } from '../../stats/decisions/smallSample';
import { interval, valueOf } from '../figures';
import type { Entry } from '../paper/entry';

export interface BoardColumn {
  probe: string;
  title: string;
  dataset: string;
  metric: string;
  /** The displayed name of the metric, after the name of its group if there is one. */
  names: readonly Words[];
  better: 'higher' | 'lower' | undefined;
}

/** A value with its report, or the reason for a missing value. */
export type BoardCell = { metric: Metric & { value: number }; entry: Entry } | { missing: Words };

export interface BoardRow {
  evaluator: string;
  kind: string;
  cells: BoardCell[];
}

export interface Board {
  columns: BoardColumn[];
  rows: BoardRow[];
  entries: readonly Entry[];
}

export function hasFewImages(cell: BoardCell): boolean {
  return 'metric' in cell && imagesOf(cell.metric) < leastImages;
}

/** The texts of a cell. The interval is empty if there are too few images. */
export function shownCell({ metric }: Extract<BoardCell, { metric: Metric }>): {
  text: string;
  interval: string;
} {
  return {
    text: valueOf(metric),
    interval: imagesOf(metric) < leastImages ? '' : interval(metric),
  };
}
