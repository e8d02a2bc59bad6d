import assert from 'node:assert/strict';
import type { Dataset, Problem } from '../../../../src/dataset/dataset';
import type { Example } from '../../../../src/dataset/example';
import { openDataset } from '../../../../src/dataset/open';
import { sampleOf } from '../../../../src/dataset/parts/sample';

const rowCount = 10_000_000;

/** A dataset of so many rows, each an example, whose first file is broken. */
function long(changes: Partial<Dataset> = {}): Dataset & { passed: number } {
  const dataset = {
    passed: 0,
    rowCount,
    *after({ row }: { row: number }, { onProblem }: { onProblem?: (problem: Problem) => void } = {}) {
      if (row === 0) onProblem?.({ code: 'broken-part', severity: 'error', message: 'one', row: undefined });
      onProblem?.({ code: 'broken-part', severity: 'error', message: 'all' });
      for (; row < rowCount; row++) {
        dataset.passed++;
        yield { row } as Example;
      }
    },
    ...changes,
  };
  return dataset as unknown as Dataset & { passed: number };
}

describe('a sample of a long dataset', () => {
  it('is 100 blocks of 10,000 rows, from the first row to the last', async () => {
    const dataset = long();
    const sample = sampleOf(dataset)!;
    assert.deepEqual([sample.rows, sample.of], [1_000_000, rowCount]);
    const problems: Problem[] = [];
    const starts: number[] = [];
    let [count, last] = [0, -2];
    for await (const { row } of sample.read({ onProblem: (problem) => problems.push(problem) })) {
      if (row !== last + 1) starts.push(row);
      last = row;
      count++;
    }
    assert.equal(count, 1_000_000);
    assert.equal(starts.length, 100);
    assert.equal(starts[0], 0);
    assert.equal(last, rowCount - 1);
    const gaps = starts.slice(1).map((start, i) => start - starts[i]);
    assert.ok(Math.max(...gaps) - Math.min(...gaps) <= 1);
    // No more than a row beyond each block is read, and a problem that each reading meets is told once.
    assert.equal(dataset.passed, 1_000_099);
    assert.deepEqual(
      problems.map(({ message }) => message),
      ['one', 'all'],
    );
  });

  it('needs the number of rows of all files, which their footers have', async () => {
    const { rowCount: rows } = await openDataset('test/oracle/dataset/layouts/shards/data/*.parquet');
    assert.equal(rows, 4);
    assert.equal((await openDataset('samples/captions.jsonl')).rowCount, undefined);
  });

  it('is not taken of a dataset that is shorter, of unknown length, or readable only as a whole', () => {
    assert.equal(sampleOf(long({ rowCount: 2_000_000 })), undefined);
    assert.notEqual(sampleOf(long({ rowCount: 2_000_001 })), undefined);
    assert.equal(sampleOf(long({ rowCount: undefined })), undefined);
    assert.equal(sampleOf(long({ after: () => undefined })), undefined);
  });
});
