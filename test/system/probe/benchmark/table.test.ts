import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { benchmarkTable } from '../../../../scripts/benchmarkTable';
import { needSharedData, sharedData } from '../../../unit/dataset/support';

/** The cells of the lines between the marks in docs/benchmark.md, without their padding. */
function documented(): string[][] {
  const [, table] = readFileSync('docs/benchmark.md', 'utf8').split(/<!-- \/?benchmarkTable -->/);
  return table.trim().split('\n').slice(2).map(cellsOf);
}

const cellsOf = (line: string): string[] => line.split('|').map((cell) => cell.trim());

describe('the table of benchmarks in the documentation', function () {
  this.timeout(180_000);

  it('is what its script makes', async function () {
    needSharedData(this);
    const made = (await benchmarkTable(sharedData)).map(cellsOf);
    assert.deepEqual(made, documented());
    const orders = made.filter(([, name]) => name.startsWith('COCO, shuffled'));
    assert.equal(orders.length, 4);
    for (const [, name, , , , , , , bigram] of orders) assert.ok(Number(bigram) > 0.9, `${name}: ${bigram}`);
  });
});
