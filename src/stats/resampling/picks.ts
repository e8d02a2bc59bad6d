/** Draws what resamples hold. Calls with the same seed and number of clusters get the same draws. */
import type { Steps } from '../../base/turns/steps';
import { Draws } from '../draws';

/** The cluster numbers of one resample after another. Callers must not change them. */
export type Picks = Uint16Array | Uint32Array;

/** The maximum length of a cached array. Larger sets of resamples are drawn in batches and not cached. */
const mostInArray = 4 << 20;
/** How many arrays are cached. A report's statistics often have the same clusters. */
const mostShared = 2;

interface Shared {
  key: string;
  picks: Uint16Array;
}

const shared: Shared[] = [];

/** About how many values a caller reads between two steps. This takes a few milliseconds. */
const mostInStep = 1 << 20;

/** Passes all resamples to `use` in order, several at once. `work` is the number of values that one resample reads. */
export function* eachPicks(
  {
    seed,
    clusters,
    resamples,
    work = clusters,
  }: { seed: number; clusters: number; resamples: number; work?: number },
  use: (picks: Picks, count: number) => void,
): Steps<void> {
  // A multiple of four, because sums of four resamples are computed at the same time.
  const inStep = 4 * Math.max(1, Math.floor(mostInStep / (4 * Math.max(work, clusters, 1))));
  function* inSteps(picks: Picks, count: number): Steps<void> {
    for (let from = 0; from < count; from += inStep) {
      const to = Math.min(count, from + inStep);
      use(picks.subarray(from * clusters, to * clusters), to - from);
      yield;
    }
  }
  const inOne = clusters * resamples <= mostInArray && clusters <= 1 << 16;
  if (inOne) {
    yield* inSteps(sharedPicks(seed, clusters, resamples), resamples);
    return;
  }
  const draws = new Draws('bootstrap', seed);
  const atOnce = Math.min(resamples, Math.max(1, Math.floor((1 << 18) / clusters)));
  const picks = new Uint32Array(atOnce * clusters);
  for (let left = resamples; left > 0; left -= atOnce) {
    const count = Math.min(left, atOnce);
    draws.indices(picks.subarray(0, count * clusters), clusters);
    yield* inSteps(picks, count);
  }
}

function sharedPicks(seed: number, clusters: number, resamples: number): Uint16Array {
  const key = `${seed} ${clusters} ${resamples}`;
  const known = shared.find((one) => one.key === key);
  if (known !== undefined) return known.picks;
  const picks = new Uint16Array(clusters * resamples);
  new Draws('bootstrap', seed).indices(picks, clusters);
  shared.unshift({ key, picks });
  shared.splice(mostShared);
  return picks;
}

/** How many arrays of ranks are cached. A report has the medians of several statistics for each group of rows. */
const mostRanks = 8;
const sharedRanks: { key: string; ranks: Uint32Array }[] = [];

/**
 * Draws the ranks of the one or two middle values of a resample of `n` sorted values. u, the k-th smallest of n
 * uniform numbers, is Beta(k, n + 1 − k), and ⌊nu⌋ is a rank. For even n, the next is the smallest of n − k above u.
 */
export function drawMiddle(draws: Draws, n: number, out: Uint32Array, at = 0): void {
  const k = Math.ceil(n / 2);
  const u = draws.beta(k, n + 1 - k);
  const next = n % 2 === 1 ? u : u + (1 - u) * -Math.expm1(Math.log(draws.uniform()) / (n - k));
  out[at] = Math.min(n - 1, Math.floor(n * u));
  out[at + 1] = Math.min(n - 1, Math.floor(n * next));
}

/** The ranks of the middle values of all resamples, two for each. */
export function* middleRanks(n: number, seed: number, resamples: number): Steps<Uint32Array> {
  const key = `${seed} ${n} ${resamples}`;
  const known = sharedRanks.find((one) => one.key === key);
  if (known !== undefined) return known.ranks;
  const ranks = new Uint32Array(2 * resamples);
  const draws = new Draws('bootstrap', seed);
  for (let at = 0; at < ranks.length; at += 2) {
    if (at % 8192 === 0) yield;
    drawMiddle(draws, n, ranks, at);
  }
  sharedRanks.unshift({ key, ranks });
  sharedRanks.splice(mostRanks);
  return ranks;
}
