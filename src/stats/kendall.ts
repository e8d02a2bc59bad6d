import { say } from '../base/say';
import type { Correlation } from './correlation';
import { normalSurvival } from './normal';
import { ascendingOrder } from './order';
import { finite, notDefined, sameLength, type Outcome } from './outcome';

interface Ties {
  pairs: number;
  /** Σ t(t − 1)(t − 2) and Σ t(t − 1)(2t + 5), for the variance. */
  cubic: number;
  spread: number;
}

function tiesOf(equalToPrevious: (i: number) => boolean, n: number): Ties {
  const out = { pairs: 0, cubic: 0, spread: 0 };
  for (let from = 0; from < n;) {
    let to = from + 1;
    while (to < n && equalToPrevious(to)) to++;
    const t = to - from;
    out.pairs += (t * (t - 1)) / 2;
    out.cubic += t * (t - 1) * (t - 2);
    out.spread += t * (t - 1) * (2 * t + 5);
    from = to;
  }
  return out;
}

/** The number of discordant pairs. Sorts `x` in place. */
function inversions(x: Float64Array): number {
  const n = x.length;
  let from: Float64Array = x;
  let to: Float64Array = new Float64Array(n);
  let count = 0;
  for (let width = 1; width < n; width *= 2) {
    for (let start = 0; start < n; start += 2 * width) {
      const middle = Math.min(start + width, n);
      const end = Math.min(start + 2 * width, n);
      let [left, right] = [start, middle];
      for (let at = start; at < end; at++) {
        if (left < middle && (right >= end || from[left] <= from[right])) to[at] = from[left++];
        else {
          count += middle - left;
          to[at] = from[right++];
        }
      }
    }
    [from, to] = [to, from];
  }
  if (from !== x) x.set(from);
  return count;
}

/**
 * Kendall's τ-b in n log n. As in SciPy, p comes from the normal distribution, with two exceptions for data without
 * ties: p is exact for at most 33 items, and for at most one discordant or concordant pair.
 */
export function kendallTauB(a: ArrayLike<number>, b: ArrayLike<number>): Outcome<Correlation> {
  sameLength(a, b);
  const [x, y] = [finite(a), finite(b)];
  const n = x.length;
  if (n < 2) return notDefined(say('stats.tooFewPairs'));
  // The order is by a, then by b, because the second sort is stable.
  const byB = ascendingOrder(y);
  const byA = ascendingOrder(Float64Array.from(byB, (i) => x[i]));
  const order = byA.map((i) => byB[i]);
  const tiedA = tiesOf((i) => x[order[i]] === x[order[i - 1]], n);
  const tiedBoth = tiesOf((i) => x[order[i]] === x[order[i - 1]] && y[order[i]] === y[order[i - 1]], n);
  const second = Float64Array.from(order, (i) => y[i]);
  const discordant = inversions(second);
  const tiedB = tiesOf((i) => second[i] === second[i - 1], n);
  const pairs = (n * (n - 1)) / 2;
  if (tiedA.pairs === pairs || tiedB.pairs === pairs) return notDefined(say('stats.constantVariable'));
  const balance = pairs - tiedA.pairs - tiedB.pairs + tiedBoth.pairs - 2 * discordant;
  const tau = balance / Math.sqrt(pairs - tiedA.pairs) / Math.sqrt(pairs - tiedB.pairs);
  const coefficient = Math.max(-1, Math.min(1, tau));
  const fewer = Math.min(discordant, pairs - discordant);
  if (tiedA.pairs === 0 && tiedB.pairs === 0 && (n <= 33 || fewer <= 1))
    return { coefficient, pValue: exactP(n, fewer), n };
  const m = n * (n - 1);
  const variance =
    (m * (2 * n + 5) - tiedA.spread - tiedB.spread) / 18 +
    (2 * tiedA.pairs * tiedB.pairs) / m +
    (tiedA.cubic * tiedB.cubic) / (9 * m * (n - 2));
  return { coefficient, pValue: 2 * normalSurvival(Math.abs(balance) / Math.sqrt(variance)), n };
}

/**
 * The two-sided p value: the share of the n! orders with at most `fewer` inversions, or with at least the maximum
 * number of inversions minus `fewer`.
 */
function exactP(n: number, fewer: number): number {
  if (4 * fewer === n * (n - 1)) return 1;
  // The probability of each number of inversions. The j-th value adds 0 to j − 1 inversions with equal
  // probability.
  let chance = new Float64Array(fewer + 1);
  chance[0] = 1;
  for (let j = 2; j <= n; j++) {
    const next = new Float64Array(fewer + 1);
    let inWindow = 0;
    for (let k = 0; k <= fewer; k++) {
      inWindow += chance[k];
      if (k >= j) inWindow -= chance[k - j];
      next[k] = inWindow / j;
    }
    chance = next;
  }
  return Math.min(1, 2 * chance.reduce((total, c) => total + c, 0));
}
