import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { flatten } from '../../../../src/report/export/flat';
import type { TableCell } from '../../../../src/report/table/table';
import { cells, columns, results, writeAll } from './written';

const kept = join(__dirname, '../../../oracle/export');

/** A cell as the libraries of Python read it, with hashes instead of bytes. */
function plain(cell: TableCell): unknown {
  if (typeof cell !== 'object' || cell === null || !('bytes' in cell)) return cell;
  return { bytes: createHash('sha256').update(cell.bytes).digest('hex'), path: cell.path };
}

describe('tables for the libraries of Python', () => {
  let read: { rows: object[]; results: Record<string, unknown>[] };
  before(async () => {
    read = JSON.parse(await readFile(join(kept, 'read.json'), 'utf8')) as typeof read;
  });

  it('have the values that pyarrow, polars, datasets and webdataset read', () => {
    const own = cells.map((row) => Object.fromEntries(row.map((cell, i) => [columns[i][0], plain(cell)])));
    assert.deepEqual(read.rows, own);
  });

  it('fill a results folder that load_dataset reads', () => {
    const own = results.flatMap(({ id, rows }) =>
      rows.map((row) => ({
        evaluator: id,
        dataset: 'triplets.tsv',
        ...Object.fromEntries(flatten(row)),
        lost: 'lost' in row ? row.lost : null,
      })),
    );
    assert.deepEqual(read.results, own);
  });

  it('have the same bytes as those that the libraries read', async () => {
    const out = await mkdtemp(join(tmpdir(), 'captious-tables-'));
    try {
      const files = await writeAll(out);
      assert.equal(files.length, 7);
      for (const file of files) {
        const name = relative(out, file);
        assert.deepEqual(await readFile(file), await readFile(join(kept, name)), name);
      }
    } finally {
      await rm(out, { recursive: true });
    }
  });
});
