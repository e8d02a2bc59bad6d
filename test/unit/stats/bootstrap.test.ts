import { english } from '../../../src/base/english';
import assert from 'node:assert/strict';
import { atOnce } from '../../../src/base/turns/steps';
import { bcaInterval } from '../../../src/stats/bootstrap';
import { numberClusters } from '../../../src/stats/clustering';
import { binomialTails } from '../../../src/stats/distributions';
import { Draws } from '../../../src/stats/draws';
import { isDefined, type NotDefined, type Outcome } from '../../../src/stats/outcome';
import { medianResampler, ratioResampler } from '../../../src/stats/resampling/resample';
import { rowsResampler } from '../../../src/stats/resampling/rows';
import { median } from '../../../src/stats/summary';
import { Stream } from './inputs';
import { saying } from '../../sentence';

function defined<T>(outcome: Outcome<T>): T {
  if (isDefined(outcome)) return outcome;
  return assert.fail(english((outcome as NotDefined).reason));
}

function reasonOf(outcome: Outcome<unknown>): string {
  assert.ok(!isDefined(outcome));
  return english((outcome as NotDefined).reason);
}

/** The exact bootstrap distribution over all n^n resamples of n clusters. */
function exactDistribution(n: number, of: (clusters: number[]) => number): Map<string, number> {
  const out = new Map<string, number>();
  const picked = new Array<number>(n).fill(0);
  for (let code = 0; code < n ** n; code++) {
    for (let i = 0, rest = code; i < n; i++, rest = Math.floor(rest / n)) picked[i] = rest % n;
    const key = of(picked).toFixed(9);
    out.set(key, (out.get(key) ?? 0) + 1 / n ** n);
  }
  return out;
}

/** Pearson's χ² between 200,000 draws and the exact distribution, in standard deviations from its expectation. */
function surprise(exact: Map<string, number>, draw: (draws: Draws) => number): number {
  const draws = new Draws('test', 1);
  const total = 200_000;
  const seen = new Map<string, number>();
  for (let i = 0; i < total; i++) {
    const key = draw(draws).toFixed(9);
    seen.set(key, (seen.get(key) ?? 0) + 1);
  }
  for (const key of seen.keys()) assert.ok(exact.has(key), `${key} cannot come out`);
  let chi = 0;
  for (const [key, share] of exact) chi += ((seen.get(key) ?? 0) - share * total) ** 2 / (share * total);
  const degrees = exact.size - 1;
  return (chi - degrees) / Math.sqrt(2 * degrees);
}

describe('bootstrap', () => {
  describe('draws from the exact distribution', () => {
    for (const values of [
      [3, 1, 4, 1.5, 9],
      [2, 7, 1, 8, 2.5, 6],
      [1, 1, 2, 2, 2, 5],
    ]) {
      it(`median of ${values.join(', ')}`, () => {
        const exact = exactDistribution(values.length, (rows) => median(rows.map((row) => values[row])));
        const from = medianResampler(Float64Array.from(values), undefined);
        assert.ok(surprise(exact, (draws) => from.draw(draws)) < 5);
        const all = atOnce(from.ofAll!(7, 100));
        const draws = new Draws('bootstrap', 7);
        assert.deepEqual(
          all,
          Float64Array.from({ length: 100 }, () => from.draw(draws)),
        );
        assert.deepEqual(atOnce(from.ofAll!(7, 100)), all, 'shared draws');
      });
    }

    const values = Float64Array.of(5, 1, 1, 3, 8, 2, 2, 9, 4, 6, 7);
    const names = ['c', 'a', 'a', 'b', 'b', 'c', 'd', 'd', 'd', 'e', 'e'];
    const clustering = numberClusters(names);
    const rowsOf = (clusters: number[]): number[] =>
      clusters.flatMap((c) => [...values.keys()].filter((row) => clustering.of[row] === c));

    it('median of clusters', () => {
      const exact = exactDistribution(5, (picked) => median(rowsOf(picked).map((row) => values[row])));
      const from = medianResampler(values, clustering);
      assert.ok(surprise(exact, (draws) => from.draw(draws)) < 5);
    });

    it('ratio of clusters, drawn cluster by cluster', () => {
      const bottom = values.map((v) => v + 1);
      const total = (of: Float64Array, rows: number[]): number => rows.reduce((t, row) => t + of[row], 0);
      const exact = exactDistribution(5, (p) => total(values, rowsOf(p)) / total(bottom, rowsOf(p)));
      const from = ratioResampler(values, bottom, clustering);
      assert.ok(surprise(exact, (draws) => from.draw(draws)) < 5);
    });

    it('any statistic of clustered rows', () => {
      const largest = (rows: Iterable<number>): number =>
        Math.max(...[...rows].map((row) => values[row] - row));
      const exact = exactDistribution(5, (picked) => largest(rowsOf(picked)));
      const from = rowsResampler(values.length, largest, clustering);
      assert.ok(surprise(exact, (draws) => from.draw(draws)) < 5);
    });

    for (const [successes, n] of [
      [3, 80],
      [40, 100],
      [299, 300],
    ]) {
      it(`proportion of ${successes} in ${n}, drawn as a binomial`, () => {
        const of = Float64Array.from({ length: n }, (_, i) => (i < successes ? 1 : 0));
        const exact = new Map<string, number>();
        const atMost = (k: number): number => binomialTails(k, n, successes / n).lower;
        for (let k = 0; k <= n; k++) exact.set((k / n).toFixed(9), atMost(k) - atMost(k - 1));
        const from = ratioResampler(of, new Float64Array(n).fill(1), undefined);
        const draws = new Draws('test', 2);
        const total = 200_000;
        const seen = new Map<string, number>();
        for (let i = 0; i < total; i++) {
          const key = from.draw(draws).toFixed(9);
          seen.set(key, (seen.get(key) ?? 0) + 1);
        }
        let [chi, kinds] = [0, 0];
        for (const [key, share] of exact) {
          // χ² needs a few expected draws per cell.
          if (share * total < 5) continue;
          chi += ((seen.get(key) ?? 0) - share * total) ** 2 / (share * total);
          kinds++;
        }
        assert.ok((chi - kinds) / Math.sqrt(2 * kinds) < 5, `${chi} with ${kinds} kinds`);
      });
    }
  });

  it('depends on the seed, not on the order of rows', () => {
    const stream = new Stream(4);
    const values = Float64Array.from({ length: 300 }, () => stream.bell());
    const clusters = Array.from(values, () => `image ${stream.below(60)}`);
    for (const statistic of ['mean', 'median'] as const) {
      for (const grouping of [undefined, clusters]) {
        const interval = atOnce(bcaInterval({ values, clusters: grouping, statistic, seed: 5 }));
        assert.deepEqual(atOnce(bcaInterval({ values, clusters: grouping, statistic, seed: 5 })), interval);
        assert.deepEqual(
          atOnce(
            bcaInterval({
              values: values.toReversed(),
              clusters: grouping?.toReversed(),
              statistic,
              seed: 5,
            }),
          ),
          interval,
        );
        assert.notDeepEqual(
          atOnce(bcaInterval({ values, clusters: grouping, statistic, seed: 6 })),
          interval,
        );
      }
    }
  });

  it('gives fast and generic statistics the same interval, up to the noise of resampling', () => {
    const stream = new Stream(9);
    const values = Float64Array.from({ length: 101 }, () => stream.bell());
    const clusters = Uint32Array.from(values, () => stream.below(40));
    const fast = defined(atOnce(bcaInterval({ values, clusters, statistic: 'median' })));
    const generic = defined(
      atOnce(
        bcaInterval({
          statistic: (rows) => median(Float64Array.from(rows, (row) => values[row])),
          rows: 101,
          clusters,
        }),
      ),
    );
    assert.equal(fast.estimate, generic.estimate);
    assert.ok(Math.abs(fast.acceleration - generic.acceleration) < 1e-12);
    assert.ok(Math.abs(fast.low - generic.low) < 0.05 && Math.abs(fast.high - generic.high) < 0.05);
  });

  it('is wider if values of a cluster are correlated', () => {
    const stream = new Stream(11);
    const level = Float64Array.from({ length: 50 }, () => stream.bell());
    const clusters = Uint32Array.from({ length: 500 }, (_, i) => i % 50);
    const values = Float64Array.from(clusters, (c) => level[c] + 0.1 * stream.bell());
    const alone = defined(atOnce(bcaInterval({ values, statistic: 'mean' })));
    const together = defined(atOnce(bcaInterval({ values, clusters, statistic: 'mean' })));
    assert.ok(together.high - together.low > 2.5 * (alone.high - alone.low));
    assert.equal(together.clusters, 50);
  });

  it('covers the true value at its nominal rate', () => {
    let hits = 0;
    for (let trial = 0; trial < 400; trial++) {
      const stream = new Stream(trial + 1000);
      const values = Float64Array.from({ length: 40 }, () => stream.uniform());
      const { low, high } = defined(
        atOnce(bcaInterval({ values, statistic: 'mean', resamples: 999, seed: trial })),
      );
      if (low <= 0.5 && high >= 0.5) hits++;
    }
    assert.ok(hits > 360 && hits < 396, `${hits} of 400`);
  });

  it('says why there is no interval', () => {
    assert.match(reasonOf(atOnce(bcaInterval({ values: [], statistic: 'mean' }))), saying('stats.noValues'));
    assert.match(
      reasonOf(atOnce(bcaInterval({ values: [4], statistic: 'median' }))),
      saying('stats.singleValue'),
    );
    assert.match(
      reasonOf(atOnce(bcaInterval({ values: [1, 2], clusters: ['a', 'a'], statistic: 'mean' }))),
      /one image or query/,
    );
    for (const statistic of ['mean', 'median'] as const) {
      assert.match(reasonOf(atOnce(bcaInterval({ values: [0.1, 0.1, 0.1], statistic }))), /same value/);
    }
    assert.match(
      reasonOf(atOnce(bcaInterval({ values: [0, 0, 0, 0, 0, 1, 2], statistic: 'median' }))),
      /changes nothing/,
    );
    assert.match(
      reasonOf(atOnce(bcaInterval({ values: [1, 2, 3], denominators: [0, 0, 1], statistic: 'ratio' }))),
      /not defined on \d+ of 10000 resamples/,
    );
    // Every cluster has the same ratio, so estimates differ only by rounding.
    const clusters = Array.from({ length: 60 }, (_, i) => i % 7);
    const values = clusters.map((_, i) => 0.1 * (i + 1));
    const denominators = clusters.map((_, i) => 0.3 * (i + 1));
    assert.match(
      reasonOf(atOnce(bcaInterval({ values, denominators, clusters, statistic: 'ratio' }))),
      /same value/,
    );
  });

  it('rejects invalid data', () => {
    assert.throws(() => atOnce(bcaInterval({ values: [1, NaN, 2], statistic: 'mean' })), /Value 1 is NaN/);
    assert.throws(() => atOnce(bcaInterval({ values: [1, Infinity], statistic: 'median' })), RangeError);
    assert.throws(
      () => atOnce(bcaInterval({ values: [1, 2], clusters: [1], statistic: 'mean' })),
      RangeError,
    );
    assert.throws(() => atOnce(bcaInterval({ values: [1, 2], statistic: 'mean', level: 95 })), RangeError);
    assert.throws(() => atOnce(bcaInterval({ values: [1, 2], statistic: 'mean', resamples: 0 })), RangeError);
  });
});
