import { ascendingOrder } from './order';
import { finite } from './outcome';

/** Neumaier's compensated sum, whose error does not grow with the number of terms. */
export class RunningSum {
  private total = 0;
  private lost = 0;

  add(value: number): void {
    const next = this.total + value;
    this.lost +=
      Math.abs(this.total) >= Math.abs(value) ? this.total - next + value : value - next + this.total;
    this.total = next;
  }

  /** The sum. It is not finite if a value is not finite, or if the values are too large. */
  get value(): number {
    return this.total + this.lost;
  }
}

export function sum(values: ArrayLike<number>): number {
  const total = new RunningSum();
  for (const value of finite(values)) total.add(value);
  return inRange(total.value, 'sum');
}

function inRange(value: number, what: string): number {
  if (!Number.isFinite(value)) throw new RangeError(`The values are too large: their ${what} overflows.`);
  return value;
}

function some(values: ArrayLike<number>, least: number, what: string): Float64Array {
  if (values.length < least)
    throw new RangeError(`The ${what} of ${values.length} values is not defined: it needs ${least}.`);
  return finite(values);
}

export function mean(values: ArrayLike<number>): number {
  return sum(some(values, 1, 'mean')) / values.length;
}

/** The mean from a plain sum; NaN for no values. A compensated sum would change the last digits of metrics. */
export function plainMean(values: readonly number[]): number {
  return values.reduce((a, b) => a + b, 0) / values.length;
}

/** The sum of squared deviations from the mean, in units of `unit²`. The unit avoids overflow and underflow. */
function squares(x: Float64Array): { unit: number; total: number } {
  const centre = mean(x);
  // Exact deviations sum to 0. The term with their sum corrects the mean's rounding.
  const deviations = x.map((value) => value - centre);
  const unit = deviations.reduce((most, d) => Math.max(most, Math.abs(d)), 0);
  if (unit === 0) return { unit, total: 0 };
  const scaled = deviations.map((d) => d / unit);
  const slip = sum(scaled);
  return { unit, total: Math.max(0, sum(scaled.map((d) => d * d)) - (slip * slip) / x.length) };
}

/** The sample variance for `ddof` 1 (the default), the population variance for 0. */
export function variance(values: ArrayLike<number>, ddof = 1): number {
  const { unit, total } = squares(some(values, ddof + 1, 'variance'));
  return inRange((total / (values.length - ddof)) * unit * unit, 'variance');
}

export function standardDeviation(values: ArrayLike<number>, ddof = 1): number {
  const { unit, total } = squares(some(values, ddof + 1, 'standard deviation'));
  return Math.sqrt(total / (values.length - ddof)) * unit;
}

/** Skewness and excess kurtosis; NaN for equal values. */
export function shapeOf(values: ArrayLike<number>): { skewness: number; kurtosis: number } {
  const centre = mean(values);
  const moment = (power: number): number =>
    mean(Float64Array.from(Array.from(values), (value) => (value - centre) ** power));
  const spread = moment(2);
  return { skewness: moment(3) / spread ** 1.5, kurtosis: moment(4) / spread ** 2 - 3 };
}

export function sorted(values: ArrayLike<number>): Float64Array {
  return Float64Array.from(finite(values)).sort();
}

/** The quantile of ascending values by linear interpolation, as in NumPy's default method. */
export function quantileOfSorted(ascending: Float64Array, q: number): number {
  if (ascending.length === 0) throw new RangeError('The quantile of 0 values is not defined: it needs 1.');
  if (!(q >= 0 && q <= 1)) throw new RangeError(`The quantile is ${q}, not between 0 and 1.`);
  const at = q * (ascending.length - 1);
  const below = Math.floor(at);
  const low = ascending[below];
  const high = ascending[Math.min(below + 1, ascending.length - 1)];
  const part = at - below;
  // Interpolates from the nearer end, as NumPy does.
  return part < 0.5 ? low + (high - low) * part : high - (high - low) * (1 - part);
}

export function quantile(values: ArrayLike<number>, q: number): number {
  return quantileOfSorted(sorted(some(values, 1, 'quantile')), q);
}

/** The median of values that are in ascending order. */
export function medianOfSorted(ascending: Float64Array): number {
  const n = ascending.length;
  if (n === 0) throw new RangeError('The median of 0 values is not defined: it needs 1.');
  return n % 2 === 1 ? ascending[(n - 1) / 2] : midpoint(ascending[n / 2 - 1], ascending[n / 2]);
}

export function midpoint(a: number, b: number): number {
  const total = a + b;
  return Number.isFinite(total) ? total / 2 : a / 2 + b / 2;
}

export function median(values: ArrayLike<number>): number {
  return medianOfSorted(sorted(some(values, 1, 'median')));
}

/** Ranks from 1. Ties share their mean rank. */
export function ranks(values: ArrayLike<number>): Float64Array {
  return rankWithTies(values).ranks;
}

/** Ranks with mean ranks for ties, and the size of each group of ties. */
export function rankWithTies(values: ArrayLike<number>): { ranks: Float64Array; ties: number[] } {
  const x = finite(values);
  const order = ascendingOrder(x);
  const out = new Float64Array(x.length);
  const ties: number[] = [];
  for (let from = 0; from < order.length;) {
    let to = from + 1;
    while (to < order.length && x[order[to]] === x[order[from]]) to++;
    const shared = (from + 1 + to) / 2;
    for (let i = from; i < to; i++) out[order[i]] = shared;
    if (to - from > 1) ties.push(to - from);
    from = to;
  }
  return { ranks: out, ties };
}
