/** Draws the clusters of resamples. Calls with the same seed and number of clusters get the same draws. */
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
