/** Special functions for distributions, with densities by the saddle point expansion (14 digits at any size). */

/** The difference between ln Γ(x + 1) and Stirling's x ln x − x + ½ ln 2πx, for x > 0. */
export function stirlingError(x: number): number {
  let below = 0;
  // The series below needs a large x. Each step to x + 1 changes the error by a known amount.
  for (; x < 15; x++) below += (x + 0.5) * Math.log1p(1 / x) - 1;
  const s = 1 / (x * x);
  return (
    below +
    (1 / 12 - s * (1 / 360 - s * (1 / 1260 - s * (1 / 1680 - s * (1 / 1188 - (s * 691) / 360360))))) / x
  );
}

/** x ln(x / m) + m − x without cancellation for x close to m. */
function deviance(x: number, m: number): number {
  if (Math.abs(x - m) >= 0.1 * (x + m)) return x * Math.log(x / m) + m - x;
  const v = (x - m) / (x + m);
  let total = (x - m) * v;
  let term = 2 * x * v;
  for (let j = 3; ; j += 2) {
    term *= v * v;
    const next = total + term / j;
    if (next === total) return total;
    total = next;
  }
}

/** The Poisson density e^−m m^x / Γ(x + 1) at any real x ≥ 0. */
export function poissonDensity(x: number, m: number): number {
  if (m === 0) return x === 0 ? 1 : 0;
  if (x === 0) return Math.exp(-m);
  return Math.exp(-stirlingError(x) - deviance(x, m)) / Math.sqrt(2 * Math.PI * x);
}

/** The binomial density at any real 0 ≤ x ≤ n. q = 1 − p is given, because a tiny q must stay precise. */
export function binomialDensityAt(x: number, n: number, p: number, q: number): number {
  if (p === 0) return x === 0 ? 1 : 0;
  if (q === 0) return x === n ? 1 : 0;
  if (x === 0) return Math.exp(n * (p < 0.5 ? Math.log1p(-p) : Math.log(q)));
  if (x === n) return Math.exp(n * (q < 0.5 ? Math.log1p(-q) : Math.log(p)));
  if (x < 0 || x > n) return 0;
  const exponent =
    stirlingError(n) - stirlingError(x) - stirlingError(n - x) - deviance(x, n * p) - deviance(n - x, n * q);
  return Math.exp(exponent) * Math.sqrt(n / (2 * Math.PI * x * (n - x)));
}

/** Both tails of a distribution. The sum of the tails is 1, and even very small tails are precise. */
export interface Tails {
  lower: number;
  upper: number;
}

const mostSteps = 100_000;
const smallest = 1e-300;

/** Lentz's continued fraction: b0 + a1/(b1 + a2/(b2 + …)). */
function continuedFraction(a: (i: number) => number, b: (i: number) => number): number {
  let value = b(0) || smallest;
  let c = value;
  let d = 0;
  for (let i = 1; i < mostSteps; i++) {
    d = b(i) + a(i) * d || smallest;
    c = b(i) + a(i) / c || smallest;
    d = 1 / d;
    const step = c * d;
    value *= step;
    if (Math.abs(step - 1) < 1e-16) return value;
  }
  return value;
}

/** The regularised incomplete gamma function: P(a, x) is the lower tail, Q(a, x) the upper tail. */
export function gammaTails(a: number, x: number): Tails {
  if (x <= 0) return { lower: 0, upper: 1 };
  if (x === Infinity) return { lower: 1, upper: 0 };
  const front = poissonDensity(a, x);
  if (x < a + 1) {
    let term = 1;
    let total = 1;
    for (let k = 1; k < mostSteps && term > total * 1e-17; k++) {
      term *= x / (a + k);
      total += term;
    }
    const lower = Math.min(1, front * total);
    return { lower, upper: 1 - lower };
  }
  const fraction = continuedFraction(
    (i) => (i === 1 ? 1 : -(i - 1) * (i - 1 - a)),
    (i) => (i === 0 ? 0 : x + 2 * i - 1 - a),
  );
  const upper = Math.min(1, front * a * fraction);
  return { lower: 1 - upper, upper };
}

/**
 * The regularised incomplete beta function, with the lower tail I(x; a, b). y = 1 − x is an argument, because
 * a tiny y must keep its precision.
 */
export function betaTails(a: number, b: number, x: number, y: number): Tails {
  if (x <= 0) return { lower: 0, upper: 1 };
  if (y <= 0) return { lower: 1, upper: 0 };
  if (x > (a + 1) / (a + b + 2)) {
    const { lower, upper } = betaTails(b, a, y, x);
    return { lower: upper, upper: lower };
  }
  const front = (binomialDensityAt(a, a + b, x, y) * b) / (a + b);
  const fraction = continuedFraction(
    (i) => {
      if (i === 1) return 1;
      const m = Math.floor((i - 1) / 2);
      return i % 2 === 0
        ? (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
        : (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    },
    (i) => (i === 0 ? 0 : 1),
  );
  const lower = Math.min(1, front * fraction);
  return { lower, upper: 1 - lower };
}

/** ln Γ(x) for x > 0. */
export function logGamma(x: number): number {
  // Γ(x + 1) = x Γ(x) with Stirling's formula. `stirlingError` also covers small x.
  return (x - 0.5) * Math.log(x) - x + 0.5 * Math.log(2 * Math.PI) + stirlingError(x);
}
