import assert from 'node:assert/strict';
import { Draws } from '../../../src/stats/draws';
import { swapTest } from '../../../src/stats/swapTest';

function pOf(differences: readonly number[], options: { rounds?: number; seed?: number } = {}): number {
  return swapTest(
    differences.length,
    (swapped) => differences.reduce((sum, one, i) => sum + (swapped[i] === 1 ? -one : one), 0),
    options,
  );
}

describe('swapTest', () => {
  it('approximates the p value of all 4,096 swaps of twelve rows', () => {
    const differences = [0.3, -0.1, 0.25, 0.4, -0.2, 0.15, 0.05, 0.35, -0.05, 0.1, 0.2, -0.15];
    const seen = Math.abs(differences.reduce((a, b) => a + b));
    let asFar = 0;
    for (let bits = 0; bits < 4096; bits++) {
      const sum = differences.reduce((total, one, i) => total + ((bits >> i) & 1 ? -one : one), 0);
      if (Math.abs(sum) >= seen - 1e-12) asFar++;
    }
    const exact = asFar / 4096;
    assert.ok(Math.abs(pOf(differences) - exact) < 0.01, `${pOf(differences)}, exactly ${exact}`);
  });

  it('is 1 without differences, and small if all rows differ in one direction', () => {
    assert.equal(pOf([0, 0, 0, 0]), 1);
    assert.equal(pOf(Array.from({ length: 40 }, () => 0.5)), 1 / 10000);
  });

  it('rejects a true null hypothesis in about 5 % of 1,000 samples of 50 rows', () => {
    const draws = new Draws('null hypothesis', 7);
    let rejected = 0;
    for (let sample = 0; sample < 1000; sample++) {
      const differences = Array.from(
        { length: 50 },
        () => draws.uniform() + draws.uniform() - draws.uniform() - draws.uniform(),
      );
      if (pOf(differences, { rounds: 199, seed: sample }) <= 0.05) rejected++;
    }
    assert.ok(rejected >= 36 && rejected <= 64, `${rejected} of 1,000`);
  });
});
