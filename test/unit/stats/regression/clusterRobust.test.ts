import assert from 'node:assert/strict';
import { clusteredMeanTest } from '../../../../src/stats/decisions/clusterTest';
import { isDefined } from '../../../../src/stats/outcome';
import { clusterRobustError } from '../../../../src/stats/regression/clusterRobust';
import { mean } from '../../../../src/stats/summary';

/** Pairs of scores of an image, before and after a change, whose change depends on the cluster. */
function pairs(sizes: readonly number[]) {
  const clusters = sizes.flatMap((size, cluster) => Array.from({ length: size }, () => cluster));
  const before = clusters.map((_, image) => Math.sin(7 * image));
  const changes = clusters.map((cluster, image) => Math.cos(3 * cluster) + 0.3 * Math.sin(5 * image));
  const error = (own: readonly number[]) =>
    clusterRobustError(
      {
        response: before.flatMap((score, image) => [score, score + changes[image]]),
        fixed: [before.flatMap(() => [1, 1]), before.flatMap(() => [0, 1])],
        coefficients: [mean(before), mean(changes)],
      },
      { of: before.flatMap((_, image) => [image, image]), ratio: 3, groups: before.flatMap(() => ['', '']) },
      own.flatMap((cluster) => [cluster, cluster]),
      1,
    );
  return { clusters, changes, error };
}

describe('the clustered standard error of a mixed model', () => {
  it('of pairs is that of the jackknife over clusters', () => {
    const sizes = [5, 1, 1, 2, 3, 1, 4, 1, 2, 1];
    const { clusters, changes, error } = pairs(sizes);
    const without = sizes.map((_, left) => mean(changes.filter((_one, image) => clusters[image] !== left)));
    const squares = without.map((one) => (one - mean(changes)) ** 2);
    const { standardError, degrees, clusters: count } = error(clusters);
    assert.ok(Math.abs(standardError / Math.sqrt((count - 1) * mean(squares)) - 1) < 1e-12);
    // Satterthwaite's: the covariance of the clusters' sums of independent residuals, weighted as the jackknife does.
    const n = changes.length;
    const covariance = sizes.map((a, g) =>
      sizes.map((b, h) => ((g === h ? a : 0) - (a * b) / n) / ((1 - a / n) * (1 - b / n))),
    );
    const trace = covariance.reduce((sum, row, g) => sum + row[g], 0);
    const ofSquare = covariance.flat().reduce((sum, one) => sum + one ** 2, 0);
    assert.ok(Math.abs(degrees / (trace ** 2 / ofSquare) - 1) < 1e-12);
  });

  it('is that of the t-test if clusters have one size', () => {
    for (const size of [1, 3]) {
      const { clusters, changes, error } = pairs(Array.from({ length: 12 }, () => size));
      const test = clusteredMeanTest(changes, clusters);
      assert.ok(isDefined(test));
      const { standardError, degrees } = error(clusters);
      assert.ok(Math.abs(standardError / test.standardError - 1) < 1e-12);
      assert.ok(Math.abs(degrees - 11) < 1e-9, String(degrees));
    }
  });
});
