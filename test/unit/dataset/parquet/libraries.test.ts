import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CellValue, Fields } from '../../../../src/dataset/cell';
import { ParquetFile } from '../../../../src/dataset/parquet/parquet';

const oracle = join(__dirname, '../../../oracle/dataset');
const { files } = JSON.parse(readFileSync(join(oracle, 'parquet.json'), 'utf8')) as {
  files: Record<string, object[]>;
};

function plain(value: CellValue): unknown {
  if (value instanceof Uint8Array) return { sha256: createHash('sha256').update(value).digest('hex') };
  if (value instanceof Fields)
    return Object.fromEntries(value.names.map((name, i) => [name, plain(value.cells[i].value)]));
  return typeof value === 'object' && value !== null ? value.map((cell) => plain(cell.value)) : value;
}

async function rowsOf(path: string, first?: number, limit?: number): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const { fields } of (await ParquetFile.open(path)).entries(undefined, first, limit))
    found.push(plain(fields));
  return found;
}

describe('a Parquet file of a library of Python', () => {
  for (const [name, rows] of Object.entries(files))
    it(`has the values that pyarrow and polars read: ${name}`, async () => {
      const path = join(oracle, 'parquet', name);
      assert.deepEqual(await rowsOf(path), rows);
      assert.deepEqual(await rowsOf(path, 2, 7), rows.slice(2, 7));
    });
});
