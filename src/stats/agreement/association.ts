import { say } from '../../base/say';
import type { Clustering } from '../clustering';
import { finite, isDefined, notDefined, sameLength, type Outcome } from '../outcome';
import { mean, ranks, sum } from '../summary';
import { concordance, denseRanks } from './concordance';

/** The measures of agreement: Kendall's τ-b and τ-c (Stuart), Spearman's ρ, Pearson's r. */
export const measures = ['tauB', 'tauC', 'spearman', 'pearson'] as const;
export type Measure = (typeof measures)[number];

export interface Association {
  value: number;
  /** For each cluster, the value without the cluster. For Spearman's ρ, this is a linear approximation. */
  without: Float64Array;
}

/** The agreement of two lists: over all items and without each cluster in turn. By default, items are clusters. */
export function association(
  measure: Measure,
  x: ArrayLike<number>,
  y: ArrayLike<number>,
  clusters?: Clustering,
): Outcome<Association> {
  sameLength(x, y);
  const [a, b] = [finite(x), finite(y)];
  if (a.length < 2) return notDefined(say('stats.tooFewPairs'));
  if (isConstant(a) || isConstant(b)) return notDefined(say('stats.constantVariable'));
  const of = clusters ?? { of: Uint32Array.from(a, (_, i) => i), count: a.length };
  if (measure === 'pearson') return pearson(a, b, of);
  return measure === 'spearman' ? spearman(a, b, of) : kendall(a, b, of, measure === 'tauC');
}

function isConstant(values: Float64Array): boolean {
  return values.every((value) => value === values[0]);
}

function totals(clusters: Clustering, values: Float64Array): Float64Array {
  const out = new Float64Array(clusters.count);
  values.forEach((value, i) => (out[clusters.of[i]] += value));
  return out;
}

function sizesOf(clusters: Clustering, n: number): Float64Array {
  return totals(clusters, new Float64Array(n).fill(1));
}

const bounded = (value: number): number => Math.max(-1, Math.min(1, value));

function pearson(x: Float64Array, y: Float64Array, clusters: Clustering): Association {
  const n = x.length;
  const [cx, cy] = [mean(x), mean(y)];
  const [a, b] = [x.map((value) => value - cx), y.map((value) => value - cy)];
  const columns = [
    a,
    b,
    a.map((value, i) => value * b[i]),
    a.map((value) => value * value),
    b.map((v) => v * v),
  ];
  const of = (k: number, [sa, sb, sab, saa, sbb]: readonly number[]): number =>
    bounded((sab - (sa * sb) / k) / Math.sqrt((saa - (sa * sa) / k) * (sbb - (sb * sb) / k)));
  const whole = columns.map(sum);
  const parts = columns.map((column) => totals(clusters, column));
  const sizes = sizesOf(clusters, n);
  return {
    value: of(n, whole),
    without: sizes.map((size, g) =>
      of(
        n - size,
        whole.map((total, c) => total - parts[c][g]),
      ),
    ),
  };
}

/** Pearson's r of the ranks. An item's influence includes its effect on other ranks. */
function spearman(x: Float64Array, y: Float64Array, clusters: Clustering): Association {
  const n = x.length;
  const [u, v] = [x, y].map((values) => ranks(values).map((rank) => (rank - 0.5) / n));
  const average = (a: Float64Array, b: Float64Array): number =>
    a.reduce((s, one, i) => s + one * b[i], 0) / n;
  const moments = [average(u, v), average(u, u), average(v, v)];
  const of = ([uv, uu, vv]: readonly number[]): number =>
    bounded((uv - 0.25) / Math.sqrt((uu - 0.25) * (vv - 0.25)));
  const [vAboveX, uAboveX] = [meanAbove(x, v), meanAbove(x, u)];
  const [uAboveY, vAboveY] = [meanAbove(y, u), meanAbove(y, v)];
  const influence = [
    u.map((one, i) => one * v[i] + vAboveX[i] + uAboveY[i] - 3 * moments[0]),
    u.map((one, i) => one * one + 2 * uAboveX[i] - 3 * moments[1]),
    v.map((one, i) => one * one + 2 * vAboveY[i] - 3 * moments[2]),
  ].map((values) => totals(clusters, values));
  return {
    value: of(moments),
    without: sizesOf(clusters, n).map((size, g) =>
      of(moments.map((m, k) => m - influence[k][g] / (n - size))),
    ),
  };
}

/** For each item, the summed weights of greater items, plus half the weights of equal items, divided by n. */
function meanAbove(values: Float64Array, weights: Float64Array): Float64Array {
  const { rank, count } = denseRanks(values);
  const byRank = new Float64Array(count);
  rank.forEach((one, i) => (byRank[one] += weights[i]));
  const above = new Float64Array(count);
  for (let k = count - 2; k >= 0; k--) above[k] = above[k + 1] + byRank[k + 1];
  return Float64Array.from(rank, (one) => (above[one] + byRank[one] / 2) / values.length);
}

const pairsOf = (k: number): number => (k * (k - 1)) / 2;

function kendall(x: Float64Array, y: Float64Array, clusters: Clustering, isC: boolean): Outcome<Association> {
  const n = x.length;
  const columns = columnsOf(x, y);
  const whole = columns.map((column) => sum(column) / 2);
  const parts = columns.map((column) => totals(clusters, column));
  const within = withinClusters(x, y, clusters);
  const sizes = sizesOf(clusters, n);
  const least = Math.min(denseRanks(x).count, denseRanks(y).count);
  const of = (k: number, [balance, tiesX, tiesY]: readonly number[]): number =>
    bounded(
      isC
        ? (2 * balance * least) / (k * k * (least - 1))
        : balance / Math.sqrt(pairsOf(k) - tiesX) / Math.sqrt(pairsOf(k) - tiesY),
    );
  return {
    value: of(n, whole),
    without: sizes.map((size, g) =>
      of(
        n - size,
        whole.map((total, c) => total - parts[c][g] + within[c][g]),
      ),
    ),
  };
}

function columnsOf(x: Float64Array, y: Float64Array): Float64Array[] {
  const { balance, tiesX, tiesY } = concordance(x, y);
  return [balance, tiesX, tiesY];
}

/** Up to about this number of items, comparing all pairs is faster than sorting. */
const fewItems = 48;

/**
 * Sums over the pairs inside each cluster. `kendall` subtracts the totals of a cluster's items, which count these
 * pairs twice, so it adds the sums again.
 */
function withinClusters(x: Float64Array, y: Float64Array, clusters: Clustering): Float64Array[] {
  const out = [0, 1, 2].map(() => new Float64Array(clusters.count));
  const members: number[][] = Array.from({ length: clusters.count }, () => []);
  x.forEach((_, i) => members[clusters.of[i]].push(i));
  members.forEach((own, g) => {
    if (own.length > fewItems) {
      const sums = columnsOf(
        Float64Array.from(own, (i) => x[i]),
        Float64Array.from(own, (i) => y[i]),
      );
      sums.forEach((column, c) => (out[c][g] = sum(column) / 2));
      return;
    }
    own.forEach((i, at) => {
      for (let k = 0; k < at; k++) {
        const [dx, dy] = [Math.sign(x[i] - x[own[k]]), Math.sign(y[i] - y[own[k]])];
        out[0][g] += dx * dy;
        if (dx === 0) out[1][g]++;
        if (dy === 0) out[2][g]++;
      }
    });
  });
  return out;
}

/** The mean of several associations over the same clusters, such as one association per rater. */
export function meanAssociation(parts: readonly Outcome<Association>[]): Outcome<Association> {
  const defined = parts.filter(isDefined);
  const missing = parts.find((part) => !isDefined(part));
  if (missing !== undefined) return missing;
  if (defined.length === 0) return notDefined(say('stats.noValues'));
  return {
    value: mean(defined.map(({ value }) => value)),
    // If one of the associations is not defined without a cluster, the mean without that cluster is NaN.
    without: defined[0].without.map((_, g) => {
      const values = defined.map(({ without }) => without[g]);
      return values.every(Number.isFinite) ? mean(values) : NaN;
    }),
  };
}
