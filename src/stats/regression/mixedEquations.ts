import { cholesky, dot, forwardSubstitute } from './linear';
import type { Clustering } from '../clustering';

/** The sums over data rows that the fit needs, of the fixed effects' Q, then of the response. */
export interface Sums {
  /** The index of the factor with the most levels, which is eliminated first. */
  eliminated: number;
  /** For each dense row, its factor. A dense row is a level of a factor that is not eliminated. */
  factorOf: Uint32Array;
  /** The number of data rows in each level of the eliminated factor. */
  sizes: Float64Array;
  /** For each level of the eliminated factor, the sums of the columns over the level's data rows. */
  levelSums: Float64Array[];
  denseSums: Float64Array[];
  /**
   * For each level of the eliminated factor, the dense rows that share data rows with it, and the numbers of
   * shared rows.
   */
  meets: { rows: Uint32Array; times: Float64Array }[];
  /** For each two dense rows, the number of data rows that they share. Only the lower triangle is set. */
  crossed: Float64Array;
}

export function summarise(groupings: Clustering[], columns: Float64Array[]): Sums {
  const eliminated = groupings.reduce((most, { count }, k) => (count > groupings[most].count ? k : most), 0);
  const { of, count } = groupings[eliminated];
  const others = groupings.map((grouping, k) => ({ grouping, k })).filter(({ k }) => k !== eliminated);
  const starts: number[] = [];
  let dense = 0;
  for (const { grouping } of others) {
    starts.push(dense);
    dense += grouping.count;
  }
  const factorOf = new Uint32Array(dense);
  others.forEach(({ grouping, k }, i) => factorOf.fill(k, starts[i], starts[i] + grouping.count));
  const sizes = new Float64Array(count);
  const width = columns.length;
  const levelSums = Array.from({ length: count }, () => new Float64Array(width));
  const denseSums = Array.from({ length: dense }, () => new Float64Array(width));
  const meets = Array.from({ length: count }, () => new Map<number, number>());
  const crossed = new Float64Array(dense * dense);
  for (let row = 0; row < of.length; row++) {
    const level = of[row];
    sizes[level]++;
    for (let c = 0; c < width; c++) levelSums[level][c] += columns[c][row];
    const rows = others.map(({ grouping }, i) => starts[i] + grouping.of[row]);
    for (const i of rows) {
      for (let c = 0; c < width; c++) denseSums[i][c] += columns[c][row];
      meets[level].set(i, (meets[level].get(i) ?? 0) + 1);
      for (const j of rows) if (j <= i) crossed[i * dense + j]++;
    }
  }
  return {
    eliminated,
    factorOf,
    sizes,
    levelSums,
    denseSums,
    meets: meets.map((met) => {
      const rows = Uint32Array.from(met.keys()).sort();
      return { rows, times: Float64Array.from(rows, (row) => met.get(row)!) };
    }),
    crossed,
  };
}

export interface Solved {
  /** The value of ln|V/σ²| + ln|QᵀV⁻¹Qσ²|. */
  logDeterminants: number;
  /** The generalised residual sum of squares, for a response that is scaled to norm 1. */
  residual: number;
  /** The generalised least-squares coefficients of the response on Q. */
  coefficients: Float64Array;
  /** The j-th diagonal entry of (XᵀV⁻¹Xσ²)⁻¹, where X = QR. */
  inverseDiagonal: (r: readonly Float64Array[], j: number) => number;
}

export function solve(sums: Sums, theta: Float64Array, p: number): Solved | undefined {
  const { eliminated, factorOf, sizes, levelSums, denseSums, meets, crossed } = sums;
  const dense = factorOf.length;
  const width = p + 1;
  const scale = Float64Array.from(factorOf, (k) => Math.abs(theta[k]));
  const s = Float64Array.from(crossed);
  const b = denseSums.map((row) => Float64Array.from(row));
  const h = new Float64Array(width * width);
  for (let c = 0; c < width; c++) h[c * width + c] = 1;
  let logDeterminants = 0;
  for (let level = 0; level < sizes.length; level++) {
    const ratio = theta[eliminated] * theta[eliminated];
    const inner = 1 + ratio * sizes[level];
    logDeterminants += Math.log(inner);
    const weight = ratio / inner;
    const own = levelSums[level];
    for (let c = 0; c < width; c++) {
      for (let d = 0; d <= c; d++) h[c * width + d] -= weight * own[c] * own[d];
    }
    const { rows, times } = meets[level];
    for (let i = 0; i < rows.length; i++) {
      const part = weight * times[i];
      const at = rows[i] * dense;
      for (let j = 0; j <= i; j++) s[at + rows[j]] -= part * times[j];
      const sum = b[rows[i]];
      for (let c = 0; c < width; c++) sum[c] -= part * own[c];
    }
  }
  for (let i = 0; i < dense; i++) {
    for (let j = 0; j <= i; j++) s[i * dense + j] *= scale[i] * scale[j];
    s[i * dense + i] += 1;
  }
  const l = cholesky(s, dense);
  if (l === undefined) return undefined;
  for (let i = 0; i < dense; i++) logDeterminants += 2 * Math.log(l[i * dense + i]);
  const solvedColumns = Array.from({ length: width }, (_, c) =>
    forwardSubstitute(
      l,
      dense,
      Float64Array.from(b, (row, i) => row[c] * scale[i]),
    ),
  );
  for (let c = 0; c < width; c++) {
    for (let d = 0; d <= c; d++) h[c * width + d] -= dot(solvedColumns[c], solvedColumns[d]);
  }
  // The response is the last column, so the last row of H's Cholesky factor has the fit and the residual.
  const whole = cholesky(h, width);
  if (whole === undefined) return undefined;
  for (let c = 0; c < p; c++) logDeterminants += 2 * Math.log(whole[c * width + c]);
  return {
    logDeterminants,
    residual: whole[p * width + p] * whole[p * width + p],
    coefficients: solveUpper(whole, width, whole.slice(p * width, p * width + p)),
    inverseDiagonal: (r, j) => {
      // ‖L⁻¹ R⁻ᵀ eⱼ‖²
      const w = new Float64Array(p);
      w[j] = 1;
      for (let k = 0; k < p; k++) {
        for (let i = 0; i < k; i++) w[k] -= r[k][i] * w[i];
        w[k] /= r[k][k];
      }
      for (let i = 0; i < p; i++) {
        for (let k = 0; k < i; k++) w[i] -= whole[i * width + k] * w[k];
        w[i] /= whole[i * width + i];
      }
      return dot(w, w);
    },
  };
}

/** Solves Lᵀ x = b with the leading rows and columns of L, as many as b has values. */
function solveUpper(l: Float64Array, stride: number, b: Float64Array): Float64Array {
  for (let i = b.length - 1; i >= 0; i--) {
    b[i] /= l[i * stride + i];
    for (let k = 0; k < i; k++) b[k] -= l[i * stride + k] * b[i];
  }
  return b;
}
