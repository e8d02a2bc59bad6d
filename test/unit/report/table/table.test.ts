import assert from 'node:assert/strict';
import { groupsOf, type TableCell } from '../../../../src/report/table/table';

async function sizes(count: number, cellsOf: (i: number) => readonly TableCell[]): Promise<number[]> {
  async function* rows(): AsyncGenerator<readonly TableCell[]> {
    for (let i = 0; i < count; i++) yield await Promise.resolve(cellsOf(i));
  }
  const found: number[] = [];
  for await (const group of groupsOf({ rows: rows() })) found.push(group.length);
  return found;
}

describe('groups of rows', () => {
  it('have at most 10,000 rows', async () => {
    assert.deepEqual(await sizes(20_001, (i) => [i, String(i), null]), [10_000, 10_000, 1]);
    assert.deepEqual(await sizes(0, () => []), []);
  });

  it('end after 16 MB of images or texts', async () => {
    const image = { bytes: new Uint8Array(6 << 20), path: '1.png' };
    assert.deepEqual(await sizes(7, () => [image]), [3, 3, 1]);
    const text = 'x'.repeat(9 << 20);
    assert.deepEqual(await sizes(3, () => [[text]]), [2, 1]);
  });
});
