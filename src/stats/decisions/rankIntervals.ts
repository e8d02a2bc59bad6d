/** Evaluators' ranks with intervals, and probabilities of being the best, by resampling shared images. */
import { smallest } from '../../base/extent';
import type { Steps } from '../../base/turns/steps';
import { Draws } from '../draws';

export interface RankInterval {
  /** 1 is the best. Ties share their mean rank. */
  rank: number;
  low: number;
  high: number;
  /** The share of resamples in which the evaluator is the best. Ties for the best share a resample equally. */
  best: number;
  mean: number;
}

export interface RankInput {
  /** For each evaluator, the sum of values of each image. All evaluators share the images. */
  sums: readonly ArrayLike<number>[];
  /** The number of values per image, equal for all evaluators. */
  counts: ArrayLike<number>;
  better: 'higher' | 'lower';
  resamples?: number;
  seed?: number;
  /** Receives the ranks of each resample. */
  onRanks?: (ranks: readonly number[]) => void;
}

export function* rankIntervals({
  sums,
  counts,
  better,
  resamples = 10_000,
  seed = 2025,
  onRanks,
}: RankInput): Steps<RankInterval[]> {
  const images = counts.length;
  for (const own of sums)
    if (own.length !== images) throw new RangeError(`An evaluator has ${own.length} images, not ${images}.`);
  if (images === 0 || sums.length === 0) throw new RangeError('There are no images or no evaluators.');
  const draws = new Draws('ranks', seed);
  const drawn = new Uint32Array(images);
  const ranks = sums.map(() => new Float64Array(resamples));
  const best = new Float64Array(sums.length);
  const sign = better === 'higher' ? 1 : -1;
  const means = new Float64Array(sums.length);
  const meansOf = (at: (i: number) => number): void => {
    let n = 0;
    for (let i = 0; i < images; i++) n += counts[at(i)];
    for (const [e, own] of sums.entries()) {
      let total = 0;
      for (let i = 0; i < images; i++) total += own[at(i)];
      means[e] = (sign * total) / n;
    }
  };
  for (let r = 0; r < resamples; r++) {
    draws.indices(drawn, images);
    meansOf((i) => drawn[i]);
    yield;
    const own = ranksOf(means);
    onRanks?.(own);
    const top = smallest(own);
    const winners = own.filter((rank) => rank === top).length;
    for (const [e, rank] of own.entries()) {
      ranks[e][r] = rank;
      if (rank === top) best[e] += 1 / winners;
    }
  }
  meansOf((i) => i);
  const observed = ranksOf(means);
  return sums.map((_, e) => {
    const ascending = ranks[e].sort();
    return {
      rank: observed[e],
      low: ascending[Math.floor(0.025 * resamples)],
      high: ascending[Math.ceil(0.975 * resamples) - 1],
      best: best[e] / resamples,
      mean: sign * means[e],
    };
  });
}

/** The largest value has rank 1, and ties share their mean rank. Values that are equal up to rounding are ties. */
function ranksOf(values: Float64Array): number[] {
  return Array.from(values, (value) => {
    let [above, equal] = [0, 0];
    const slip = 1e-12 * Math.abs(value);
    for (const other of values) {
      if (Math.abs(other - value) <= slip) equal++;
      else if (other > value) above++;
    }
    return above + (equal + 1) / 2;
  });
}
