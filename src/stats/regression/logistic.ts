/* Logistic regression with an L2 penalty on sparse rows, by L-BFGS. */
import type { Steps } from '../../base/turns/steps';
import { dot } from './linear';

/** Rows of a sparse matrix: row r has the entries from `starts[r]` to `starts[r + 1]`. */
export interface SparseRows {
  starts: Uint32Array;
  /** The column of each entry. */
  columns: Uint32Array;
  values: Float64Array;
  /** The number of columns. */
  width: number;
}

interface Fit {
  /** Rows with weight 0 are not used. */
  weights: Float64Array;
  /** Half of this, times the sum of squares of the coefficients, is added to the loss. */
  penalty: number;
  /** The fit ends if the gradient is this many times smaller than at zero. */
  tolerance?: number;
  mostRounds?: number;
}

const remembered = 8;

/**
 * The coefficients b that minimise Σ weight · log(1 + exp(−row · b)) + penalty / 2 · |b|². Each row is a case of class
 * 1, or minus a case of class 0; for pairs, the difference of the preferred case and the other one.
 */
export function* logisticRidge(
  rows: SparseRows,
  { weights, penalty, tolerance = 1e-2, mostRounds = 100 }: Fit,
): Steps<Float64Array> {
  let at = new Float64Array(rows.width);
  let { loss, gradient } = lossAt(rows, weights, penalty, at);
  const enough = tolerance * Math.sqrt(dot(gradient, gradient));
  const history: { step: Float64Array; change: Float64Array; scale: number }[] = [];
  for (let round = 0; round < mostRounds && Math.sqrt(dot(gradient, gradient)) > enough; round++) {
    yield;
    const direction = towards(gradient, history);
    const slope = dot(direction, gradient);
    let size = history.length === 0 ? 1 / Math.max(1, Math.sqrt(dot(gradient, gradient))) : 1;
    let next = moved(at, direction, size);
    let found = lossAt(rows, weights, penalty, next);
    while (found.loss > loss + 1e-4 * size * slope && size > 1e-12) {
      size /= 2;
      next = moved(at, direction, size);
      found = lossAt(rows, weights, penalty, next);
    }
    if (!(found.loss <= loss)) break;
    const step = moved(next, at, -1);
    const change = moved(found.gradient, gradient, -1);
    const curvature = dot(step, change);
    if (curvature > 0) {
      history.push({ step, change, scale: 1 / curvature });
      if (history.length > remembered) history.shift();
    }
    at = next;
    ({ loss, gradient } = found);
  }
  return at;
}

function lossAt(
  { starts, columns, values }: SparseRows,
  weights: Float64Array,
  penalty: number,
  b: Float64Array,
): { loss: number; gradient: Float64Array } {
  const gradient = new Float64Array(b.length);
  add(gradient, b, penalty);
  let loss = (penalty / 2) * dot(b, b);
  for (let r = 0; r < weights.length; r++) {
    const weight = weights[r];
    if (weight === 0) continue;
    const from = starts[r];
    const to = starts[r + 1];
    let margin = 0;
    for (let e = from; e < to; e++) margin += values[e] * b[columns[e]];
    // Exponentials take most of the time, so this one is used twice.
    const small = Math.exp(-Math.abs(margin));
    loss += weight * (Math.log1p(small) + Math.max(0, -margin));
    const pull = weight / (1 + (margin <= 0 ? small : Math.exp(margin)));
    for (let e = from; e < to; e++) gradient[columns[e]] -= pull * values[e];
  }
  return { loss, gradient };
}

/** The direction of descent, by the two-loop recursion. */
function towards(
  gradient: Float64Array,
  history: readonly { step: Float64Array; change: Float64Array; scale: number }[],
): Float64Array {
  const out = moved(new Float64Array(gradient.length), gradient, -1);
  const parts: number[] = [];
  for (const { step, change, scale } of history.toReversed()) {
    const part = scale * dot(step, out);
    parts.push(part);
    add(out, change, -part);
  }
  const last = history.at(-1);
  if (last !== undefined) {
    const scale = 1 / (last.scale * dot(last.change, last.change));
    for (let c = 0; c < out.length; c++) out[c] *= scale;
  }
  for (const { step, change, scale } of history) add(out, step, parts.pop()! - scale * dot(change, out));
  return out;
}

function moved(at: Float64Array, direction: Float64Array, size: number): Float64Array<ArrayBuffer> {
  const out = new Float64Array(at);
  add(out, direction, size);
  return out;
}

function add(to: Float64Array, values: Float64Array, factor: number): void {
  for (let c = 0; c < to.length; c++) to[c] += factor * values[c];
}
