import assert from 'node:assert/strict';
import { clusteredMeanTest, pOfMean } from '../../../../src/stats/decisions/clusterTest';
import { isDefined } from '../../../../src/stats/outcome';
import { tTest } from '../../../../src/stats/tTest';

const values = [
  0.646, 1.222, 0.73, -0.803, 1.405, 0.946, 0.063, 1.181, 0.965, 0.894, 0.728, 1.247, -0.036, 0.537, 0.218,
  1.399, 0.94, 0.608, 0.218, 0.743, 1.008,
];
const clusters = values.map((_, i) => Math.floor(i / 3));

describe('the test of a mean over clusters', () => {
  it("equals statsmodels' OLS with clustered standard errors for clusters of one size", () => {
    const test = clusteredMeanTest(values, clusters);
    assert.ok(isDefined(test));
    // Computed by sm.OLS(y, 1).fit(cov_type='cluster', use_t=True) in statsmodels 0.15.0.
    const expected = [0.7075714286, 0.1001859307, 0.0004035022508, 0.4624252874, 0.9527175697];
    const found = [test.estimate, test.standardError, test.pValue, test.low, test.high];
    for (const [i, value] of found.entries())
      assert.ok(Math.abs(value / expected[i] - 1) < 1e-7, `${value} is not ${expected[i]}`);
  });

  it('equals the t-test with one value per cluster', () => {
    const [own, plain] = [clusteredMeanTest(values, [...values.keys()]), tTest(values)];
    assert.ok(isDefined(own) && isDefined(plain));
    assert.ok(Math.abs(own.pValue / plain.pValue - 1) < 1e-12);
  });

  it('falls back to the sign test over images if every image gives the same value', () => {
    const test = clusteredMeanTest([1, 1, 1, 1], [0, 0, 1, 2]);
    assert.ok(!isDefined(test));
    assert.equal(pOfMean(test, 1, 3), 0.25);
    assert.equal(pOfMean(clusteredMeanTest([0, 0], [0, 1]), 0, 2), 1);
  });
});
