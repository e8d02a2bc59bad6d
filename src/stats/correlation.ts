import { say } from '../base/say';
import { studentTwoSided } from './distributions';
import { notDefined, sameLength, type Outcome } from './outcome';
import { ranks } from './summary';

export interface Correlation {
  coefficient: number;
  /** The two-sided p value; the null hypothesis is no association. Undefined for Spearman's ρ of two pairs. */
  pValue: number | undefined;
  n: number;
}

/** Spearman's ρ with mean ranks for ties. p is from Student's t with n − 2 degrees of freedom. */
export function spearman(a: ArrayLike<number>, b: ArrayLike<number>): Outcome<Correlation> {
  sameLength(a, b);
  const [first, second] = [ranks(a), ranks(b)];
  const n = a.length;
  // Ranks are multiples of one half, so doubled distances from the middle are integers and sums are exact.
  const middle = n + 1;
  let [ab, aa, bb] = [0, 0, 0];
  for (let i = 0; i < n; i++) {
    const x = 2 * first[i] - middle;
    const y = 2 * second[i] - middle;
    ab += x * y;
    aa += x * x;
    bb += y * y;
  }
  if (n < 2) return notDefined(say('stats.tooFewPairs'));
  if (aa === 0 || bb === 0) return notDefined(say('stats.constantVariable'));
  const coefficient = aa === bb ? ab / aa : Math.max(-1, Math.min(1, ab / Math.sqrt(aa) / Math.sqrt(bb)));
  return { coefficient, pValue: spearmanP(coefficient, n), n };
}

function spearmanP(coefficient: number, n: number): number | undefined {
  if (n < 3) return undefined;
  const rest = (1 + coefficient) * (1 - coefficient);
  return rest === 0 ? 0 : studentTwoSided(coefficient * Math.sqrt((n - 2) / rest), n - 2);
}
