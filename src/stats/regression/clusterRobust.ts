import { centred, numberClusters } from '../clustering';
import { type MeanSpread, spreadOf } from '../decisions/clusterTest';
import { cholesky, dot, forwardSubstitute } from './linear';

interface Fitted {
  response: ArrayLike<number>;
  /** The columns of the fixed effects. */
  fixed: readonly ArrayLike<number>[];
  coefficients: readonly number[];
}

interface RandomEffects {
  /** The level of each row, such as its image, that has a random intercept. */
  of: ArrayLike<number>;
  /** The variance of the random intercept, in residual variances. */
  ratio: number;
  /** The group of each row. Levels of a group share an intercept. */
  groups: ArrayLike<string>;
}

interface RobustError extends MeanSpread {
  standardError: number;
  clusters: number;
}

/**
 * The standard error of a mixed model's fixed effect that holds if effects differ from cluster to cluster, and if residuals
 * within a cluster are correlated: the sandwich over clusters, and Satterthwaite's degrees of freedom. As in CR3, each
 * cluster's residuals count as much more as the fit follows them, because CR1 rejects too often if clusters differ in size.
 * The weights are those of the random intercept. Residuals are centred within each group.
 */
export function clusterRobustError(
  { response, fixed, coefficients }: Fitted,
  effects: RandomEffects,
  clusters: ArrayLike<number | string>,
  tested: number,
): RobustError {
  const p = fixed.length;
  const { weights, inverse } = weightsOf(fixed, effects, tested);
  const residuals = centred(
    Float64Array.from(response, (value, row) =>
      fixed.reduce((rest, column, j) => rest - column[row] * coefficients[j], value),
    ),
    numberClusters(effects.groups),
  );
  const { of, count } = numberClusters(clusters);
  const parts = Array.from({ length: count }, () => ({
    score: 0,
    variance: 0,
    x: new Float64Array(p),
    levels: new Map<number, number>(),
  }));
  for (const [row, weight] of weights.entries()) {
    const own = parts[of[row]];
    own.score += weight * residuals[row];
    own.variance += weight ** 2;
    own.levels.set(effects.of[row], (own.levels.get(effects.of[row]) ?? 0) + weight);
    for (let j = 0; j < p; j++) own.x[j] += weight * fixed[j][row];
  }
  // With a score's variance V under the model, and its share c that the fit follows, residuals have V · (1 − c).
  let [squares, trace, ofSquare] = [0, 0, 0];
  const inner = new Float64Array(p * p);
  for (const { score, variance: rest, x, levels } of parts) {
    const variance = [...levels.values()].reduce((all, one) => all + effects.ratio * one ** 2, rest);
    const follows = dot(x, times(inverse, x)) / variance;
    const factor = (count - 1) / count / (1 - follows) ** 2;
    squares += factor * score ** 2;
    trace += factor * variance * (1 - follows);
    ofSquare += (factor * variance) ** 2 * (1 - 2 * follows);
    for (let j = 0; j < p; j++) for (let k = 0; k < p; k++) inner[j * p + k] += factor * x[j] * x[k];
  }
  const columns = Array.from({ length: p }, (_, k) =>
    times(
      inverse,
      inner.filter((_one, at) => at % p === k),
    ),
  );
  for (let j = 0; j < p; j++) for (let k = 0; k < p; k++) ofSquare += columns[k][j] * columns[j][k];
  const scores = Float64Array.from(parts, ({ score }) => score);
  return {
    ...spreadOf(trace ** 2 / ofSquare, scores, true),
    ...{ standardError: Math.sqrt(squares), clusters: count },
  };
}

/** The weight of each row in the estimate of a fixed effect, and the inverse of the weighted products of all of them. */
function weightsOf(
  fixed: readonly ArrayLike<number>[],
  { of: levels, ratio }: RandomEffects,
  tested: number,
): { weights: Float64Array; inverse: Float64Array[] } {
  const p = fixed.length;
  const { of, count } = numberClusters(levels);
  const sums = Array.from({ length: count }, () => ({ rows: 0, x: new Float64Array(p) }));
  const bread = new Float64Array(p * p);
  for (let row = 0; row < of.length; row++) {
    const own = sums[of[row]];
    own.rows++;
    for (let j = 0; j < p; j++) {
      own.x[j] += fixed[j][row];
      for (let k = 0; k < p; k++) bread[j * p + k] += fixed[j][row] * fixed[k][row];
    }
  }
  const sharedBy = (rows: number): number => ratio / (1 + rows * ratio);
  for (const { rows, x } of sums)
    for (let j = 0; j < p; j++) for (let k = 0; k < p; k++) bread[j * p + k] -= sharedBy(rows) * x[j] * x[k];
  const factor = cholesky(bread, p);
  if (factor === undefined) throw new Error('The fixed effects of a fitted model are linearly dependent.');
  const inverse = fixed.map((_, j) =>
    solved(
      factor,
      p,
      Float64Array.from({ length: p }, (_one, k) => +(j === k)),
    ),
  );
  const weights = Float64Array.from(of, (level, row) =>
    inverse[tested].reduce(
      (sum, along, j) => sum + along * (fixed[j][row] - sharedBy(sums[level].rows) * sums[level].x[j]),
      0,
    ),
  );
  return { weights, inverse };
}

/** The product of a symmetric matrix and a vector. */
function times(matrix: readonly Float64Array[], vector: Float64Array): Float64Array {
  return Float64Array.from(matrix, (row) => dot(row, vector));
}

/** Solves L Lᵀ x = b. */
function solved(l: Float64Array, n: number, b: Float64Array): Float64Array {
  const x = forwardSubstitute(l, n, b);
  for (let i = n - 1; i >= 0; i--) {
    for (let j = i + 1; j < n; j++) x[i] -= l[j * n + i] * x[j];
    x[i] /= l[i * n + i];
  }
  return x;
}
