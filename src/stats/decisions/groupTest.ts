import { say } from '../../base/say';
import type { Interval } from '../bootstrap';
import { numberClusters } from '../clustering';
import { studentQuantile, studentTwoSided } from '../distributions';
import { finite, isDefined, notDefined, openUnit, sameLength, type Outcome } from '../outcome';
import { clusteredShare, type ClusteredShare, wilsonEnds } from '../proportion';
import { mean, sum } from '../summary';
import type { MeanTest } from './clusterTest';

/**
 * Tests the difference of the means of two groups, the first minus the second, whose rows belong to clusters. A cluster may
 * have rows in both groups. The standard error is CR2, with Bell and McCaffrey's degrees of freedom.
 */
export function clusteredDifferenceTest(
  values: ArrayLike<number>,
  isFirst: ArrayLike<number | boolean>,
  clusters: ArrayLike<number | string>,
  level = 0.95,
): Outcome<MeanTest> {
  openUnit(level, 'The level');
  const groups = groupsOf(values, isFirst, clusters);
  if (groups.some(({ clusters: own }) => own < 2)) return notDefined(say('stats.groupNeedsImages'));
  const [a, b] = groups;
  const estimate = a.mean - b.mean;
  const standardError = Math.sqrt(sum(a.residuals.map((own, c) => (own - b.residuals[c]) ** 2)));
  if (standardError <= 1e-14 * Math.max(Math.abs(a.mean), Math.abs(b.mean)) || standardError === 0)
    return notDefined(say('stats.imagesGiveSameValue'));
  const degrees = degreesOf(groups);
  const reach = studentQuantile((1 + level) / 2, degrees) * standardError;
  return {
    ...{ estimate, low: estimate - reach, high: estimate + reach, level, degrees, standardError },
    pValue: studentTwoSided(estimate / standardError, degrees),
  };
}

/**
 * The interval of the difference of two groups' means of values from 0 to 1, the first minus the second, from Wilson's clustered
 * interval of each (Newcombe 1998, with the correlation of clusters in both groups by Zou 2007). Unlike CR2 of the difference,
 * it covers if one of the means is near 0 or 1 and its group is small. p is that at which an interval ends at 0.
 */
export function clusteredShareDifference(
  values: ArrayLike<number>,
  isFirst: ArrayLike<number | boolean>,
  clusters: ArrayLike<number | string>,
  level = 0.95,
): Outcome<Interval & { pValue: number }> {
  openUnit(level, 'The level');
  const [a, b] = groupsOf(values, isFirst, clusters);
  const [first, second] = [a, b].map(shareOf);
  if (!isDefined(first)) return first;
  if (!isDefined(second)) return second;
  const squares = [a, b].map(({ residuals }) => sum(residuals.map((own) => own ** 2)));
  const product = sum(a.residuals.map((own, c) => own * b.residuals[c]));
  const correlation = product === 0 ? 0 : product / Math.sqrt(squares[0] * squares[1]);
  const estimate = first.share - second.share;
  const endsAt = (at: number): { low: number; high: number } => {
    const [x, y] = [first, second].map((one) => wilsonEnds(one, at));
    const reach = (u: number, v: number): number =>
      Math.sqrt(Math.max(0, u * u + v * v - 2 * correlation * u * v));
    return {
      low: estimate - reach(first.share - x.low, y.high - second.share),
      high: estimate + reach(x.high - first.share, second.share - y.low),
    };
  };
  return { estimate, ...endsAt(level), level, pValue: pValueOf(estimate, endsAt) };
}

/** Without a standard error, at a share of 0 or 1, each image is one trial. */
function shareOf({ mean: share, totals, sizes }: Parts): Outcome<ClusteredShare> {
  const isThere = (_: number, c: number): boolean => sizes[c] > 0;
  const own = sizes.filter(isThere);
  return share === 0 || share === 1
    ? { share, trials: own.length }
    : clusteredShare(totals.filter(isThere), own);
}

/** 1 minus the level at which the interval ends at 0. */
function pValueOf(estimate: number, endsAt: (level: number) => { low: number; high: number }): number {
  // Levels that are closer to 1 have no accurate quantiles.
  let [from, to] = [Math.log(1e-12), 0];
  for (let step = 0; estimate !== 0 && step < 60; step++) {
    const middle = (from + to) / 2;
    const { low, high } = endsAt(1 - Math.exp(middle));
    if (estimate > 0 ? low > 0 : high < 0) to = middle;
    else from = middle;
  }
  return Math.exp(to);
}

/**
 * The two-sided p value of the hypothesis that the group of a cluster does not matter: the t-test with one variance for both
 * groups, which approximates the permutation of groups among clusters. Unlike CR2, it keeps its level if rare events
 * make the clusters skewed and the groups differ in size. A cluster with rows in both groups counts with its own variance.
 */
export function exchangeableTest(
  values: ArrayLike<number>,
  isFirst: ArrayLike<number | boolean>,
  clusters: ArrayLike<number | string>,
): Outcome<{ pValue: number }> {
  sameLength(values, clusters);
  sameLength(values, isFirst);
  const x = finite(values);
  const { of, count } = numberClusters(clusters);
  const centre = mean(x);
  const share = sum(Float64Array.from(isFirst, Number)) / x.length;
  const [residuals, scores, sides] = [
    new Float64Array(count),
    new Float64Array(count),
    new Uint8Array(count),
  ];
  for (let i = 0; i < x.length; i++) {
    residuals[of[i]] += x[i] - centre;
    scores[of[i]] += (Number(isFirst[i]) - share) * (x[i] - centre);
    sides[of[i]] |= isFirst[i] ? 1 : 2;
  }
  const [first, second] = [1, 2].map((side) => residuals.filter((_, c) => sides[c] === side));
  const pure = first.length + second.length;
  const squares = [first, second].reduce((total, own) => total + deviation(own), 0);
  const pooled = pure < 3 ? 0 : ((squares / (pure - 2)) * first.length * second.length) / pure;
  const mixed = sum(scores.filter((_, c) => sides[c] === 3).map((score) => score ** 2));
  const variance = pooled + mixed;
  if (count < 3 || variance <= 1e-28 * x.length) return notDefined(say('stats.imagesGiveSameValue'));
  return { pValue: studentTwoSided(sum(scores) / Math.sqrt(variance), count - 2) };
}

/** The sum of squared deviations from the mean. */
function deviation(values: Float64Array): number {
  if (values.length === 0) return 0;
  const centre = mean(values);
  return sum(values.map((value) => (value - centre) ** 2));
}

/** One group's mean, and by cluster: its sum, its adjusted residuals and its leverages. */
interface Parts {
  mean: number;
  clusters: number;
  n: number;
  residuals: Float64Array;
  leverages: Float64Array;
  sizes: Float64Array;
  totals: Float64Array;
}

/** The first group and the second one. */
function groupsOf(
  values: ArrayLike<number>,
  isFirst: ArrayLike<number | boolean>,
  clusters: ArrayLike<number | string>,
): Parts[] {
  sameLength(values, clusters);
  sameLength(values, isFirst);
  const { of, count } = numberClusters(clusters);
  return [true, false].map((first) => {
    const rows = Array.from({ length: values.length }, (_, i) => i).filter(
      (i) => Boolean(isFirst[i]) === first,
    );
    return partsOf(
      finite(rows.map((i) => values[i])),
      Uint32Array.from(rows, (i) => of[i]),
      count,
    );
  });
}

function partsOf(values: Float64Array, of: Uint32Array, count: number): Parts {
  const n = values.length;
  const [residuals, sizes, totals] = [0, 1, 2].map(() => new Float64Array(count));
  const centre = n === 0 ? NaN : mean(values);
  for (const [i, value] of values.entries()) {
    residuals[of[i]] += value - centre;
    totals[of[i]] += value;
    sizes[of[i]]++;
  }
  const scales = sizes.map((size) => (size === 0 || size === n ? 0 : 1 / (n * Math.sqrt(1 - size / n))));
  return {
    ...{ mean: centre, n, sizes, totals },
    clusters: sizes.filter((size) => size > 0).length,
    residuals: residuals.map((own, c) => own * scales[c]),
    leverages: sizes.map((size, c) => (size * scales[c]) / Math.sqrt(n)),
  };
}

/** Bell and McCaffrey's degrees of freedom for independent rows of equal variance: trace(Q)² / trace(Q²). */
function degreesOf(groups: readonly Parts[]): number {
  const trace = groups.reduce((total, { n }) => total + 1 / n, 0);
  const diagonal = groups[0].sizes.map((_, c) =>
    groups.reduce((total, { sizes, n }) => total + sizes[c] / n ** 2, 0),
  );
  // Off the diagonal, Q is the sum over groups of −l lᵀ, with l the group's leverages.
  let offDiagonal = 0;
  for (const { leverages: a } of groups)
    for (const { leverages: b } of groups) {
      const products = a.map((own, c) => own * b[c]);
      offDiagonal += sum(products) ** 2 - sum(products.map((product) => product ** 2));
    }
  return trace ** 2 / (sum(diagonal.map((own) => own ** 2)) + offDiagonal);
}
