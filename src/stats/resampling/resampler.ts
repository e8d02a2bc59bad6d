import type { Steps } from '../../base/turns/steps';
import type { Draws } from '../draws';
import type { Picks } from './picks';

/** A statistic prepared for resampling whole clusters, exactly and by the fastest method for it. */
export interface Resampler {
  estimate: number;
  /** The number of clusters that one resample draws with replacement. */
  clusters: number;
  /** The number of values that one resample reads; by default, one per cluster. */
  work?: number;
  /** The statistic of one resample; not finite if undefined, such as a ratio over zero. */
  draw(draws: Draws): number;
  /** The statistics of the first `out.length` resamples in `picks`, if `draw` draws cluster numbers. */
  ofPicks?(picks: Picks, out: Float64Array): void;
  /** The statistics of all resamples. Present if `draw` does not draw cluster numbers but others share its draws. */
  ofAll?(seed: number, resamples: number): Steps<Float64Array>;
  /** For each cluster, the change of the statistic without the cluster; not finite if undefined. */
  jackknife(): Steps<Float64Array>;
}

/** Makes a function that draws one resample at a time. */
function drawPicks(clusters: number, ofPicks: NonNullable<Resampler['ofPicks']>): Resampler['draw'] {
  const picks = new Uint32Array(clusters);
  const out = new Float64Array(1);
  return (draws) => {
    draws.indices(picks, clusters);
    ofPicks(picks, out);
    return out[0];
  };
}

/** `draw` and `ofPicks` of a resampler that draws cluster numbers. */
export function byPicks(
  clusters: number,
  ofPicks: NonNullable<Resampler['ofPicks']>,
): Pick<Resampler, 'draw' | 'ofPicks'> {
  return { draw: drawPicks(clusters, ofPicks), ofPicks };
}
