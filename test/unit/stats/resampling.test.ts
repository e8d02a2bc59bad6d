import assert from 'node:assert/strict';
import { say } from '../../../src/base/say';
import { atOnce } from '../../../src/base/turns/steps';
import { bcaInterval, bcaIntervals } from '../../../src/stats/bootstrap';
import { numberClusters } from '../../../src/stats/clustering';
import { Draws } from '../../../src/stats/draws';
import { isDefined } from '../../../src/stats/outcome';
import { eachPicks } from '../../../src/stats/resampling/picks';
import { Stream } from './inputs';

describe('resamples of clusters', () => {
  for (const clusters of [1, 7, 239, 419, 420, 1500])
    it(`are the same in one array or in many: ${clusters} clusters`, () => {
      const [seed, resamples] = [5, 10_000];
      const draws = new Draws('bootstrap', seed);
      const one = new Uint32Array(clusters);
      let total = 0;
      atOnce(
        eachPicks({ seed, clusters, resamples }, (picks, count) => {
          for (let r = 0; r < count; r++) {
            draws.indices(one, clusters);
            for (let i = 0; i < clusters; i++)
              if (picks[r * clusters + i] !== one[i]) assert.fail(`resample ${total + r} differs`);
          }
          total += count;
        }),
      );
      assert.equal(total, resamples);
    });
});

describe('intervals of several statistics', () => {
  const stream = new Stream(3);
  // The values are whole numbers, because their sum is the same in any order.
  const values = Float64Array.from({ length: 200 }, () => Math.round(stream.bell() * 50));
  const clusters = Uint32Array.from(values, () => stream.below(30));
  const { of: numbered, count } = numberClusters(clusters);
  const totals = new Float64Array(count);
  const squares = new Float64Array(count);
  const sizes = new Float64Array(count);
  numbered.forEach((cluster, row) => {
    totals[cluster] += values[row];
    squares[cluster] += values[row] ** 2;
    sizes[cluster]++;
  });
  const ratio = (top: Float64Array, times: Float64Array): number => {
    let [sum, rows] = [0, 0];
    times.forEach((often, cluster) => {
      sum += often * top[cluster];
      rows += often * sizes[cluster];
    });
    return sum / rows;
  };
  const joint = (of: (times: Float64Array, out: Float64Array) => void) =>
    atOnce(bcaIntervals({ clusters: count, count: 2, of }, { seed: 8 }));

  it('equal those of each statistic alone, to the bit', () => {
    const intervals = joint((times, out) => {
      out[0] = ratio(totals, times);
      out[1] = ratio(squares, times);
    });
    for (const [i, of] of [values, values.map((value) => value ** 2)].entries()) {
      const mean = (rows: Uint32Array): number => rows.reduce((sum, row) => sum + of[row], 0) / rows.length;
      assert.deepEqual(
        intervals[i],
        atOnce(bcaInterval({ rows: values.length, statistic: mean, clusters, seed: 8 })),
      );
    }
  });

  it('are undefined only for the statistic without a value', () => {
    const [defined, never] = joint((times, out) => {
      out[0] = ratio(totals, times);
      out[1] = NaN;
    });
    assert.ok(isDefined(defined));
    assert.ok(!isDefined(never));
    const [one] = atOnce(bcaIntervals({ clusters: 1, count: 1, of: () => undefined }, { seed: 8 }));
    assert.deepEqual(one, { reason: say('inference.oneCluster') });
  });
});
