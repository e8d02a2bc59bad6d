import assert from 'node:assert/strict';
import { anytimeMean, type AnytimeTest } from '../../../../src/stats/decisions/anytime';
import { Draws } from '../../../../src/stats/draws';
import { isDefined } from '../../../../src/stats/outcome';

const bounds = { low: -1, high: 1 };

function tested(values: ArrayLike<number>): AnytimeTest {
  const test = anytimeMean(values, bounds);
  assert.ok(isDefined(test));
  return test;
}

/** Differences of right-or-wrong results between two reports. `lead` is the second report's advantage. */
function outcomes(draws: Draws, images: number, share: number, lead: number): Float64Array {
  return Float64Array.from({ length: images }, () => {
    const u = draws.uniform();
    return u < (share + lead) / 2 ? 1 : u < share ? -1 : 0;
  });
}

/**
 * The interval by definition: all grid means for which the capital stays below its limit at every sample size.
 * Each stake depends only on earlier values.
 */
function byGrid(values: Float64Array, level = 0.95): [number, number] {
  const x = [...values].map((value) => (value + 1) / 2);
  const kept: number[] = [];
  for (let m = 0.0005; m < 1; m += 0.001) {
    let [up, down, isOut] = [1, 1, false];
    for (let t = 0; t < x.length && !isOut; t++) {
      // The running mean and variance start with a pseudo-value of 1/2 and a variance of 1/4.
      let squares = 0.25;
      for (let i = 0; i < t; i++) {
        const mean = (0.5 + x.slice(0, i + 1).reduce((a, b) => a + b, 0)) / (i + 2);
        squares += (x[i] - mean) ** 2;
      }
      const stake = Math.sqrt(
        (2 * Math.log(2 / (1 - level))) / ((squares / (t + 1)) * (t + 1) * Math.log(t + 2)),
      );
      up *= 1 + Math.min(stake, 0.5 / m) * (x[t] - m);
      down *= 1 - Math.min(stake, 0.5 / (1 - m)) * (x[t] - m);
      isOut = Math.max(up, down) / 2 >= 1 / (1 - level);
    }
    if (!isOut) kept.push(2 * m - 1);
  }
  return [kept[0], kept.at(-1)!];
}

describe('the anytime-valid test', () => {
  it('is the hedged capital of its definition', () => {
    const draws = new Draws('grid', 3);
    for (const [images, lead] of [
      [25, 0],
      [60, 0.4],
    ]) {
      const values = outcomes(draws, images, 0.6, lead);
      const { low, high } = tested(values);
      const grid = byGrid(values);
      assert.ok(
        Math.abs(low - grid[0]) < 0.004 && Math.abs(high - grid[1]) < 0.004,
        `${low} ${high} ${grid}`,
      );
    }
  });

  it('rejects a true hypothesis in at most 5 % of runs that are looked at after every image', () => {
    const draws = new Draws('null', 1);
    const runs = 400;
    let rejected = 0;
    for (let run = 0; run < runs; run++) if (tested(outcomes(draws, 400, 0.4, 0)).pValue < 0.05) rejected++;
    // The limit is 0.05 plus two standard errors.
    assert.ok(rejected / runs < 0.072, String(rejected / runs));
  });

  it('finds a difference, and its interval excludes zero exactly if p is at most 0.05', () => {
    const draws = new Draws('lead', 2);
    let found = 0;
    for (let run = 0; run < 60; run++) {
      const { low, high, pValue } = tested(outcomes(draws, 600, 0.3, run % 2 === 0 ? 0.15 : 0.02));
      assert.equal(low > 0 || high < 0, pValue < 0.05);
      if (run % 2 === 0 && low > 0) found++;
    }
    assert.ok(found > 25, String(found));
  });

  it('gets smaller bounds and p values with more images, and is symmetric', () => {
    const values = outcomes(new Draws('sides', 4), 200, 0.5, 0.2);
    let last = tested(values.subarray(0, 10));
    for (let n = 20; n <= 200; n += 10) {
      const next = tested(values.subarray(0, n));
      assert.ok(next.low >= last.low - 1e-9 && next.high <= last.high + 1e-9 && next.pValue <= last.pValue);
      last = next;
    }
    const other = tested(values.map((value) => -value));
    assert.ok(Math.abs(other.low + last.high) < 1e-9 && Math.abs(other.pValue / last.pValue - 1) < 1e-9);
  });

  it('rejects values outside the bounds, which its guarantee needs', () => {
    assert.throws(() => anytimeMean([0, 1.5], bounds), /outside its bounds/);
    assert.throws(() => anytimeMean([0], { low: 0, high: 1 }), /do not contain zero/);
    assert.ok(!isDefined(anytimeMean([], bounds)));
  });
});
