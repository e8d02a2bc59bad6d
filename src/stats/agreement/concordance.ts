import { ascendingOrder } from '../order';

/** How each item is ordered relative to all other items. */
export interface Concordance {
  /** For each item, the number of concordant partners minus the number of discordant partners. */
  balance: Float64Array;
  /** For each item, the number of other items with an equal x (`tiesX`) or an equal y (`tiesY`). */
  tiesX: Float64Array;
  tiesY: Float64Array;
}

export function concordance(x: Float64Array, y: Float64Array): Concordance {
  const n = x.length;
  const order = ascendingOrder(x);
  const { rank, count } = denseRanks(y);
  const balance = new Float64Array(n);
  const tiesX = new Float64Array(n);
  for (const isRising of [true, false]) {
    const seen = new Counts(count);
    const at = (i: number): number => order[isRising ? i : n - 1 - i];
    for (let from = 0; from < n;) {
      let to = from + 1;
      while (to < n && x[at(to)] === x[at(from)]) to++;
      for (let i = from; i < to; i++) {
        const item = at(i);
        tiesX[item] = to - from - 1;
        const less = seen.below(rank[item]);
        const greater = from - seen.below(rank[item] + 1);
        balance[item] += isRising ? less - greater : greater - less;
      }
      for (let i = from; i < to; i++) seen.add(rank[at(i)]);
      from = to;
    }
  }
  const sizes = new Float64Array(count);
  for (const one of rank) sizes[one]++;
  return { balance, tiesX, tiesY: Float64Array.from(rank, (one) => sizes[one] - 1) };
}

/** Ranks from 0 without gaps. Equal values share a rank. */
export function denseRanks(values: Float64Array): { rank: Uint32Array; count: number } {
  const rank = new Uint32Array(values.length);
  let last = -1;
  let before = NaN;
  for (const i of ascendingOrder(values)) {
    if (values[i] !== before) last++;
    before = values[i];
    rank[i] = last;
  }
  return { rank, count: last + 1 };
}

/** Counts by rank. A Fenwick tree sums all counts below a rank in log n. */
class Counts {
  private readonly tree: Uint32Array;

  constructor(size: number) {
    this.tree = new Uint32Array(size + 1);
  }

  add(rank: number): void {
    for (let i = rank + 1; i < this.tree.length; i += i & -i) this.tree[i]++;
  }

  /** The number of counted items with a smaller rank. */
  below(rank: number): number {
    let total = 0;
    for (let i = rank; i > 0; i -= i & -i) total += this.tree[i];
    return total;
  }
}
