import { say } from '../base/say';
import { normalSurvival } from './normal';
import { finite, notDefined, type Outcome } from './outcome';
import { sum } from './summary';

function polynomial(coefficients: readonly number[], x: number): number {
  return coefficients.reduceRight((value, c) => value * x + c, 0);
}

/**
 * The normal quantile by Beasley and Springer, accurate to seven digits. Royston's weights use it, and a more
 * accurate quantile would change W's eighth digit.
 */
function quantileOfRoyston(p: number): number {
  const q = p - 0.5;
  if (Math.abs(q) <= 0.42) {
    const r = q * q;
    return (
      (q * polynomial([2.50662823884, -18.61500062529, 41.39119773534, -25.44106049637], r)) /
      polynomial([1, -8.4735109309, 23.08336743743, -21.06224101826, 3.13082909833], r)
    );
  }
  const r = Math.sqrt(-Math.log(q > 0 ? 1 - p : p));
  const z =
    polynomial([-2.78718931138, -2.29796479134, 4.85014127135, 2.32121276858], r) /
    polynomial([1, 3.54388924762, 1.63706781897], r);
  return q < 0 ? -z : z;
}

/** The weights of the upper half of the values, largest value first. */
function weights(n: number): Float64Array {
  const half = Math.floor(n / 2);
  if (n === 3) return Float64Array.of(Math.SQRT1_2);
  const m = Float64Array.from({ length: half }, (_, i) => quantileOfRoyston((i + 1 - 0.375) / (n + 0.25)));
  const squares = 2 * m.reduce((total, value) => total + value * value, 0);
  const root = Math.sqrt(squares);
  const u = 1 / Math.sqrt(n);
  const first = polynomial([0, 0.221157, -0.147981, -2.07119, 4.434685, -2.706056], u) - m[0] / root;
  if (n <= 5) {
    const scale = Math.sqrt((squares - 2 * m[0] * m[0]) / (1 - 2 * first * first));
    return m.map((value, i) => (i === 0 ? first : -value / scale));
  }
  const second = polynomial([0, 0.042981, -0.293762, -1.752461, 5.682633, -3.582633], u) - m[1] / root;
  const [left, share] = [
    squares - 2 * (m[0] * m[0] + m[1] * m[1]),
    1 - 2 * (first * first + second * second),
  ];
  const scale = Math.sqrt(left / share);
  return m.map((value, i) => (i === 0 ? first : i === 1 ? second : -value / scale));
}

/** Shapiro and Wilk's normality test by Royston (1995), for 3 to 5,000 values. */
export function shapiroWilk(values: ArrayLike<number>): Outcome<{ statistic: number; pValue: number }> {
  const n = values.length;
  const x = Float64Array.from(finite(values)).sort();
  if (n < 3) return notDefined(say('stats.normalityNeedsValues'));
  if (n > 5000) return notDefined(say('stats.normalityTooManyValues'));
  const range = x[n - 1] / 2 - x[0] / 2;
  if (range === 0) return notDefined(say('stats.valuesConstant'));
  // The values are centred and divided by their range, because large offsets or sizes would lose digits.
  const middle = x[Math.floor(n / 2)];
  const scaled = x.map((value) => (value / 2 - middle / 2) / range);
  const centre = sum(scaled) / n;
  const half = weights(n);
  const a = Float64Array.from({ length: n }, (_, i) =>
    2 * i + 1 === n ? 0 : i < half.length ? -half[i] : half[n - 1 - i],
  );
  const squaresOfA = sum(a.map((weight) => weight * weight));
  const squares = sum(scaled.map((value) => (value - centre) * (value - centre)));
  const product = sum(scaled.map((value, i) => (value - centre) * a[i]));
  const both = Math.sqrt(squaresOfA * squares);
  // 1 − W is computed from its factors, because W is often close to 1.
  const short = Math.max(0, ((both - product) * (both + product)) / (squaresOfA * squares));
  const statistic = 1 - short;
  return { statistic, pValue: pValueOf(statistic, short, n) };
}

function pValueOf(statistic: number, short: number, n: number): number {
  if (n === 3) {
    const p = (6 / Math.PI) * (Math.asin(Math.sqrt(statistic)) - Math.asin(Math.sqrt(0.75)));
    return Math.max(0, Math.min(1, p));
  }
  let y = Math.log(short);
  const logN = Math.log(n);
  if (n <= 11) {
    const limit = -2.273 + 0.459 * n;
    // W is too small for the approximation, so p is almost 0.
    if (y >= limit) return 1e-99;
    y = -Math.log(limit - y);
    const centre = polynomial([0.544, -0.39978, 0.025054, -6.714e-4], n);
    return normalSurvival((y - centre) / Math.exp(polynomial([1.3822, -0.77857, 0.062767, -0.0020322], n)));
  }
  const centre = polynomial([-1.5861, -0.31082, -0.083751, 0.0038915], logN);
  return normalSurvival((y - centre) / Math.exp(polynomial([-0.4803, -0.082676, 0.0030302], logN)));
}
