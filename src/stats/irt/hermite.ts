/** Nodes and weights of Gauss and Hermite for means over a standard normal distribution. The weights sum to 1. */
export interface Quadrature {
  nodes: Float64Array;
  weights: Float64Array;
}

export function hermite(n: number): Quadrature {
  const nodes = new Float64Array(n);
  const weights = new Float64Array(n);
  // Newton's method from the largest root down, with orthonormal polynomials, which do not overflow.
  let x = 0;
  for (let i = 0; i < Math.ceil(n / 2); i++) {
    x = start(i, n, x, nodes);
    for (let round = 0; round < 100; round++) {
      const { value, slope } = polynomial(n, x);
      const step = value / slope;
      x -= step;
      if (Math.abs(step) < 1e-15 * (1 + Math.abs(x))) break;
    }
    if (2 * i === n - 1) x = 0;
    const weight = 2 / polynomial(n, x).slope ** 2 / Math.sqrt(Math.PI);
    [nodes[n - 1 - i], weights[n - 1 - i]] = [-x * Math.SQRT2, weight];
    [nodes[i], weights[i]] = [x * Math.SQRT2, weight];
  }
  return { nodes, weights };
}

/** A first guess of root `i`, from the roots before it (Stroud and Secrest). */
function start(i: number, n: number, last: number, nodes: Float64Array): number {
  if (i === 0) return Math.sqrt(2 * n + 1) - 1.85575 * (2 * n + 1) ** (-1 / 6);
  if (i === 1) return last - (1.14 * n ** 0.426) / last;
  const root = (at: number): number => nodes[at] / Math.SQRT2;
  if (i === 2) return 1.86 * last - 0.86 * root(0);
  if (i === 3) return 1.91 * last - 0.91 * root(1);
  return 2 * last - root(i - 2);
}

function polynomial(n: number, x: number): { value: number; slope: number } {
  let [before, value] = [0, Math.PI ** -0.25];
  for (let j = 0; j < n; j++)
    [before, value] = [value, x * Math.sqrt(2 / (j + 1)) * value - Math.sqrt(j / (j + 1)) * before];
  return { value, slope: Math.sqrt(2 * n) * before };
}
