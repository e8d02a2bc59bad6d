import { commonCluster, observationCount } from '../../base/text/observations';
import { say, together, type Words } from '../../base/say';
import { observationsIn, type Metric } from '../../probe/metric';
import { withheldIn } from '../../probe/inference/withheld';
import { leastImages } from '../../stats/decisions/smallSample';
import { firmInterval, interval, valueOf } from '../figures';
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
  /** What the table does not show. */
  notes: Words;
}

/** A note on the values without an interval because they come from too few images or clusters. */
function fewWords(rows: readonly BoardRow[]): Words | undefined {
  const few = rows.flatMap(({ cells }) =>
    cells.filter((cell) => 'metric' in cell).filter(({ metric }) => observationsIn(metric) < leastImages),
  );
  if (few.length === 0) return undefined;
  const cluster = commonCluster(few.map(({ entry }) => entry.report.dataset.cluster));
  return say('board.noInterval', observationCount(leastImages, cluster));
}

/** `checked` is the number of reports of benchmarks, which have no evaluator. `others`: notes on other reports. */
export function notesOf(rows: readonly BoardRow[], checked: number, others: readonly Words[]): Words {
  const benchmarks = checked === 0 ? undefined : say('board.benchmarksLeftOut', checked);
  return together(fewWords(rows), benchmarks, ...others);
}

/** The texts of a cell. The interval is empty if there are too few images. `doubt`: why the report has no verdict. */
export function shownCell({ metric, entry }: Extract<BoardCell, { metric: Metric }>): {
  text: string;
  interval: string;
  doubt?: Words;
} {
  const doubt = withheldIn(entry.report.claims);
  return {
    text: valueOf(metric),
    interval: firmInterval(metric) === undefined ? '' : interval(metric),
    ...(doubt && { doubt }),
  };
}
