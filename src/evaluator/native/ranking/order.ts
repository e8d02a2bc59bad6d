const digits = 11;
const digitMask = (1 << digits) - 1;

/** If two float64 cosines differ by more than this, their order is certain. */
const closeness = 2e-12;

export interface Ordered {
  /** The whole gallery, best entry first. Ties keep the gallery's order. */
  order: Uint32Array;
  /**
   * For each entry, twice the difference between its rank and the mean rank. This is an integer, so sums of products
   * are exact. The best rank is 1, and tied entries get the average of their ranks.
   */
  ranks: Int32Array;
  /** `tied[p]` is 1 if the entries at the positions p − 1 and p have equal exact scores. */
  tied: Uint8Array;
}

/** Sorts galleries of one size with shared buffers. */
export class Sorter {
  private readonly floats: Float32Array;
  private readonly keys: Uint32Array;
  private readonly spare: Uint32Array;
  private readonly starts = new Uint32Array(1 << digits);

  constructor(private readonly size: number) {
    this.floats = new Float32Array(size);
    this.keys = new Uint32Array(this.floats.buffer);
    this.spare = new Uint32Array(size);
  }

  /** Each score may have an error of up to half of `closeness`. `exactOf` returns the exact score of an entry. */
  sort(scores: Float64Array, exactOf: (item: number) => number): Ordered {
    const order = this.byFloat32(scores);
    const tied = new Uint8Array(this.size + 1);
    this.eachRun(
      (place) => this.keys[order[place - 1]] === this.keys[order[place]],
      (from, to) => order.subarray(from, to).sort((a, b) => scores[b] - scores[a] || a - b),
    );
    this.eachRun(
      (place) => scores[order[place - 1]] - scores[order[place]] <= closeness,
      (from, to) => {
        const exact = new Map<number, number>();
        for (let p = from; p < to; p++) exact.set(order[p], exactOf(order[p]));
        order.subarray(from, to).sort((a, b) => exact.get(b)! - exact.get(a)! || a - b);
        for (let p = from + 1; p < to; p++) tied[p] = Number(exact.get(order[p - 1]) === exact.get(order[p]));
      },
    );
    return { order, ranks: this.ranksOf(order, tied), tied };
  }

  /** Sorts by radix sort. The bits of the float32 scores are mapped to integers that rise when scores fall. */
  private byFloat32(scores: Float64Array): Uint32Array {
    const { size, floats, keys, starts } = this;
    for (let i = 0; i < size; i++) floats[i] = scores[i];
    for (let i = 0; i < size; i++) keys[i] = keys[i] >>> 31 === 1 ? keys[i] : ~keys[i] & 0x7fffffff;
    let from = this.spare;
    let to: Uint32Array = new Uint32Array(size);
    for (let i = 0; i < size; i++) from[i] = i;
    for (let shift = 0; shift < 32; shift += digits) {
      starts.fill(0);
      for (let i = 0; i < size; i++) starts[(keys[i] >>> shift) & digitMask]++;
      let sum = 0;
      for (let d = 0; d <= digitMask; d++) {
        const count = starts[d];
        starts[d] = sum;
        sum += count;
      }
      for (let i = 0; i < size; i++) {
        const item = from[i];
        to[starts[(keys[item] >>> shift) & digitMask]++] = item;
      }
      [from, to] = [to, from];
    }
    // There are three passes, so the result is never in the spare buffer, which the next call overwrites.
    return from;
  }

  private eachRun(joined: (place: number) => boolean, visit: (from: number, to: number) => void): void {
    for (let from = 0, place = 1; place <= this.size; place++) {
      if (place < this.size && joined(place)) continue;
      if (place - from > 1) visit(from, place);
      from = place;
    }
  }

  private ranksOf(order: Uint32Array, tied: Uint8Array): Int32Array {
    const ranks = new Int32Array(this.size);
    for (let from = 0, place = 1; place <= this.size; place++) {
      if (place < this.size && tied[place] === 1) continue;
      for (let p = from; p < place; p++) ranks[order[p]] = from + place - this.size;
      from = place;
    }
    return ranks;
  }
}

/** Spearman's ρ of two lists of ranks. It is NaN if all entries of a list are tied. */
export function rankCorrelation(a: Int32Array, b: Int32Array): number {
  let [ab, aa, bb] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    ab += a[i] * b[i];
    aa += a[i] * a[i];
    bb += b[i] * b[i];
  }
  return aa === 0 || bb === 0 ? NaN : ab / Math.sqrt(aa * bb);
}

/** The Pearson correlation of two orders' entry numbers, position by position. */
export function listCorrelation(a: Uint32Array, b: Uint32Array): number {
  const n = a.length;
  let [ab, aa] = [0, 0];
  for (let i = 0; i < n; i++) {
    const x = 2 * a[i] + 1 - n;
    ab += x * (2 * b[i] + 1 - n);
    aa += x * x;
  }
  return aa === 0 ? NaN : ab / aa;
}

/**
 * How many of the first k entries two orders share. `seen` has the length of an order, and contains only zeros
 * before and after the call.
 */
export function sharedTop(a: Uint32Array, b: Uint32Array, k: number, seen: Uint8Array): number {
  let shared = 0;
  for (let p = 0; p < k; p++) seen[a[p]] = 1;
  for (let p = 0; p < k; p++) shared += seen[b[p]];
  for (let p = 0; p < k; p++) seen[a[p]] = 0;
  return shared;
}
