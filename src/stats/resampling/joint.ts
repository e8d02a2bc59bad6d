import type { Steps } from '../../base/turns/steps';
import { eachPicks } from './picks';

/** Statistics that depend only on how often each cluster is drawn. */
export interface JointStatistics {
  clusters: number;
  /** The number of statistics. */
  count: number;
  /** The number of values behind the statistics; by default, one per cluster. */
  work?: number;
  /** Writes all statistics to `out`; undefined ones become NaN. `times` is the number of draws of each cluster. */
  of: (times: Float64Array, out: Float64Array) => void;
}

interface Replicates {
  estimates: Float64Array;
  /** The replicates of each statistic. */
  replicates: Float64Array[];
  /** For each statistic and cluster, the change of the statistic without the cluster. */
  jackknives: Float64Array[];
}

/** Draws each resample once for all statistics. */
export function* replicatesOfAll(
  { clusters, count, work, of }: JointStatistics,
  { seed, resamples }: { seed: number; resamples: number },
): Steps<Replicates> {
  const times = new Float64Array(clusters).fill(1);
  const out = new Float64Array(count);
  const arrays = (length: number): Float64Array[] =>
    Array.from({ length: count }, () => new Float64Array(length));
  of(times, out);
  const estimates = out.slice();
  const jackknives = arrays(clusters);
  for (let c = 0; c < clusters; c++) {
    times[c] = 0;
    of(times, out);
    times[c] = 1;
    for (let s = 0; s < count; s++) jackknives[s][c] = out[s] - estimates[s];
    yield;
  }
  const replicates = arrays(resamples);
  let resample = 0;
  yield* eachPicks({ seed, clusters, resamples, work }, (picks, drawn) => {
    for (let r = 0; r < drawn; r++, resample++) {
      times.fill(0);
      for (let at = r * clusters; at < (r + 1) * clusters; at++) times[picks[at]]++;
      of(times, out);
      for (let s = 0; s < count; s++) replicates[s][resample] = out[s];
    }
  });
  return { estimates, replicates, jackknives };
}
