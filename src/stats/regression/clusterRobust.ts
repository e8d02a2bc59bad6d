import { numberClusters } from '../clustering';
import { cholesky, forwardSubstitute } from './linear';

interface Fitted {
  response: ArrayLike<number>;
  /** The columns of the fixed effects. */
  fixed: readonly ArrayLike<number>[];
  coefficients: readonly number[];
}

/**
 * Standard errors of a mixed model's fixed effects that hold if effects differ from cluster to cluster, and if
 * residuals within a cluster are correlated: the sandwich over clusters, times G / (G − 1). The weights are those
 * of a random intercept per cluster, whose variance is `ratio` residual variances. Residuals are centred within
 * each group, because clusters of a group share an intercept.
 */
export function clusterRobustError(
  { response, fixed, coefficients }: Fitted,
  clusters: ArrayLike<number>,
  groups: ArrayLike<string>,
  ratio: number,
): { standardErrors: number[]; clusters: number } {
  const n = response.length;
  const p = fixed.length;
  const { of, count } = numberClusters(clusters);
  const residuals = centred(
    Float64Array.from({ length: n }, (_, row) =>
      fixed.reduce((rest, column, j) => rest - column[row] * coefficients[j], response[row]),
    ),
    groups,
  );
  const sums = Array.from({ length: count }, () => ({
    rows: 0,
    residual: 0,
    x: new Float64Array(p),
    xe: new Float64Array(p),
  }));
  const bread = new Float64Array(p * p);
  for (let row = 0; row < n; row++) {
    const own = sums[of[row]];
    own.rows++;
    own.residual += residuals[row];
    for (let j = 0; j < p; j++) {
      own.x[j] += fixed[j][row];
      own.xe[j] += fixed[j][row] * residuals[row];
      for (let k = 0; k < p; k++) bread[j * p + k] += fixed[j][row] * fixed[k][row];
    }
  }
  const scores = sums.map(({ rows, residual, x, xe }) => {
    const shared = ratio / (1 + rows * ratio);
    for (let j = 0; j < p; j++) for (let k = 0; k < p; k++) bread[j * p + k] -= shared * x[j] * x[k];
    return xe.map((value, j) => value - shared * x[j] * residual);
  });
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
    return Math.sqrt((squares * count) / (count - 1));
  });
  return { standardErrors, clusters: count };
}

function centred(values: Float64Array, groups: ArrayLike<string>): Float64Array {
  const { of, count } = numberClusters(groups);
  const [sums, sizes] = [new Float64Array(count), new Float64Array(count)];
  for (const [row, value] of values.entries()) {
    sums[of[row]] += value;
    sizes[of[row]]++;
  }
  return values.map((value, row) => value - sums[of[row]] / sizes[of[row]]);
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
