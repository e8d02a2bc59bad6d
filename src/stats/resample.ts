import type { Draws } from './draws';
import { ascendingOrder } from './order';
import { medianOfSorted, midpoint, sum } from './summary';

/**
 * A statistic prepared for resampling whole clusters. Each function below draws from the exact bootstrap
 * distribution by the fastest method for its statistic.
 */
export interface Resampler {
  estimate: number;
  /** The clusters that one resample draws with replacement. */
  clusters: number;
  /** The statistic of one resample; NaN if undefined, such as a ratio over zero. */
  draw(draws: Draws): number;
  /** The statistic's change without each cluster in turn; NaN if undefined. */
  jackknife(): Float64Array;
}

/** Each row's cluster. Clusters are numbered by name, because the order of rows must not matter. */
export interface Clustering {
  of: Uint32Array;
  count: number;
}

export function numberClusters(names: ArrayLike<number | string>): Clustering {
  const distinct = new Map<number | string, number>();
  for (const name of Array.from(names)) distinct.set(name, 0);
  const ordered = [...distinct.keys()].sort((a, b) =>
    typeof a === 'number' && typeof b === 'number' ? a - b : String(a) < String(b) ? -1 : 1,
  );
  ordered.forEach((name, at) => distinct.set(name, at));
  return {
    of: Uint32Array.from({ length: names.length }, (_, i) => distinct.get(names[i])!),
    count: distinct.size,
  };
}

/** The rows of each cluster, sorted as in `order`. */
function membersOf(
  order: Uint32Array,
  { of, count }: Clustering,
): { start: Uint32Array; members: Uint32Array } {
  const start = new Uint32Array(count + 1);
  for (const cluster of of) start[cluster + 1]++;
  for (let c = 0; c < count; c++) start[c + 1] += start[c];
  const next = start.slice();
  const members = new Uint32Array(of.length);
  for (const row of order) members[next[of[row]]++] = row;
  return { start, members };
}

/**
 * Σ top / Σ bottom. Clusters with equal sums form a kind, and rates have few kinds. The kinds' draws are
 * multinomial, so a chain of binomial draws makes them.
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
  return {
    estimate,
    clusters: n,
    draw: drawKinds(tops, bottoms) ?? drawEach(tops, bottoms),
    // Written without a difference of two ratios, which would lose digits.
    jackknife: () => tops.map((value, c) => (estimate * bottoms[c] - value) / (allBottom - bottoms[c])),
  };
}

/** Sums two resamples side by side, because an addition waits for the previous one. */
function drawEach(tops: Float64Array, bottoms: Float64Array): (draws: Draws) => number {
  const n = tops.length;
  const [one, other] = [new Uint32Array(n), new Uint32Array(n)];
  const constant = bottoms.every((value) => value === bottoms[0]);
  let next: number | undefined;
  return (draws) => {
    if (next !== undefined) {
      const value = next;
      next = undefined;
      return value;
    }
    draws.indices(one, n);
    draws.indices(other, n);
    let [t, u, b, c] = [0, 0, 0, 0];
    if (constant) {
      for (let i = 0; i < n; i++) {
        t += tops[one[i]];
        u += tops[other[i]];
      }
      b = c = bottoms[0] * n;
    } else {
      for (let i = 0; i < n; i++) {
        t += tops[one[i]];
        b += bottoms[one[i]];
        u += tops[other[i]];
        c += bottoms[other[i]];
      }
    }
    next = u / c;
    return t / b;
  };
}

/** The time of a binomial draw, in index draws. */
const binomialCost = 30;

function drawKinds(tops: Float64Array, bottoms: Float64Array): ((draws: Draws) => number) | undefined {
  const n = tops.length;
  const kinds: { top: number; bottom: number; share: number }[] = [];
  for (let from = 0; from < n;) {
    let to = from + 1;
    while (to < n && tops[to] === tops[from] && bottoms[to] === bottoms[from]) to++;
    // This kind's share of the clusters of this kind and all later kinds.
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

/**
 * The exact bootstrap of a median from one beta draw. The k-th smallest u of n uniform numbers is Beta(k, n +
 * 1 − k), the next one is the smallest of the n − k above u, and ⌊nu⌋ indexes the sorted values.
 */
function orderStatisticResampler(values: Float64Array): Resampler {
  const x = Float64Array.from(values).sort();
  const n = x.length;
  const k = Math.ceil(n / 2);
  const at = (u: number): number => x[Math.min(n - 1, Math.floor(n * u))];
  const without = (gone: number): number => {
    const rank = (i: number): number => x[i < gone ? i : i + 1];
    return n % 2 === 0 ? rank(n / 2 - 1) : midpoint(rank((n - 1) / 2 - 1), rank((n - 1) / 2));
  };
  const order = ascendingOrder(values);
  const estimate = medianOfSorted(x);
  return {
    estimate,
    clusters: n,
    draw: (draws) => {
      const u = draws.beta(k, n + 1 - k);
      if (n % 2 === 1) return at(u);
      const next = u + (1 - u) * -Math.expm1(Math.log(draws.uniform()) / (n - k));
      return midpoint(at(u), at(next));
    },
    jackknife: () => {
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
  const picked = new Uint32Array(count);
  const times = new Uint32Array(count);
  const places = Uint32Array.from({ length: x.length }, (_, i) => i);
  const { start, members } = membersOf(places, { of: clusterAt, count });

  /** The value at rank `k` (from 0) without one cluster's members, whose positions ascend. */
  const without = (cluster: number, k: number): number => {
    let place = k;
    for (let m = start[cluster]; m < start[cluster + 1] && members[m] <= place; m++) place++;
    return x[place];
  };
  const estimate = medianOfSorted(x);
  return {
    estimate,
    clusters: count,
    draw: (draws) => {
      draws.indices(picked, count);
      times.fill(0);
      let total = 0;
      for (let i = 0; i < count; i++) {
        times[picked[i]]++;
        total += sizes[picked[i]];
      }
      const low = Math.floor((total - 1) / 2);
      let seen = 0;
      let i = -1;
      while (seen <= low) seen += times[clusterAt[++i]];
      const first = x[i];
      if (total % 2 === 1 || seen > low + 1) return first;
      while (seen <= low + 1) seen += times[clusterAt[++i]];
      return midpoint(first, x[i]);
    },
    jackknife: () =>
      Float64Array.from({ length: count }, (_, c) => {
        const n = x.length - sizes[c];
        if (n === 0) return NaN;
        const rest =
          n % 2 === 1 ? without(c, (n - 1) / 2) : midpoint(without(c, n / 2 - 1), without(c, n / 2));
        return rest - estimate;
      }),
  };
}

/** Resamples any statistic of rows. `of` receives a resample's rows with repeats. */
export function rowsResampler(
  rows: number,
  of: (rows: Uint32Array) => number,
  clustering: Clustering | undefined,
): Resampler {
  const all = Uint32Array.from({ length: rows }, (_, i) => i);
  const { start, members } = membersOf(all, clustering ?? { of: all, count: rows });
  const clusters = start.length - 1;
  const picked = new Uint32Array(clusters);
  const estimate = of(all);
  return {
    estimate,
    clusters,
    draw: (draws) => {
      draws.indices(picked, clusters);
      let length = 0;
      for (const c of picked) length += start[c + 1] - start[c];
      const resample = new Uint32Array(length);
      let at = 0;
      for (const c of picked) {
        for (let m = start[c]; m < start[c + 1]; m++) resample[at++] = members[m];
      }
      return of(resample);
    },
    jackknife: () =>
      Float64Array.from({ length: clusters }, (_, c) => {
        const rest = new Uint32Array(rows - (start[c + 1] - start[c]));
        rest.set(members.subarray(0, start[c]));
        rest.set(members.subarray(start[c + 1]), start[c]);
        return rest.length === 0 ? NaN : of(rest) - estimate;
      }),
  };
}
