import { centred, numberClusters } from '../clustering';
import { cholesky, forwardSubstitute } from './linear';

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

/**
 * Standard errors of a mixed model's fixed effects that hold if effects differ from cluster to cluster, and if
 * residuals within a cluster are correlated: the sandwich over clusters, times G / (G − 1). The weights are those
 * of the random intercept. Residuals are centred within each group.
 */
export function clusterRobustError(
  { response, fixed, coefficients }: Fitted,
  { of: levels, ratio, groups }: RandomEffects,
  clusters: ArrayLike<number | string>,
): { standardErrors: number[]; clusters: number } {
  const n = response.length;
  const p = fixed.length;
  const { of, count } = numberClusters(levels);
  const residuals = centred(
    Float64Array.from({ length: n }, (_, row) =>
      fixed.reduce((rest, column, j) => rest - column[row] * coefficients[j], response[row]),
    ),
    numberClusters(groups),
  );
  const sums = Array.from({ length: count }, () => ({ rows: 0, residual: 0, x: new Float64Array(p) }));
  const bread = new Float64Array(p * p);
  for (let row = 0; row < n; row++) {
    const own = sums[of[row]];
    own.rows++;
    own.residual += residuals[row];
    for (let j = 0; j < p; j++) {
      own.x[j] += fixed[j][row];
      for (let k = 0; k < p; k++) bread[j * p + k] += fixed[j][row] * fixed[k][row];
    }
  }
  const sharedBy = (rows: number): number => ratio / (1 + rows * ratio);
  for (const { rows, x } of sums)
    for (let j = 0; j < p; j++) for (let k = 0; k < p; k++) bread[j * p + k] -= sharedBy(rows) * x[j] * x[k];
  const scored = numberClusters(clusters);
  const scores = Array.from({ length: scored.count }, () => new Float64Array(p));
  for (let row = 0; row < n; row++) {
    const { rows, residual } = sums[of[row]];
    const weighted = residuals[row] - sharedBy(rows) * residual;
    for (let j = 0; j < p; j++) scores[scored.of[row]][j] += fixed[j][row] * weighted;
  }
  const factor = cholesky(bread, p);
  if (factor === undefined) throw new Error('The fixed effects of a fitted model are linearly dependent.');
  const standardErrors = fixed.map((_, j) => {
    const unit = new Float64Array(p);
    unit[j] = 1;
    const row = solved(factor, p, unit);
    const squares = scores.reduce((sum, score) => {
      const along = score.reduce((total, value, k) => total + value * row[k], 0);
      return sum + along * along;
    }, 0);
    return Math.sqrt((squares * scored.count) / (scored.count - 1));
  });
  return { standardErrors, clusters: scored.count };
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
