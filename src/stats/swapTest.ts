import type { Steps } from '../base/turns/steps';
import { Draws } from './draws';

export interface SwapTest {
  /** The difference without swaps. */
  estimate: number;
  /** The two-sided p value; the null hypothesis is no difference. */
  pValue: number;
  /** The differences not rejected at 0.05. Absent with too few rows or rounds, or equal differences. */
  ci?: readonly [number, number];
}

/** The level of the test. The interval excludes zero exactly if p is at most this level. */
const alpha = 0.05;

/**
 * The approximate randomisation test (Noreen 1989) of two systems by random swaps within rows. `difference`
 * receives 1 for each swapped row and 0 for other rows.
 */
export function* swapTest(
  rows: number,
  difference: (swapped: Uint8Array) => number,
  { rounds = 9999, seed = 2025 }: { rounds?: number; seed?: number } = {},
): Steps<SwapTest> {
  const swapped = new Uint8Array(rows);
  const estimate = difference(swapped);
  const seen = Math.abs(estimate);
  // The margin allows for rounding errors.
  const least = seen - 1e-12 * Math.max(1, seen);
  const draws = new Draws('swap test', seed);
  const [lows, highs] = [new Float64Array(rounds), new Float64Array(rounds)];
  let asFar = 0;
  for (let round = 0; round < rounds; round++) {
    let swaps = 0;
    for (let row = 0; row < rows; row += 32) {
      let bits = draws.bits();
      const end = Math.min(row + 32, rows);
      for (let i = row; i < end; i++) {
        swapped[i] = bits & 1;
        swaps += swapped[i];
        bits >>>= 1;
      }
    }
    const found = difference(swapped);
    yield;
    const isAsFar = Math.abs(found) >= least;
    if (isAsFar) asFar++;
    [lows[round], highs[round]] = hypotheses(estimate, found, swaps / rows, isAsFar);
  }
  const ci = endsOf(estimate, lows, highs);
  return { estimate, pValue: (1 + asFar) / (1 + rounds), ...(ci === undefined ? {} : { ci }) };
}

/**
 * The range of true differences d for which a round is at least as extreme as the data: |`found` − d × (1 − 2 ×
 * `share`)| ≥ |`estimate` − d|. `share` is the share of swapped rows.
 */
function hypotheses(estimate: number, found: number, share: number, hasZero: boolean): [number, number] {
  if (share === 0 || share === 1) return [-Infinity, Infinity];
  const [a, b] = [(estimate - found) / (2 * share), (estimate + found) / (2 * (1 - share))];
  const [low, high] = [Math.min(a, b), Math.max(a, b)];
  // If the round counts for p, the range must include 0 despite rounding.
  return hasZero ? [Math.min(low, 0), Math.max(high, 0)] : [low, high];
}

function endsOf(
  estimate: number,
  lows: Float64Array,
  highs: Float64Array,
): readonly [number, number] | undefined {
  const least = Math.floor(alpha * (lows.length + 1));
  if (least === 0) return undefined;
  const low = lows.sort()[least - 1];
  const high = highs.sort()[highs.length - least];
  const isWide = high - low > 1e-12 * Math.max(1, Math.abs(estimate));
  return isWide && Number.isFinite(low) && Number.isFinite(high) ? [low, high] : undefined;
}
