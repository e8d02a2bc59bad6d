import { betaTails } from './special';
import { studentTwoSided } from './distributions';
import { finite, isDefined, notDefined, sameLength, type Outcome } from './outcome';
import { mean, ranks, sum } from './summary';

export interface Correlation {
  coefficient: number;
  /** Two-sided, against no association; undefined where there are too few pairs to tell. */
  pValue: number | undefined;
  n: number;
}

/** Pearson's r alone; not defined with fewer than two pairs or where one side does not vary. */
function productMoment(a: Float64Array, b: Float64Array): Outcome<number> {
  if (a.length < 2) return notDefined('there are fewer than two pairs');
  const centred = (x: Float64Array): Float64Array | undefined => {
    const first = x[0];
    if (x.every((value) => value === first)) return undefined;
    const scale = x.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    const unit = x.map((value) => value / scale);
    const centre = mean(unit);
    const away = unit.map((value) => value - centre);
    const length = away.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    const inRange = away.map((value) => value / length);
    const norm = Math.sqrt(sum(inRange.map((value) => value * value)));
    return inRange.map((value) => value / norm);
  };
  const x = centred(a);
  const y = centred(b);
  if (x === undefined || y === undefined) return notDefined('one side is constant');
  return Math.max(-1, Math.min(1, sum(x.map((value, i) => value * y[i]))));
}

export function pearson(a: ArrayLike<number>, b: ArrayLike<number>): Outcome<Correlation> {
  sameLength(a, b);
  const coefficient = productMoment(finite(a), finite(b));
  if (!isDefined(coefficient)) return coefficient;
  const n = a.length;
  if (n === 2) return { coefficient: Math.sign(coefficient), pValue: 1, n };
  const half = n / 2 - 1;
  const size = Math.abs(coefficient);
  // (r + 1) / 2 is Beta(n/2 − 1, n/2 − 1) where there is no association.
  return { coefficient, pValue: 2 * betaTails(half, half, (1 - size) / 2, (1 + size) / 2).lower, n };
}

/** Spearman's ρ, ties averaged; p from Student's t with n − 2 degrees of freedom. */
export function spearman(a: ArrayLike<number>, b: ArrayLike<number>): Outcome<Correlation> {
  sameLength(a, b);
  return spearmanOfRanks(ranks(a), ranks(b));
}

/** Spearman's ρ from ranks already taken, for one list that meets many. */
export function spearmanOfRanks(a: Float64Array, b: Float64Array): Outcome<Correlation> {
  sameLength(a, b);
  const n = a.length;
  // Ranks are whole or half numbers: twice their distance from the middle is whole, and the sums are exact.
  const middle = n + 1;
  let [ab, aa, bb] = [0, 0, 0];
  for (let i = 0; i < n; i++) {
    const x = 2 * a[i] - middle;
    const y = 2 * b[i] - middle;
    ab += x * y;
    aa += x * x;
    bb += y * y;
  }
  if (n < 2) return notDefined('there are fewer than two pairs');
  if (aa === 0 || bb === 0) return notDefined('one side is constant');
  const coefficient = aa === bb ? ab / aa : Math.max(-1, Math.min(1, ab / Math.sqrt(aa) / Math.sqrt(bb)));
  return { coefficient, pValue: spearmanP(coefficient, n), n };
}

function spearmanP(coefficient: number, n: number): number | undefined {
  if (n < 3) return undefined;
  const rest = (1 + coefficient) * (1 - coefficient);
  return rest === 0 ? 0 : studentTwoSided(coefficient * Math.sqrt((n - 2) / rest), n - 2);
}
