import { say, type Words } from '../../base/say';
import type { Steps } from '../../base/turns/steps';
import { backSubstitute, cholesky, dot, factorise, forwardSubstitute, project } from './linear';
import { solve, summarise, type Solved } from './mixedEquations';
import { minimise } from './minimise';
import { normalSurvival } from '../normal';
import { finite, isDefined, notDefined, sameLength, type Outcome } from '../outcome';
import { numberClusters, type Clustering } from '../clustering';

export interface MixedModelInput {
  response: ArrayLike<number>;
  /** The columns of the fixed effects. An intercept is a column of ones. */
  fixed: readonly ArrayLike<number>[];
  /** For each grouping factor, with random intercepts, the level of each row. They may cross or nest. */
  random: readonly ArrayLike<number | string>[];
}

export interface FixedEffect {
  estimate: number;
  /** The standard error from the inverse observed information, which includes the uncertainty of the variances. */
  standardError: number;
  z: number;
  /** The two-sided p value from the normal distribution. */
  pValue: number;
}

export interface MixedModel {
  fixed: FixedEffect[];
  /** The variance of each factor's intercepts; 0 if the estimate is on the boundary. */
  groupVariances: number[];
  residualVariance: number;
  /** The restricted log-likelihood with its constants. */
  logLikelihood: number;
  levels: number[];
}

/**
 * A linear model with random intercepts, by restricted maximum likelihood. Searches for the best ratios θ of the
 * factors' standard deviations to the residual standard deviation.
 */
export function* mixedModel({ response, fixed, random }: MixedModelInput): Steps<Outcome<MixedModel>> {
  const y = finite(response, 'Response');
  const n = y.length;
  if (fixed.length === 0)
    throw new RangeError('A mixed model needs a fixed effect, at least a column of ones.');
  if (random.length === 0) throw new RangeError('A mixed model needs a grouping factor.');
  for (const column of [...fixed, ...random]) sameLength(y, column);
  if (n <= fixed.length) return notDefined(say('stats.tooFewRows', n, fixed.length));
  yield;
  const factors = factorise(fixed);
  if (!isDefined(factors)) return factors;
  const { along, residuals } = project(factors.q, y);
  const size = Math.sqrt(dot(residuals, residuals));
  if (size <= 1e-12 * Math.sqrt(dot(y, y))) return notDefined(say('stats.effectsExplainResponse'));
  const groupings = random.map(numberClusters);
  const obstacle = unidentified(groupings, factors.q, n);
  if (obstacle !== undefined) return notDefined(obstacle);

  yield;
  const sums = summarise(groupings, [...factors.q, residuals.map((value) => value / size)]);
  const p = fixed.length;
  const solved = (theta: Float64Array): Solved | undefined => solve(sums, theta, p);
  // The criterion is equal for θ and −θ, so the search needs no constraint at 0.
  const criterion = (theta: Float64Array): number => {
    const at = solved(theta);
    return at === undefined ? Infinity : at.logDeterminants + (n - p) * Math.log(at.residual);
  };
  const theta = yield* search(criterion, groupings.length);
  const at = solved(theta);
  if (at === undefined || theta.some((value) => value > 1e5) || at.residual < 1e-13)
    return notDefined(say('stats.groupsExplainResponse'));

  const residualVariance = (at.residual * size * size) / (n - p);
  const onX = (coefficients: Float64Array): Float64Array =>
    backSubstitute(
      factors.r,
      coefficients.map((value) => value * size),
    );
  const spread = yield* ofVariances(solved, criterion, theta, onX, p);
  if (spread === undefined) return notDefined(say('stats.varianceUndetermined'));
  const estimates = backSubstitute(
    factors.r,
    along.map((value, j) => value + at.coefficients[j] * size),
  );
  const logR = factors.r.reduce((total, column, j) => total + Math.log(column[j]), 0);
  return {
    fixed: Array.from(estimates, (estimate, j) => {
      const standardError = Math.sqrt(residualVariance * at.inverseDiagonal(factors.r, j) + spread[j]);
      const z = estimate / standardError;
      return { estimate, standardError, z, pValue: 2 * normalSurvival(Math.abs(z)) };
    }),
    groupVariances: Array.from(theta, (value) => value * value * residualVariance),
    residualVariance,
    logLikelihood:
      -0.5 * ((n - p) * (Math.log(2 * Math.PI * residualVariance) + 1) + at.logDeterminants + 2 * logR),
    levels: groupings.map(({ count }) => count),
  };
}

/**
 * What to add to the variance of each fixed effect, because the variances of the groups are only estimates.
 * statsmodels adds it, too. Group variances on the boundary count as known.
 */
function* ofVariances(
  solved: (theta: Float64Array) => Solved | undefined,
  criterion: (theta: Float64Array) => number,
  theta: Float64Array,
  onX: (coefficients: Float64Array) => Float64Array,
  estimates: number,
): Steps<Float64Array | undefined> {
  const free = [...theta.keys()].filter((k) => theta[k] > 0);
  /** θ after the variance of each given factor changes by `step` thousandths. */
  const moved = (...steps: [number, number][]): Float64Array => {
    const squares = theta.map((value) => value * value);
    for (const [k, step] of steps) squares[k] += step * 1e-3 * theta[k] * theta[k];
    return squares.map(Math.sqrt);
  };
  const m = free.length;
  const curvature = new Float64Array(m * m);
  const least = criterion(theta);
  const slopes: Float64Array[] = [];
  for (const [i, k] of free.entries()) {
    const [up, down] = [solved(moved([k, 1])), solved(moved([k, -1]))];
    if (up === undefined || down === undefined) return undefined;
    slopes.push(onX(up.coefficients.map((value, j) => (value - down.coefficients[j]) / 2)));
    curvature[i * m + i] = (criterion(moved([k, 1])) - 2 * least + criterion(moved([k, -1]))) / 2;
    yield;
    for (let other = 0; other < i; other++) {
      const at = (a: number, b: number): number => criterion(moved([k, a], [free[other], b]));
      const mixed = (at(1, 1) - at(1, -1) - at(-1, 1) + at(-1, -1)) / 8;
      curvature[i * m + other] = mixed;
      curvature[other * m + i] = mixed;
    }
  }
  const l = cholesky(curvature, m);
  if (l === undefined) return undefined;
  return Float64Array.from({ length: estimates }, (_, j) => {
    const w = forwardSubstitute(
      l,
      m,
      Float64Array.from(slopes, (slope) => slope[j]),
    );
    return dot(w, w);
  });
}

function unidentified(groupings: Clustering[], q: Float64Array[], n: number): Words | undefined {
  for (const [k, { of, count }] of groupings.entries()) {
    if (count === 1) return say('stats.factorConstant', k + 1);
    if (count === n) return say('stats.factorLevelPerRow', k + 1);
    let inFixed = 0;
    for (const column of q) {
      const perLevel = new Float64Array(count);
      column.forEach((value, row) => (perLevel[of[row]] += value));
      inFixed += dot(perLevel, perLevel);
    }
    if (n - inFixed <= 1e-9 * n) return say('stats.factorInFixed', k + 1);
    for (let other = 0; other < k; other++) {
      const pairs = new Set(
        of.map((level, row) => level * groupings[other].count + groupings[other].of[row]),
      );
      if (count === groupings[other].count && pairs.size === count)
        return say('stats.factorsAlike', other + 1, k + 1);
    }
  }
  return undefined;
}

/** The θ of the minimum, refined from the best point of a coarse grid. Elements become 0 if 0 is equally good. */
function* search(criterion: (theta: Float64Array) => number, factors: number): Steps<Float64Array> {
  const grid = [0.05, 0.5, 2];
  let start = new Float64Array(factors);
  let least = Infinity;
  let candidates: number[][] = [[]];
  for (let k = 0; k < factors; k++)
    candidates = candidates.flatMap((some) => grid.map((value) => [...some, value]));
  for (const candidate of candidates.map((values) => Float64Array.from(values))) {
    const value = criterion(candidate);
    yield;
    if (value < least) [start, least] = [candidate, value];
  }
  let theta = (yield* minimise(criterion, start, 0.3)).map(Math.abs);
  for (let k = 0; k < factors; k++) {
    const without = theta.with(k, 0);
    if (criterion(without) <= criterion(theta) + 1e-9) theta = without;
  }
  return theta;
}
