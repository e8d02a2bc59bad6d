import { say } from '../../base/say';
import { finite, notDefined, sameLength, type Outcome } from '../outcome';

/** A thin factorisation X = QR. Q and R are lists of columns (r[j][i] for i ≤ j). */
export interface Factorisation {
  q: Float64Array[];
  r: Float64Array[];
}

export function dot(a: Float64Array, b: Float64Array): number {
  let total = 0;
  for (let i = 0; i < a.length; i++) total += a[i] * b[i];
  return total;
}

/** Gram–Schmidt with each column orthogonalised twice, which makes Q orthonormal to machine precision. */
export function factorise(columns: readonly ArrayLike<number>[]): Outcome<Factorisation> {
  const q: Float64Array[] = [];
  const r: Float64Array[] = [];
  for (const [j, column] of columns.entries()) {
    sameLength(columns[0], column);
    const left = Float64Array.from(finite(column));
    const length = Math.sqrt(dot(left, left));
    const entries = new Float64Array(j + 1);
    for (let round = 0; round < 2; round++) {
      for (const [i, done] of q.entries()) {
        const along = dot(done, left);
        entries[i] += along;
        for (let row = 0; row < left.length; row++) left[row] -= along * done[row];
      }
    }
    entries[j] = Math.sqrt(dot(left, left));
    if (!(entries[j] > 1e-10 * length)) return notDefined(say('stats.predictorsDependent'));
    q.push(left.map((value) => value / entries[j]));
    r.push(entries);
  }
  return { q, r };
}

/** Solves R x = b. */
export function backSubstitute(r: readonly Float64Array[], b: ArrayLike<number>): Float64Array {
  const x = Float64Array.from(b);
  for (let j = r.length - 1; j >= 0; j--) {
    x[j] /= r[j][j];
    for (let i = 0; i < j; i++) x[i] -= r[j][i] * x[j];
  }
  return x;
}

/** The lower triangular factor L of A = LLᵀ in row-major order; undefined if A is not positive definite. */
export function cholesky(a: Float64Array, n: number): Float64Array | undefined {
  const l = Float64Array.from(a);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let value = l[i * n + j];
      for (let k = 0; k < j; k++) value -= l[i * n + k] * l[j * n + k];
      if (i !== j) l[i * n + j] = value / l[j * n + j];
      else if (value > 0) l[i * n + i] = Math.sqrt(value);
      else return undefined;
    }
    l.fill(0, i * n + i + 1, (i + 1) * n);
  }
  return l;
}

/** Solves L x = b in place. */
export function forwardSubstitute(l: Float64Array, n: number, b: Float64Array): Float64Array {
  for (let i = 0; i < n; i++) {
    let value = b[i];
    for (let k = 0; k < i; k++) value -= l[i * n + k] * b[k];
    b[i] = value / l[i * n + i];
  }
  return b;
}

/** Qᵀy, and the part of y orthogonal to Q. */
export function project(
  q: readonly Float64Array[],
  y: Float64Array,
): { along: Float64Array; residuals: Float64Array } {
  const residuals = Float64Array.from(y);
  const along = new Float64Array(q.length);
  for (let round = 0; round < 2; round++) {
    for (const [j, column] of q.entries()) {
      const part = dot(column, residuals);
      along[j] += part;
      for (let i = 0; i < residuals.length; i++) residuals[i] -= part * column[i];
    }
  }
  return { along, residuals };
}
