import type { Steps } from '../../base/turns/steps';
import { type Clustering, membersOf } from '../clustering';
import { byPicks, type Resampler } from './resampler';

/** Resamples any statistic of rows. `of` receives the rows of a resample, with repeats. */
export function rowsResampler(
  rows: number,
  of: (rows: Uint32Array) => number,
  clustering: Clustering | undefined,
): Resampler {
  const all = Uint32Array.from({ length: rows }, (_, i) => i);
  const { start, members } = membersOf(all, clustering ?? { of: all, count: rows });
  const clusters = start.length - 1;
  const estimate = of(all);
  let room = new Uint32Array(rows);
  return {
    estimate,
    clusters,
    work: rows,
    ...byPicks(clusters, (picks, out) => {
      for (let r = 0; r < out.length; r++) {
        const end = (r + 1) * clusters;
        let length = 0;
        for (let at = r * clusters; at < end; at++) length += start[picks[at] + 1] - start[picks[at]];
        if (length > room.length) room = new Uint32Array(length * 2);
        let to = 0;
        for (let at = r * clusters; at < end; at++) {
          const c = picks[at];
          for (let m = start[c]; m < start[c + 1]; m++) room[to++] = members[m];
        }
        out[r] = of(room.subarray(0, length));
      }
    }),
    *jackknife(): Steps<Float64Array> {
      const changes = new Float64Array(clusters);
      for (let c = 0; c < clusters; c++) {
        const rest = new Uint32Array(rows - (start[c + 1] - start[c]));
        rest.set(members.subarray(0, start[c]));
        rest.set(members.subarray(start[c + 1]), start[c]);
        changes[c] = rest.length === 0 ? NaN : of(rest) - estimate;
        yield;
      }
      return changes;
    },
  };
}
