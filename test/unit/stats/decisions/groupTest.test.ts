import assert from 'node:assert/strict';
import { say } from '../../../../src/base/say';
import { readFileSync } from 'node:fs';
import { clusteredMeanTest } from '../../../../src/stats/decisions/clusterTest';
import {
  clusteredDifferenceTest,
  clusteredShareDifference,
  exchangeableTest,
} from '../../../../src/stats/decisions/groupTest';
import { Draws } from '../../../../src/stats/draws';
import { isDefined } from '../../../../src/stats/outcome';

interface Case {
  by: string;
  values: number[];
  first: number[];
  clusters: number[];
  difference: number;
  error: number;
  degrees: number;
  p: number;
  low: number;
  high: number;
}

describe('the test of two groups with clustered rows', () => {
  const { cases } = JSON.parse(readFileSync('test/oracle/decisions/groups.json', 'utf8')) as {
    cases: Case[];
  };

  for (const [i, { by, values, first, clusters, ...expected }] of cases.entries())
    it(`has the results of the matrices of CR2: groups by ${by}, sample ${i}`, () => {
      const test = clusteredDifferenceTest(values, first, clusters);
      assert.ok(isDefined(test));
      const found = {
        ...{ difference: test.estimate, error: test.standardError, degrees: test.degrees },
        ...{ p: test.pValue, low: test.low, high: test.high },
      };
      for (const [name, value] of Object.entries(found))
        assert.ok(Math.abs(value / expected[name as keyof typeof found] - 1) < 1e-9, `${name}: ${value}`);
    });

  it('is the paired test if each cluster has one row in each group', () => {
    const pairs = Array.from({ length: 30 }, (_, i): [number, number] => [
      Math.sin(i) + 0.3,
      Math.cos(3 * i),
    ]);
    const clusters = pairs.map((_, i) => i);
    const paired = clusteredMeanTest(
      pairs.map(([a, b]) => a - b),
      clusters,
    );
    const grouped = clusteredDifferenceTest(
      pairs.flat(),
      pairs.flatMap(() => [1, 0]),
      clusters.flatMap((i) => [i, i]),
    );
    assert.ok(isDefined(paired) && isDefined(grouped));
    assert.ok(Math.abs(paired.standardError / grouped.standardError - 1) < 1e-12);
  });

  it('needs two images in each group', () => {
    const test = clusteredDifferenceTest([1, 2, 3], [1, 0, 0], ['a', 'b', 'c']);
    assert.deepEqual(test, { reason: say('stats.groupNeedsImages') });
  });
});

describe('the test of rare events in two groups of clusters', () => {
  /** Rows of clusters with ten rows each, of which `events` are 1. */
  const rows = (first: readonly number[], second: readonly number[], size = 10) => {
    const all = [...first, ...second].map((events, cluster) => ({
      ...{ events, cluster, isFirst: cluster < first.length },
    }));
    const each = all.flatMap((one) =>
      Array.from({ length: size }, (_, i) => ({ ...one, value: i < one.events ? 1 : 0 })),
    );
    return [
      each.map(({ value }) => value),
      each.map(({ isFirst }) => isFirst),
      each.map(({ cluster }) => cluster),
    ] as const;
  };

  it("is SciPy's t-test of the clusters' means if they have equally many rows", () => {
    const test = exchangeableTest(...rows([0, 0, 3, 1, 0, 5], [0, 1, 0, 0, 0, 0, 2, 0, 1, 0, 0, 0]));
    // scipy.stats.ttest_ind, SciPy 1.16
    assert.ok(isDefined(test) && Math.abs(test.pValue - 0.08679405971785664) < 1e-12, JSON.stringify(test));
  });

  it('counts a cluster with rows in both groups, and refuses values without any spread', () => {
    const [values, isFirst, clusters] = rows([0, 1, 0, 2], [0, 0, 3, 0]);
    const mixed = isFirst.map((first, i) => (i % 10 === 9 ? !first : first));
    const test = exchangeableTest(values, mixed, clusters);
    assert.ok(isDefined(test) && test.pValue > 0.05 && test.pValue <= 1);
    assert.ok(!isDefined(exchangeableTest([0, 0, 0, 0], [1, 1, 0, 0], [1, 2, 3, 4])));
  });

  it('keeps its level with skewed clusters and a small group, unlike CR2', () => {
    const draws = new Draws('events', 1);
    const share = (): number => {
      const rate = draws.uniform() < 0.1 ? 0.11 : 0.01;
      let events = 0;
      for (let i = 0; i < 35; i++) if (draws.uniform() < rate) events++;
      return events / 35;
    };
    const [runs, rejected] = [600, { exchangeable: 0, robust: 0 }];
    const images = Array.from({ length: 200 }, (_, i) => i);
    for (let run = 0; run < runs; run++) {
      const data = [images.map(share), images.map((i) => i < 20), images] as const;
      const [one, other] = [exchangeableTest(...data), clusteredDifferenceTest(...data)];
      if (isDefined(one) && one.pValue < 0.05) rejected.exchangeable++;
      if (isDefined(other) && other.pValue < 0.05) rejected.robust++;
    }
    assert.ok(rejected.exchangeable < 0.07 * runs, `${rejected.exchangeable}`);
    assert.ok(rejected.robust > 0.08 * runs, `${rejected.robust}`);
  });
});

describe('the interval of the difference of two shares', () => {
  /** Groups of so many images, one row each, of which so many are 1. */
  const groups = (...both: [number, number][]) => {
    const rows = both.flatMap(([ones, n], group) =>
      Array.from({ length: n }, (_, i) => ({ value: i < ones ? 1 : 0, isFirst: group === 0 })),
    );
    return [
      rows.map(({ value }) => value),
      rows.map(({ isFirst }) => isFirst),
      rows.map((_, i) => i),
    ] as const;
  };

  it("is Newcombe's for many images", () => {
    // statsmodels.stats.proportion.confint_proportions_2indep(…, method='newcomb'), statsmodels 0.14
    const cases: [[number, number], [number, number], number, number][] = [
      [[560, 700], [480, 800], 0.15427745065460416, 0.2442883420348756],
      [[2, 400], [60, 600], -0.12185385970093723, -0.06983636670261044],
    ];
    for (const [first, second, low, high] of cases) {
      const found = clusteredShareDifference(...groups(first, second));
      assert.ok(isDefined(found));
      assert.ok(
        Math.abs(found.low - low) < 3e-4 && Math.abs(found.high - high) < 3e-4,
        JSON.stringify(found),
      );
    }
  });

  it('ends at 0 at the level 1 − p, and has p = 1 for equal shares, also of 0', () => {
    for (const both of [
      [7, 30, 2, 40],
      [2, 40, 7, 30],
      [0, 12, 30, 40],
    ]) {
      const rows = groups([both[0], both[1]], [both[2], both[3]]);
      const found = clusteredShareDifference(...rows);
      assert.ok(isDefined(found));
      const at = clusteredShareDifference(...rows, 1 - found.pValue);
      assert.ok(isDefined(at) && Math.abs(found.estimate > 0 ? at.low : at.high) < 1e-9, JSON.stringify(at));
      assert.equal(found.pValue < 0.05, found.low > 0 || found.high < 0);
    }
    for (const ones of [0, 5]) {
      const found = clusteredShareDifference(...groups([ones, 10], [2 * ones, 20]));
      assert.ok(isDefined(found) && found.pValue === 1 && found.low < -0.1 && found.high > 0.1);
    }
  });

  it('is shorter if images with rows in both groups give both the same values', () => {
    const values = Array.from({ length: 60 }, (_, i) => (i % 3 === 0 ? 1 : 0)).flatMap((one) => [one, one]);
    const isFirst = values.map((_, i) => i % 2 === 0);
    const [paired, apart] = [Math.floor, (i: number) => i].map((clusterOf) =>
      clusteredShareDifference(
        values,
        isFirst,
        values.map((_, i) => clusterOf(i / 2)),
      ),
    );
    assert.ok(isDefined(paired) && isDefined(apart));
    assert.ok(paired.high - paired.low < 0.2 * (apart.high - apart.low));
  });

  it('contains the truth with rare errors in a small group, unlike CR2', () => {
    const draws = new Draws('shares', 1);
    const [runs, missed] = [300, { shares: 0, robust: 0 }];
    const images = Array.from({ length: 50 }, (_, i) => i);
    for (let run = 0; run < runs; run++) {
      const values = images.map((i) => (draws.uniform() < (i < 10 ? 0.1 : 0.02) ? 1 : 0));
      const data = [values, images.map((i) => i < 10), images] as const;
      const [one, other] = [clusteredShareDifference(...data), clusteredDifferenceTest(...data)];
      if (!isDefined(one) || one.low > 0.08 || one.high < 0.08) missed.shares++;
      if (!isDefined(other) || other.low > 0.08 || other.high < 0.08) missed.robust++;
    }
    assert.ok(missed.shares < 0.07 * runs, `${missed.shares}`);
    assert.ok(missed.robust > 0.15 * runs, `${missed.robust}`);
  });

  it('needs two images in each group', () => {
    assert.ok(!isDefined(clusteredShareDifference([1, 0, 0.5], [1, 0, 0], ['a', 'b', 'b'])));
  });
});
