import type { Steps } from '../../base/turns/steps';
import type { Draws } from '../draws';
import { type Clustering, membersOf } from '../clustering';
import { ascendingOrder } from '../order';
import { drawMiddle, middleRanks, type Picks } from './picks';
import { byPicks, type Resampler } from './resampler';
import { medianOfSorted, midpoint, sum } from '../summary';

/**
 * Resamples Σ top / Σ bottom. Clusters with equal sums form a kind. With few kinds, as for rates, successive binomial
 * draws give the number of clusters of each kind in a resample.
 */
export function ratioResampler(
  top: Float64Array,
  bottom: Float64Array,
  clustering: Clustering | undefined,
): Resampler {
  const order = ascendingOrder(top).sort((a, b) => top[a] - top[b] || bottom[a] - bottom[b]);
  let tops: Float64Array = Float64Array.from(order, (row) => top[row]);
  let bottoms: Float64Array = Float64Array.from(order, (row) => bottom[row]);
  if (clustering !== undefined && clustering.count < order.length) {
    const { start, members } = membersOf(order, clustering);
    const sums = (values: Float64Array): Float64Array =>
      Float64Array.from({ length: clustering.count }, (_, c) =>
        sum(Float64Array.from(members.subarray(start[c], start[c + 1]), (row) => values[row])),
      );
    const [t, b] = [sums(top), sums(bottom)];
    const by = ascendingOrder(t).sort((x, y) => t[x] - t[y] || b[x] - b[y]);
    tops = Float64Array.from(by, (c) => t[c]);
    bottoms = Float64Array.from(by, (c) => b[c]);
  }
  const n = tops.length;
  const [allTop, allBottom] = [sum(tops), sum(bottoms)];
  const estimate = allTop / allBottom;
  const draw = drawKinds(tops, bottoms);
  return {
    estimate,
    clusters: n,
    ...(draw === undefined ? byPicks(n, ratioOfPicks(tops, bottoms)) : { draw }),
    // This form has no difference of two ratios, which would lose digits.
    *jackknife(): Steps<Float64Array> {
      yield;
      return tops.map((value, c) => (estimate * bottoms[c] - value) / (allBottom - bottoms[c]));
    },
  };
}

function ratioOfPicks(tops: Float64Array, bottoms: Float64Array): NonNullable<Resampler['ofPicks']> {
  const n = tops.length;
  if (bottoms.every((value) => value === bottoms[0]))
    return (picks, out) => {
      sumsOf(tops, picks, out);
      for (let i = 0; i < out.length; i++) out[i] /= bottoms[0] * n;
    };
  return (picks, out) => {
    const below = new Float64Array(out.length);
    sumsOf(tops, picks, out);
    sumsOf(bottoms, picks, below);
    for (let i = 0; i < out.length; i++) out[i] /= below[i];
  };
}

/** Sums four resamples at the same time, because each addition to one sum waits for the previous addition. */
function sumsOf(values: Float64Array, picks: Picks, out: Float64Array): void {
  const n = values.length;
  let i = 0;
  for (; i + 4 <= out.length; i += 4) {
    let [a, b, c, d] = [0, 0, 0, 0];
    const end = (i + 1) * n;
    for (let at = i * n; at < end; at++) {
      a += values[picks[at]];
      b += values[picks[at + n]];
      c += values[picks[at + 2 * n]];
      d += values[picks[at + 3 * n]];
    }
    out[i] = a;
    out[i + 1] = b;
    out[i + 2] = c;
    out[i + 3] = d;
  }
  for (; i < out.length; i++) {
    let sum = 0;
    for (let at = i * n; at < (i + 1) * n; at++) sum += values[picks[at]];
    out[i] = sum;
  }
}

/** A binomial draw takes about as long as this many draws of an index. */
const binomialCost = 30;

function drawKinds(tops: Float64Array, bottoms: Float64Array): ((draws: Draws) => number) | undefined {
  const n = tops.length;
  const kinds: { top: number; bottom: number; share: number }[] = [];
  for (let from = 0; from < n;) {
    let to = from + 1;
    while (to < n && tops[to] === tops[from] && bottoms[to] === bottoms[from]) to++;
    // The share of this kind among the clusters of this kind and all later kinds.
    kinds.push({ top: tops[from], bottom: bottoms[from], share: (to - from) / (n - from) });
    if (kinds.length * binomialCost > n) return undefined;
    from = to;
  }
  const logFactorials = new Float64Array(n + 1);
  for (let k = 1; k <= n; k++) logFactorials[k] = logFactorials[k - 1] + Math.log(k);
  return (draws) => {
    let left = n;
    let t = 0;
    let b = 0;
    for (const { top, bottom, share } of kinds) {
      const times = draws.binomial(left, share, logFactorials);
      t += times * top;
      b += times * bottom;
      left -= times;
    }
    return t / b;
  };
}

export function medianResampler(values: Float64Array, clustering: Clustering | undefined): Resampler {
  return clustering === undefined || clustering.count === values.length
    ? orderStatisticResampler(values)
    : clusteredMedianResampler(values, clustering);
}

/** The exact bootstrap of a median, by the ranks of the middle values. */
function orderStatisticResampler(values: Float64Array): Resampler {
  const x = Float64Array.from(values).sort();
  const n = x.length;
  const without = (gone: number): number => {
    const rank = (i: number): number => x[i < gone ? i : i + 1];
    return n % 2 === 0 ? rank(n / 2 - 1) : midpoint(rank((n - 1) / 2 - 1), rank((n - 1) / 2));
  };
  const middle = (ranks: Uint32Array, at: number): number => midpoint(x[ranks[at]], x[ranks[at + 1]]);
  const ranks = new Uint32Array(2);
  const order = ascendingOrder(values);
  const estimate = medianOfSorted(x);
  return {
    estimate,
    clusters: n,
    draw: (draws) => {
      drawMiddle(draws, n, ranks);
      return middle(ranks, 0);
    },
    *ofAll(seed, resamples): Steps<Float64Array> {
      const all = yield* middleRanks(n, seed, resamples);
      return Float64Array.from({ length: resamples }, (_, r) => middle(all, 2 * r));
    },
    *jackknife(): Steps<Float64Array> {
      yield;
      const out = new Float64Array(n);
      if (n === 1) return out.fill(NaN);
      order.forEach((row, rank) => (out[row] = without(rank) - estimate));
      return out;
    },
  };
}

/** Counts the draws of each cluster, then walks along the sorted values to the resample's middle. */
function clusteredMedianResampler(values: Float64Array, clustering: Clustering): Resampler {
  const order = ascendingOrder(values);
  const x = Float64Array.from(order, (row) => values[row]);
  const clusterAt = Uint32Array.from(order, (row) => clustering.of[row]);
  const { count } = clustering;
  const sizes = new Uint32Array(count);
  for (const cluster of clusterAt) sizes[cluster]++;
  // The middle of a resample is near the middle of the data, so the walk begins there.
  const begin = x.length >> 1;
  /** For each cluster, how many of its values precede `begin`. */
  const before = new Uint32Array(count);
  for (let i = 0; i < begin; i++) before[clusterAt[i]]++;
  const times = new Uint32Array(count);
  const places = Uint32Array.from({ length: x.length }, (_, i) => i);
  const { start, members } = membersOf(places, { of: clusterAt, count });

  /** The value at rank `k` (from 0) without one cluster's members, whose positions ascend. */
  const without = (cluster: number, k: number): number => {
    let place = k;
    for (let m = start[cluster]; m < start[cluster + 1] && members[m] <= place; m++) place++;
    return x[place];
  };
  /**
   * The median of a resample of `total` values. A value occurs as often as `times` says for its cluster. `seen`
   * values of the resample precede `begin`.
   */
  const middle = (total: number, seen: number): number => {
    const low = Math.floor((total - 1) / 2);
    let i = begin - 1;
    while (i >= 0 && seen - times[clusterAt[i]] > low) seen -= times[clusterAt[i--]];
    while (seen <= low) seen += times[clusterAt[++i]];
    const first = x[i];
    if (total % 2 === 1 || seen > low + 1) return first;
    while (seen <= low + 1) seen += times[clusterAt[++i]];
    return midpoint(first, x[i]);
  };
  const estimate = medianOfSorted(x);
  return {
    estimate,
    clusters: count,
    work: x.length,
    ...byPicks(count, (picks, out) => {
      for (let r = 0; r < out.length; r++) {
        times.fill(0);
        let [total, seen] = [0, 0];
        for (let at = r * count; at < (r + 1) * count; at++) {
          times[picks[at]]++;
          total += sizes[picks[at]];
          seen += before[picks[at]];
        }
        out[r] = middle(total, seen);
      }
    }),
    *jackknife(): Steps<Float64Array> {
      yield;
      return Float64Array.from({ length: count }, (_, c) => {
        const n = x.length - sizes[c];
        if (n === 0) return NaN;
        const rest =
          n % 2 === 1 ? without(c, (n - 1) / 2) : midpoint(without(c, n / 2 - 1), without(c, n / 2));
        return rest - estimate;
      });
    },
  };
}
