/* A sample of the rows of a dataset that is too long to be read for a summary. */
import type { Dataset, ReadOptions } from '../dataset';
import type { Example } from '../example';
import { KeySet } from '../ids';

/** Of more rows than this, a sample is read. */
export const mostRowsRead = 2_000_000;
const blocks = 100;
const rowsOfBlock = 10_000;

export interface RowSample {
  /** The number of rows in the sample, and of all rows. */
  rows: number;
  of: number;
  read: (options: ReadOptions) => AsyncIterable<Example>;
}

/** Blocks of rows at equal distances. Undefined if the dataset is short, or can only be read as a whole. */
export function sampleOf(dataset: Dataset, most = mostRowsRead): RowSample | undefined {
  const { rowCount } = dataset;
  if (rowCount === undefined || rowCount <= most || rowCount < blocks * rowsOfBlock) return undefined;
  if (dataset.after?.({ row: 0, nth: 0 }) === undefined) return undefined;
  const starts = Array.from({ length: blocks }, (_, i) =>
    Math.floor((i * (rowCount - rowsOfBlock)) / (blocks - 1)),
  );
  return {
    rows: blocks * rowsOfBlock,
    of: rowCount,
    read: (options) => readBlocks(dataset, starts, options),
  };
}

async function* readBlocks(
  dataset: Dataset,
  starts: readonly number[],
  options: ReadOptions,
): AsyncGenerator<Example, void, undefined> {
  // A block beyond a broken part would meet its problem again.
  const broken = new Set<string>();
  const onProblem: ReadOptions['onProblem'] = (problem) => {
    const key = problem.row === undefined ? JSON.stringify(problem) : undefined;
    if (key === undefined || !broken.has(key)) options.onProblem?.(problem);
    if (key !== undefined) broken.add(key);
  };
  const ids = new KeySet();
  for (const start of starts) {
    const end = start + rowsOfBlock;
    for await (const example of dataset.after!({ row: start, nth: 0 }, { ...options, ids, onProblem })!) {
      if (example.row >= end) break;
      yield example;
    }
  }
}
