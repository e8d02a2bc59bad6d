import { betaTails, binomialDensityAt, gammaTails, type Tails } from './special';

function positive(value: number, what: string): void {
  if (!(value > 0)) throw new RangeError(`${what} is ${value}, not above 0.`);
}

function known(x: number): void {
  if (Number.isNaN(x)) throw new RangeError('A distribution is asked at NaN.');
}

/** Student's t with any real degrees of freedom above 0. */
export function studentTails(t: number, degrees: number): Tails {
  known(t);
  positive(degrees, 'The number of degrees of freedom');
  if (!Number.isFinite(t)) return t < 0 ? { lower: 0, upper: 1 } : { lower: 1, upper: 0 };
  // t² may overflow where t does not: the ratio is taken first.
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

export function chiSquaredTails(x: number, degrees: number): Tails {
  known(x);
  positive(degrees, 'The number of degrees of freedom');
  return gammaTails(degrees / 2, x / 2);
}

export function fTails(f: number, between: number, within: number): Tails {
  known(f);
  positive(between, 'The number of degrees of freedom');
  positive(within, 'The number of degrees of freedom');
  if (f <= 0) return { lower: 0, upper: 1 };
  if (f === Infinity) return { lower: 1, upper: 0 };
  const a = between * f;
  return betaTails(between / 2, within / 2, a / (a + within), within / (a + within));
}

/** P(X = k) for X successes in n trials. */
export function binomialDensity(k: number, n: number, p: number): number {
  return k < 0 || k > n ? 0 : binomialDensityAt(k, n, p, 1 - p);
}

/** P(X ≤ k) and P(X > k). */
export function binomialTails(k: number, n: number, p: number): Tails {
  if (k < 0) return { lower: 0, upper: 1 };
  if (k >= n) return { lower: 1, upper: 0 };
  const { lower, upper } = betaTails(k + 1, n - k, p, 1 - p);
  return { lower: upper, upper: lower };
}

/** The x in (low, high) where a growing function crosses zero, to the last digits. */
function crossing(f: (x: number) => number, low: number, high: number): number {
  // Bisection over the doubles between: at most some 60 steps for unit scale, and it cannot fail.
  for (let i = 0; i < 2000; i++) {
    const middle = low / 2 + high / 2;
    if (middle <= low || middle >= high) return middle;
    if (f(middle) < 0) low = middle;
    else high = middle;
  }
  return low / 2 + high / 2;
}

/** The x with I(x; a, b) = p. */
export function betaQuantile(p: number, a: number, b: number): number {
  if (!(p >= 0 && p <= 1)) throw new RangeError(`The quantile asked for is ${p}, not between 0 and 1.`);
  if (p === 0 || p === 1) return p;
  return p <= 0.5
    ? crossing((x) => betaTails(a, b, x, 1 - x).lower - p, 0, 1)
    : crossing((x) => 1 - p - betaTails(a, b, x, 1 - x).upper, 0, 1);
}

/** The t with P(T ≤ t) = p. */
export function studentQuantile(p: number, degrees: number): number {
  if (!(p > 0 && p < 1)) throw new RangeError(`The quantile asked for is ${p}, not between 0 and 1.`);
  // The smaller tail is what keeps its digits.
  const tail = Math.min(p, 1 - p);
  let high = 1;
  while (studentTails(high, degrees).upper > tail && high < 1e300) high *= 2;
  const t = tail === 0.5 ? 0 : crossing((at) => tail - studentTails(at, degrees).upper, 0, high);
  return p < 0.5 ? -t : t;
}
