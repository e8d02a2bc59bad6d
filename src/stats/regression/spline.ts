import { finite, notDefined, type Outcome } from '../outcome';
import { quantileOfSorted, sorted } from '../summary';

/** `count` knots at evenly spaced quantiles of the distinct values, both ends included. */
export function quantileKnots(values: ArrayLike<number>, count: number): Outcome<Float64Array> {
  if (!Number.isInteger(count) || count < 2)
    throw new RangeError(`${count} knots are asked for, not 2 or more.`);
  const distinct = sorted(values).filter((value, i, all) => i === 0 || value !== all[i - 1]);
  if (distinct.length < 2) return notDefined('there are fewer than two distinct values');
  return Float64Array.from({ length: count }, (_, i) => quantileOfSorted(distinct, i / (count - 1)));
}

/**
 * The natural cubic spline through values at the knots, as a basis: the j-th function is 1 at knot j and 0 at the others, has
 * continuous second derivatives, and is straight beyond the ends. These are the functions of `cr` in patsy and mgcv.
 * At every x they add up to 1: beside an intercept, leave one out.
 */
export function naturalSpline(knots: ArrayLike<number>): (x: number) => Float64Array {
  const at = finite(knots, 'Knot');
  const count = at.length;
  if (count < 2) throw new RangeError(`A spline needs 2 knots or more, not ${count}.`);
  const width = Float64Array.from({ length: count - 1 }, (_, i) => at[i + 1] - at[i]);
  if (width.some((w) => !(w > 0))) throw new RangeError('The knots of a spline must ascend.');
  const bend = secondDerivatives(width);
  return (x) => {
    if (!Number.isFinite(x)) throw new RangeError(`A spline is asked at ${x}, not a finite number.`);
    let j = 0;
    while (j < count - 2 && x > at[j + 1]) j++;
    const h = width[j];
    const [left, right] = [at[j + 1] - x, x - at[j]];
    // The second derivative is 0 at both ends; only the inner side's cube has to go for the line beyond.
    const cubeLeft = x > at[count - 1] ? 0 : (left * left * left) / (6 * h);
    const cubeRight = x < at[0] ? 0 : (right * right * right) / (6 * h);
    const [bendLeft, bendRight] = [cubeLeft - (h * left) / 6, cubeRight - (h * right) / 6];
    const out = new Float64Array(count);
    out[j] = left / h;
    out[j + 1] = right / h;
    for (let k = 0; k < count; k++) out[k] += bendLeft * bend[j][k] + bendRight * bend[j + 1][k];
    return out;
  };
}

/** bend[i][k]: the second derivative at knot i of the k-th basis function. */
function secondDerivatives(width: Float64Array): Float64Array[] {
  const count = width.length + 1;
  const out = Array.from({ length: count }, () => new Float64Array(count));
  // A tridiagonal system for the inner knots, solved for all basis functions at once (Thomas).
  const diagonal = new Float64Array(count);
  for (let i = 1; i < count - 1; i++) {
    const [before, after] = [width[i - 1], width[i]];
    diagonal[i] = (before + after) / 3;
    out[i][i - 1] = 1 / before;
    out[i][i] = -1 / before - 1 / after;
    out[i][i + 1] = 1 / after;
    if (i > 1) {
      const factor = before / 6 / diagonal[i - 1];
      diagonal[i] -= (factor * before) / 6;
      for (let k = 0; k < count; k++) out[i][k] -= factor * out[i - 1][k];
    }
  }
  for (let i = count - 2; i >= 1; i--) {
    for (let k = 0; k < count; k++) out[i][k] = (out[i][k] - (width[i] / 6) * out[i + 1][k]) / diagonal[i];
  }
  return out;
}
