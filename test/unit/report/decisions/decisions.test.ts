import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { atOnce } from '../../../../src/base/turns/steps';
import type { RowShares } from '../../../../src/report/shares';
import { differencesOf } from '../../../../src/report/paired';
import { nonInferiority, ranksOfReports } from '../../../../src/report/decisions/decisions';
import { clusteredMeanTest } from '../../../../src/stats/decisions/clusterTest';
import { isDefined } from '../../../../src/stats/outcome';
import { clusteredShareInterval, wilsonInterval } from '../../../../src/stats/proportion';
import { detectableEffect, imagesNeeded, powerOfT } from '../../../../src/stats/decisions/power';
import { rankIntervals } from '../../../../src/stats/decisions/rankIntervals';

interface Oracle {
  power: { effect: number; n: number; alpha: number; power: number }[];
  needed: { effect: number; power: number; n: number }[];
  clustered: {
    values: number[];
    groups: number[];
    p: number;
    low: number;
    high: number;
    margin: number;
    inferiority: number;
  }[];
  unequal: {
    values: number[];
    groups: number[];
    error: number;
    degrees: number;
    p: number;
    low: number;
    high: number;
  }[];
  skewed: {
    values: number[];
    groups: number[];
    skewness: number | null;
    p: number;
    low: number;
    high: number;
  }[];
  shares: { totals: number[]; size: number; share: number; low: number; high: number }[];
  simple: { values: number[]; margin: number; inferiority: number };
  ranks: { scores: number[][]; best: number[]; expected: number[] };
  intervals: { scores: number[][]; low: number[]; high: number[]; best: number[] };
}

const oracle = JSON.parse(readFileSync('test/oracle/decisions/expected.json', 'utf8')) as Oracle;

function near(found: number, expected: number, tolerance: number, what: string): void {
  assert.ok(Math.abs(found - expected) <= tolerance, `${what}: ${found}, expected ${expected}`);
}

/** One row per value, grouped by image. */
function rowsOf(values: readonly number[], groups: readonly number[]): RowShares {
  return new Map(
    values.map((value, i) => [
      String(i),
      { image: String(groups[i]), shares: [{ metric: 'm', value, better: 'higher' as const }] },
    ]),
  );
}

describe('decisions', () => {
  it('have the power of statsmodels’ paired t-test', () => {
    for (const { effect, n, alpha, power } of oracle.power)
      near(powerOfT(effect, n, alpha), power, 1e-7, `effect ${effect}, n ${n}, alpha ${alpha}`);
    for (const { effect, power, n } of oracle.needed)
      assert.equal(imagesNeeded(effect, { power }), n, `effect ${effect}, power ${power}`);
  });

  it('have the interval of a clustered share that solves its score equation', () => {
    for (const { totals, size, share, low, high } of oracle.shares) {
      const interval = clusteredShareInterval(
        Float64Array.from(totals),
        new Float64Array(totals.length).fill(size),
      );
      assert.ok(isDefined(interval));
      near(interval.estimate, share, 1e-12, 'share');
      near(interval.low, low, 1e-9, 'low');
      near(interval.high, high, 1e-9, 'high');
    }
  });

  it("have an interval of a share that is close to Wilson's without clusters, and none for equal clusters", () => {
    const totals = Float64Array.from({ length: 400 }, (_, i) => (i % 5 === 0 ? 0 : 1));
    const own = clusteredShareInterval(totals, new Float64Array(400).fill(1));
    const wilson = wilsonInterval(320, 400);
    assert.ok(isDefined(own) && isDefined(wilson));
    near(own.low, wilson.low, 5e-4, 'low');
    near(own.high, wilson.high, 5e-4, 'high');
    assert.ok(!isDefined(clusteredShareInterval(Float64Array.of(1, 1), Float64Array.of(2, 2))));
    assert.ok(!isDefined(clusteredShareInterval(Float64Array.of(3), Float64Array.of(4))));
  });

  it('detect an effect with exactly the power asked for', () => {
    for (const n of [20, 300, 5000]) near(powerOfT(detectableEffect(n), n), 0.8, 1e-9, String(n));
    // This number of images is between the last power of two and the limit of 100 million.
    const needed = imagesNeeded(0.0003)!;
    assert.ok(needed > 2 ** 26 && needed < 1e8, String(needed));
    assert.ok(powerOfT(0.0003, needed) >= 0.8 && powerOfT(0.0003, needed - 1) < 0.8);
    assert.equal(imagesNeeded(0), undefined);
    assert.equal(imagesNeeded(1e-6), undefined);
  });

  it('test a mean over clusters, and a margin, as statsmodels does', () => {
    for (const { values, groups, p, low, high, margin, inferiority } of oracle.clustered) {
      const test = clusteredMeanTest(values, groups);
      assert.ok(isDefined(test));
      near(test.pValue / p, 1, 1e-8, 'p');
      near(test.low, low, 1e-9, 'low');
      near(test.high, high, 1e-9, 'high');
      const zeros = rowsOf(
        values.map(() => 0),
        groups,
      );
      const [difference] = atOnce(differencesOf(zeros, rowsOf(values, groups)));
      const found = nonInferiority(difference, margin);
      near(found.pValue! / inferiority, 1, 1e-7, 'margin');
      assert.equal(found.shown, low > -margin);
    }
    const { values, margin, inferiority } = oracle.simple;
    const [difference] = atOnce(
      differencesOf(
        rowsOf(
          values.map(() => 0),
          [...values.keys()],
        ),
        rowsOf(values, [...values.keys()]),
      ),
    );
    near(nonInferiority(difference, margin).pValue!, inferiority, 1e-10, 'one value a cluster');
  });

  it('test a mean over clusters of different sizes as the matrices of CR2 do', () => {
    for (const { values, groups, error, degrees, p, low, high } of oracle.unequal) {
      const test = clusteredMeanTest(values, groups);
      assert.ok(isDefined(test));
      near(test.standardError / error, 1, 1e-10, 'standard error');
      near(test.degrees / degrees, 1, 1e-10, 'degrees of freedom');
      near(test.pValue / p, 1, 1e-9, 'p');
      near(test.low, low, 1e-9, 'low');
      near(test.high, high, 1e-9, 'high');
    }
  });

  it('correct the test of a skewed mean, with the interval that the p values give', () => {
    for (const { values, groups, skewness, p, low, high } of oracle.skewed) {
      const zeros = values.map(() => 0);
      const [difference] = atOnce(differencesOf(rowsOf(zeros, groups), rowsOf(values, groups)));
      near(difference.pValue / p, 1, 1e-9, 'p');
      near(difference.ci![0], low, 1e-9, 'low');
      near(difference.ci![1], high, 1e-9, 'high');
      if (skewness === null) assert.equal(difference.skewness, undefined);
      else near(difference.skewness!, skewness, 1e-9, 'skewness');
      for (const distance of [-1e-6, 1e-6]) {
        const margin = -low + distance;
        if (margin > 0) assert.equal(nonInferiority(difference, margin).shown, distance > 0, 'margin');
      }
    }
    assert.ok(oracle.skewed.some(({ skewness }) => skewness === null));
  });

  it('do not call equal outcomes on few images non-inferior', () => {
    const of = (images: number, losses: number) => {
      const keys = Array.from({ length: images }, (_, i) => i);
      const before = rowsOf(
        keys.map(() => 1),
        keys,
      );
      const after = rowsOf(
        keys.map((i) => (i < losses ? 0 : 1)),
        keys,
      );
      return nonInferiority(atOnce(differencesOf(before, after))[0], 0.05);
    };
    // The p-value is scipy.stats.binom.cdf(losses, images, 0.05).
    near(of(21, 0).pValue!, 0.95 ** 21, 1e-12, '21 images');
    assert.equal(of(21, 0).shown, false);
    assert.equal(of(100, 0).shown, true);
    assert.equal(of(100, 2).shown, false);
    assert.equal(of(19, 0).shown, false);
  });

  it('rank as evalstats does: P(best) and the expected rank', () => {
    const { scores, best } = oracle.ranks;
    const found = atOnce(rankIntervals({ sums: scores, counts: scores[0].map(() => 1), better: 'higher' }));
    // The tolerance is four standard errors of 10,000 resamples, plus 0.001. The oracle used 100,000.
    for (const [i, { best: own }] of found.entries())
      near(own, best[i], 4 * Math.sqrt((best[i] * (1 - best[i])) / 1e4) + 1e-3, `evaluator ${i}`);
    near(
      found.reduce((sum, { best: own }) => sum + own, 0),
      1,
      1e-12,
      'sum',
    );
    for (const { rank, low, high } of found) assert.ok(low <= rank && rank <= high);
    const low = atOnce(rankIntervals({ sums: scores, counts: scores[0].map(() => 1), better: 'lower' }));
    assert.equal(low[3].rank, 1);
  });

  it('give the rank intervals of evalstats, for scores without ties', () => {
    const { scores, low, high, best } = oracle.intervals;
    const found = atOnce(rankIntervals({ sums: scores, counts: scores[0].map(() => 1), better: 'higher' }));
    assert.deepEqual(
      found.map((own) => [own.low, own.high]),
      low.map((end, i) => [end, high[i]]),
    );
    // At least one interval contains more than one rank, but not every rank.
    assert.ok(low.some((end, i) => end < high[i] && high[i] - end < scores.length - 1));
    for (const [i, own] of found.entries())
      assert.ok(Math.abs(own.best - best[i]) < 0.015, `${own.best} ${best[i]}`);
  });

  it('rank reports over the rows that all of them have, and not under 20 images', () => {
    const values = oracle.ranks.scores;
    const reports = values.map((own) => rowsOf(own, [...own.keys()]));
    const [{ ranks, n, images }] = atOnce(ranksOfReports('visla', reports));
    assert.deepEqual([n, images, ranks?.length], [120, 120, 4]);
    const few = reports.map((rows) => new Map([...rows].slice(0, 19)));
    assert.equal(atOnce(ranksOfReports('visla', few))[0].ranks, undefined);
    assert.deepEqual(atOnce(ranksOfReports('visla', [reports[0], new Map()])), []);
  });
});
