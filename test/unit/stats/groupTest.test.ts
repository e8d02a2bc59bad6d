import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { clusteredMeanTest } from '../../../src/stats/decisions/clusterTest';
import { clusteredDifferenceTest } from '../../../src/stats/decisions/groupTest';
import { isDefined } from '../../../src/stats/outcome';

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
    assert.deepEqual(test, { reason: 'a group has values of fewer than two images' });
  });
});
