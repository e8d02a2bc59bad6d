import assert from 'node:assert/strict';
import { atOnce } from '../../../src/base/turns/steps';
import { Draws } from '../../../src/stats/draws';
import { swapTest, type SwapTest } from '../../../src/stats/swapTest';

function pOf(differences: readonly number[], options: { rounds?: number; seed?: number } = {}): number {
  return testOf(differences, options).pValue;
}

function testOf(differences: readonly number[], options: { rounds?: number; seed?: number } = {}): SwapTest {
  return atOnce(
    swapTest(
      differences.length,
      (swapped) =>
        differences.reduce((sum, one, i) => sum + (swapped[i] === 1 ? -one : one), 0) / differences.length,
      options,
    ),
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

  it('has the interval of all differences that it does not reject', () => {
    const draws = new Draws('interval', 3);
    for (let sample = 0; sample < 20; sample++) {
      const n = 8 + 3 * sample;
      const differences = Array.from({ length: n }, () => Math.exp(draws.uniform() * 2) - 2);
      const options = { rounds: 999, seed: sample };
      const [low, high] = testOf(differences, options).ci!;
      const pAt = (difference: number): number =>
        pOf(
          differences.map((one) => one - difference),
          options,
        );
      const step = 1e-9 * (high - low);
      for (const [end, out] of [
        [low, -step],
        [high, step],
      ]) {
        assert.ok(pAt(end + out) <= 0.05, `p ${pAt(end + out)} outside, n ${n}`);
        assert.ok(pAt(end - out) > 0.05, `p ${pAt(end - out)} inside, n ${n}`);
      }
    }
  });

  it('excludes zero from the interval exactly if p is at most 0.05, also with ties', () => {
    const draws = new Draws('ties', 5);
    let excluded = 0;
    for (let sample = 0; sample < 300; sample++) {
      const differences = Array.from(
        { length: 12 + (sample % 30) },
        () => Math.floor(3.4 * draws.uniform() - 1) / 10,
      );
      const { ci, pValue } = testOf(differences, { rounds: 199, seed: sample });
      if (ci === undefined) continue;
      assert.equal(
        ci[0] > 0 || ci[1] < 0,
        pValue <= 0.05,
        `sample ${sample}: ${ci.join(' to ')}, p ${pValue}`,
      );
      if (pValue <= 0.05) excluded++;
    }
    assert.ok(excluded > 30 && excluded < 270, String(excluded));
  });

  it('has no interval if five rows are too few to reject, or if all rows differ equally', () => {
    assert.equal(testOf([0.1, 0.4, 0.2, 0.3, 0.5]).ci, undefined);
    assert.equal(testOf(Array.from({ length: 40 }, () => 0.1)).ci, undefined);
  });
});
