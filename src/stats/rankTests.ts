import { say } from '../base/say';
import { chiSquaredTails } from './distributions';
import { holm } from './holm';
import { normalSurvival } from './normal';
import { finite, isDefined, notDefined, type Outcome } from './outcome';
import { cholesky, dot, forwardSubstitute } from './regression/linear';
import { rankWithTies } from './summary';

function pooled(groups: readonly ArrayLike<number>[]): Float64Array {
  const out = new Float64Array(groups.reduce((n, group) => n + group.length, 0));
  let at = 0;
  for (const group of groups) {
    out.set(finite(group), at);
    at += group.length;
  }
  return out;
}

function tieTerm(ties: readonly number[]): number {
  return ties.reduce((total, t) => total + (t * t * t - t), 0);
}

export interface KruskalWallis {
  statistic: number;
  pValue: number;
  degrees: number;
  /**
   * The share of the ranks' variance that groups explain: (H − k + 1) / (n − k) for k groups and n values in all.
   * A negative result counts as 0. Undefined if n ≤ k.
   */
  epsilonSquared: number | undefined;
}

/** Kruskal and Wallis' H, corrected for ties. */
export function kruskalWallis(groups: readonly ArrayLike<number>[]): Outcome<KruskalWallis> {
  if (groups.length < 2) return notDefined(say('stats.tooFewGroups'));
  const empty = groups.findIndex((group) => group.length === 0);
  if (empty !== -1) return notDefined(say('stats.numberedGroupEmpty', empty + 1));
  const { ranks, ties } = rankWithTies(pooled(groups));
  const n = ranks.length;
  const correction = 1 - tieTerm(ties) / (n * n * n - n);
  if (n < 2 || ties[0] === n) return notDefined(say('stats.valuesConstant'));
  let between = 0;
  let at = 0;
  for (const { length } of groups) {
    let total = 0;
    for (let i = 0; i < length; i++) total += ranks[at++];
    const away = total / length - (n + 1) / 2;
    between += length * away * away;
  }
  const statistic = (12 * between) / (n * (n + 1)) / correction;
  const degrees = groups.length - 1;
  const rest = n - groups.length;
  return {
    statistic,
    pValue: chiSquaredTails(statistic, degrees).upper,
    degrees,
    epsilonSquared: rest > 0 ? Math.max(0, (statistic - degrees) / rest) : undefined,
  };
}

/**
 * Skillings and Mack's test: whether treatments differ within blocks, if some blocks lack some treatments
 * (NaN). With complete blocks, it is Friedman's test.
 */
export function skillingsMack(blocks: readonly ArrayLike<number>[]): Outcome<{
  statistic: number;
  pValue: number;
  degrees: number;
}> {
  const treatments = blocks.at(0)?.length ?? 0;
  if (treatments < 2) return notDefined(say('stats.tooFewGroups'));
  const sums = new Float64Array(treatments);
  const covariance = new Float64Array(treatments * treatments);
  for (const block of blocks) {
    const there = [...sums.keys()].filter((i) => !Number.isNaN(block[i]));
    if (there.length < 2) continue;
    const { ranks } = rankWithTies(finite(there.map((i) => block[i])));
    const middle = (there.length + 1) / 2;
    const variance = ranks.reduce((sum, rank) => sum + (rank - middle) ** 2, 0) / (there.length - 1);
    // A block of equal values has no order.
    if (variance === 0) continue;
    const scale = Math.sqrt(there.length / variance);
    for (const [a, i] of there.entries()) {
      sums[i] += scale * (ranks[a] - middle);
      for (const j of there) covariance[i * treatments + j] += i === j ? there.length - 1 : -1;
    }
  }
  // The sums add up to 0, so the last treatment follows from the others.
  const degrees = treatments - 1;
  const inner = Float64Array.from(
    { length: degrees * degrees },
    (_, at) => covariance[Math.floor(at / degrees) * treatments + (at % degrees)],
  );
  const factor = cholesky(inner, degrees);
  if (factor === undefined) return notDefined(say('stats.tooFewCommonImages'));
  const solved = forwardSubstitute(factor, degrees, sums.slice(0, degrees));
  const statistic = dot(solved, solved);
  return { statistic, pValue: chiSquaredTails(statistic, degrees).upper, degrees };
}

export interface MannWhitney {
  /** U of the first group: the number of pairs in which its value is greater. A tie counts one half. */
  statistic: number;
  /** The two-sided p value. */
  pValue: number;
  method: 'exact' | 'normal';
}

/**
 * The Mann–Whitney test, as in SciPy: exact if there are no ties and a group has at most eight values. For other
 * data, it uses the normal distribution with corrections for ties and continuity.
 */
export function mannWhitney(a: ArrayLike<number>, b: ArrayLike<number>): Outcome<MannWhitney> {
  const [n, m] = [a.length, b.length];
  if (n === 0 || m === 0) return notDefined(say('stats.groupEmpty'));
  const { ranks, ties } = rankWithTies(pooled([a, b]));
  let total = 0;
  for (let i = 0; i < n; i++) total += ranks[i];
  const statistic = total - (n * (n + 1)) / 2;
  const larger = Math.max(statistic, n * m - statistic);
  if (ties.length === 0 && Math.min(n, m) <= 8) {
    const pValue = Math.min(1, 2 * atMostWins(n * m - larger, Math.min(n, m), Math.max(n, m)));
    return { statistic, pValue, method: 'exact' };
  }
  const all = n + m;
  const deviation = Math.sqrt(((n * m) / 12) * (all + 1 - tieTerm(ties) / (all * (all - 1))));
  // All values are equal, so no difference can be tested.
  if (ties[0] === all) return { statistic, pValue: 1, method: 'normal' };
  const z = (larger - (n * m) / 2 - 0.5) / deviation;
  return { statistic, pValue: Math.min(1, 2 * normalSurvival(z)), method: 'normal' };
}

/** P(U ≤ most) for groups of `few` and `many` values without ties. */
function atMostWins(most: number, few: number, many: number): number {
  // The number of arrangements for each U: the coefficients of ∏ (1 − q^(many + i)) / (1 − q^i), i = 1 … few.
  const ways = new Float64Array(most + 1);
  ways[0] = 1;
  let arrangements = 1;
  for (let i = 1; i <= few; i++) {
    for (let u = i; u <= most; u++) ways[u] += ways[u - i];
    for (let u = most; u >= many + i; u--) ways[u] -= ways[u - many - i];
    arrangements *= (many + i) / i;
  }
  return ways.reduce((total, w) => total + w, 0) / arrangements;
}

export interface PairwiseTest extends MannWhitney {
  first: number;
  second: number;
  /** The p value after Holm's correction over all pairs. */
  adjusted: number;
}

/** The Mann–Whitney test of every pair of non-empty groups. */
export function pairwiseMannWhitney(groups: readonly ArrayLike<number>[]): PairwiseTest[] {
  const tests: Omit<PairwiseTest, 'adjusted'>[] = [];
  for (let first = 0; first < groups.length; first++) {
    for (let second = first + 1; second < groups.length; second++) {
      const test = mannWhitney(groups[first], groups[second]);
      if (isDefined(test)) tests.push({ first, second, ...test });
    }
  }
  const adjusted = holm(tests.map((test) => test.pValue));
  return tests.map((test, i) => ({ ...test, adjusted: adjusted[i] }));
}

/** Cliff's δ = P(a > b) − P(a < b) over all pairs, with each side sorted once. */
export function cliffsDelta(a: ArrayLike<number>, b: ArrayLike<number>): Outcome<number> {
  if (a.length === 0 || b.length === 0) return notDefined(say('stats.groupEmpty'));
  const x = Float64Array.from(finite(a)).sort();
  const y = Float64Array.from(finite(b)).sort();
  let [below, atMost, balance] = [0, 0, 0];
  for (const value of x) {
    while (below < y.length && y[below] < value) below++;
    while (atMost < y.length && y[atMost] <= value) atMost++;
    balance += below - (y.length - atMost);
  }
  return balance / (x.length * y.length);
}
