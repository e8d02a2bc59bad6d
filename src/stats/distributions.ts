import { betaTails, gammaTails, type Tails } from './special';

function positive(value: number, what: string): void {
  if (!(value > 0)) throw new RangeError(`${what} is ${value}, not above 0.`);
}

function known(x: number): void {
  if (Number.isNaN(x)) throw new RangeError('The argument of a distribution is NaN.');
}

/** Student's t with any positive degrees of freedom. */
export function studentTails(t: number, degrees: number): Tails {
  known(t);
  positive(degrees, 'The number of degrees of freedom');
  if (!Number.isFinite(t)) return t < 0 ? { lower: 0, upper: 1 } : { lower: 1, upper: 0 };
  // The division comes first, because t² may overflow.
  const ratio = (t / degrees) * t;
  const x = 1 / (1 + ratio);
  const outer = betaTails(degrees / 2, 0.5, x, ratio === Infinity ? 1 : ratio / (1 + ratio));
  const beyond = outer.lower / 2;
  const within = 0.5 + outer.upper / 2;
  return t >= 0 ? { lower: within, upper: beyond } : { lower: beyond, upper: within };
}

/** P(|T| ≥ |t|). */
export function studentTwoSided(t: number, degrees: number): number {
  return 2 * studentTails(Math.abs(t), degrees).upper;
}

/** The t with P(T ≤ t) = p, by bisection. */
export function studentQuantile(p: number, degrees: number): number {
  if (!(p > 0 && p < 1)) throw new RangeError(`The quantile needs a probability between 0 and 1, not ${p}.`);
  if (p < 0.5) return -studentQuantile(1 - p, degrees);
  let [low, high] = [0, 2];
  while (studentTails(high, degrees).lower < p) [low, high] = [high, 2 * high];
  for (;;) {
    const middle = (low + high) / 2;
    if (middle === low || middle === high) return middle;
    if (studentTails(middle, degrees).lower < p) low = middle;
    else high = middle;
  }
}

export function chiSquaredTails(x: number, degrees: number): Tails {
  known(x);
  positive(degrees, 'The number of degrees of freedom');
  return gammaTails(degrees / 2, x / 2);
}

/** P(F > f) of two variances. */
export function fUpper(f: number, degrees: number, under: number): number {
  known(f);
  positive(degrees, 'The number of degrees of freedom');
  positive(under, 'The number of degrees of freedom');
  const ratio = (f / under) * degrees;
  const x = 1 / (1 + ratio);
  return betaTails(under / 2, degrees / 2, x, ratio === Infinity ? 1 : ratio / (1 + ratio)).lower;
}

/** P(X ≤ k) and P(X > k) of the binomial distribution. */
export function binomialTails(k: number, n: number, p: number): Tails {
  if (k < 0) return { lower: 0, upper: 1 };
  if (k >= n) return { lower: 1, upper: 0 };
  const { lower, upper } = betaTails(k + 1, n - k, p, 1 - p);
  return { lower: upper, upper: lower };
}
