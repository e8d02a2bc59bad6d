import { smallest } from '../../../base/extent';
import type { Gallery } from '../../ranking/rows';
import { createKernel, type Kernel } from './kernel';
import type { CountAnswer, CountAsk } from '../../../protocol/ranking';

/** The largest error of a cosine that is computed as a float32 dot product divided by both norms. */
export function productError(dimension: number): number {
  return (dimension + 8) * 2 ** -24 * 1.001;
}

/** The largest effect that the order of a sum has on a float64 cosine, for dimensions below 4096. */
const closeness = 1e-12;

/** The number of products in each part of a row. It must be a multiple of four. */
const peakWidth = 256;

/**
 * Counts the scores above thresholds, one block of the gallery at a time. Fast float32 products decide most entries.
 * Exact scores decide the entries near a threshold, so blocks and threads do not affect the counts.
 */
export class BlockCounter {
  /** A block's products, in the kernel's memory. */
  readonly products: Float32Array;
  private readonly kernel: Kernel;
  /** The greatest product in each part of a row. If it is below a threshold, the part is not searched. */
  private readonly peaks: Float32Array;
  private readonly near: Int32Array;
  /** The rows of the current blocks, padded with zeros to multiples of 16 bytes. They are copied when needed. */
  private readonly left: Float32Array;
  private readonly right: Float32Array;
  private leftHolds = -1;
  private rightHolds = -1;
  private readonly stride: number;
  private readonly weighedRows: Float32Array;
  private readonly tops: TopList[];
  private readonly error: number;

  constructor(
    private readonly queries: Gallery,
    private readonly gallery: Gallery,
    private readonly ask: CountAsk,
    private readonly answer: CountAnswer,
    private readonly queryBlock: number,
    private readonly galleryBlock: number,
  ) {
    const groups = Math.ceil(galleryBlock / 4);
    this.stride = 4 * Math.ceil(gallery.dimension / 4);
    const sizes = [
      queryBlock * galleryBlock,
      4 * Math.ceil((queryBlock * Math.ceil(galleryBlock / peakWidth)) / 4),
      groups + 1,
      queryBlock * this.stride,
      galleryBlock * this.stride,
    ];
    this.kernel = createKernel(4 * sizes.reduce((sum, size) => sum + size, 0));
    const { buffer } = this.kernel.memory;
    let from = 0;
    const [products, peaks, near, left, right] = sizes.map((size) => {
      const start = from;
      from += 4 * size;
      return start;
    });
    this.products = new Float32Array(buffer, products, sizes[0]);
    this.peaks = new Float32Array(buffer, peaks, sizes[1]);
    this.near = new Int32Array(buffer, near, sizes[2]);
    this.left = new Float32Array(buffer, left, sizes[3]);
    this.right = new Float32Array(buffer, right, sizes[4]);
    this.weighedRows = new Float32Array(galleryBlock * gallery.dimension);
    this.error = productError(gallery.dimension);
    const listed = ask.top > 0 ? queries.count : 0;
    this.tops = Array.from(
      { length: listed },
      (_, query) => new TopList(queries, gallery, query, ask.top, this.error),
    );
  }

  /** Normalises gallery rows. The product of a query and a normalised row is their cosine times the query's norm. */
  weighed(from: number, columns: number): Float32Array {
    const { rows, norms } = this.gallery;
    const { dimension, data } = rows;
    const out = this.weighedRows;
    for (let row = 0; row < columns; row++) {
      const weight = Math.fround(1 / norms[from + row]);
      const start = (from + row) * dimension;
      const to = row * dimension;
      for (let i = 0; i < dimension; i++) out[to + i] = data[start + i] * weight;
    }
    return out.subarray(0, columns * dimension);
  }

  /**
   * Counts a block. `products[row * columns + column]` is the product of query `first + row` and the
   * normalised gallery row `from + column`.
   */
  add(first: number, rows: number, from: number, columns: number): void {
    const parts = Math.ceil(columns / peakWidth);
    this.findPeaks(rows, columns, parts);
    for (let row = 0; row < rows; row++) {
      this.count(first, row, from, columns, parts);
      if (this.ask.top > 0) this.collect(first + row, row, from, columns, parts);
    }
  }

  finish(): void {
    for (const list of this.tops) list.finish(this.answer);
  }

  private findPeaks(rows: number, columns: number, parts: number): void {
    const { kernel, peaks, products } = this;
    const { byteOffset } = peaks;
    if (columns % peakWidth === 0) {
      kernel.peaks(0, 4 * rows * columns, 4 * peakWidth, byteOffset);
      return;
    }
    const whole = columns & ~3;
    peaks.fill(-Infinity);
    for (let row = 0; row < rows; row++) {
      const start = row * columns;
      if (whole > 0)
        kernel.peaks(4 * start, 4 * (start + whole), 4 * peakWidth, byteOffset + 4 * row * parts);
      for (let i = whole; i < columns; i++) {
        const part = row * parts + Math.floor(i / peakWidth);
        if (products[start + i] > peaks[part]) peaks[part] = products[start + i];
      }
    }
  }

  private count(first: number, row: number, from: number, columns: number, parts: number): void {
    const query = first + row;
    const start = row * columns;
    const { ask, answer, error, queries, gallery, products } = this;
    const norm = queries.norms[query];
    const best = this.best(row, parts);
    for (let t = ask.offsets[query]; t < ask.offsets[query + 1]; t++) {
      const threshold = ask.thresholds[t];
      const low = Math.fround((threshold - error) * norm);
      if (!(best > low)) continue;
      const high = Math.fround((threshold + error) * norm);
      const surely = this.scan(row, columns, parts, low, high, (i) => {
        if (!(products[i] > low) || products[i] > high) return;
        const item = from + i - start;
        const close = this.close(first, row, from, i - start) / (norm * gallery.norms[item]);
        if (Math.abs(close - threshold) > closeness) {
          if (close > threshold) answer.greater[t]++;
          return;
        }
        const exact = queries.cosine(query, gallery, item);
        if (exact > threshold) answer.greater[t]++;
        else if (exact === threshold) answer.equal[t]++;
      });
      answer.greater[t] += surely;
    }
  }

  private best(row: number, parts: number): number {
    let best = -Infinity;
    for (let part = row * parts; part < (row + 1) * parts; part++)
      if (this.peaks[part] > best) best = this.peaks[part];
    return best;
  }

  /** The float64 product of a query and a gallery row. Its summation order differs from that of the exact score. */
  private close(first: number, row: number, from: number, column: number): number {
    if (this.leftHolds !== first) this.copy(this.queries, first, this.queryBlock, this.left);
    if (this.rightHolds !== from) this.copy(this.gallery, from, this.galleryBlock, this.right);
    [this.leftHolds, this.rightHolds] = [first, from];
    const at = this.left.byteOffset + 4 * row * this.stride;
    return this.kernel.dot(at, at + 4 * this.stride, this.right.byteOffset + 4 * column * this.stride);
  }

  private copy(from: Gallery, first: number, most: number, to: Float32Array): void {
    const { data, dimension, count } = from.rows;
    for (let row = 0; row < Math.min(most, count - first); row++) {
      to.set(data.subarray((first + row) * dimension, (first + row + 1) * dimension), row * this.stride);
    }
  }

  private collect(query: number, row: number, from: number, columns: number, parts: number): void {
    const list = this.tops[query];
    const norm = this.queries.norms[query];
    const start = row * columns;
    if (from === 0) list.setFloor(this.products.subarray(start, start + columns), norm);
    const floor = Math.fround(list.floor * norm);
    if (!(this.best(row, parts) > floor)) return;
    this.scan(row, columns, parts, floor, Infinity, (i) => {
      if (this.products[i] > floor) list.add(from + i - start, this.products[i] / norm);
    });
    list.shorten();
  }

  /**
   * Returns how many entries of a row are above `high`. Calls `look` for all entries between `low` and `high` and for
   * some entries outside this range.
   */
  private scan(
    row: number,
    columns: number,
    parts: number,
    low: number,
    high: number,
    look: (at: number) => void,
  ): number {
    const { kernel, near, peaks, products } = this;
    const start = row * columns;
    let greater = 0;
    for (let from = 0, part = row * parts; from < columns; from += peakWidth, part++) {
      if (!(peaks[part] > low)) continue;
      const to = Math.min(from + peakWidth, columns);
      const whole = to & ~3;
      if (whole > from) {
        greater += kernel.scan(4 * (start + from), 4 * (start + whole), low, high, near.byteOffset);
        for (let n = 1; n <= near[0]; n++) {
          const four = near[n] >> 2;
          for (let i = four; i < four + 4; i++) look(i);
        }
      }
      for (let i = start + Math.max(from, whole); i < start + to; i++) {
        if (products[i] > high) greater++;
        else look(i);
      }
    }
    return greater;
  }
}

/** The best entries of a query so far. They include the true top entries, and perhaps others. */
class TopList {
  /** Entries with a lower approximate cosine cannot be in the top. */
  floor = -Infinity;
  private items: number[] = [];
  private scores: number[] = [];

  constructor(
    private readonly queries: Gallery,
    private readonly gallery: Gallery,
    private readonly query: number,
    private readonly size: number,
    private readonly error: number,
  ) {}

  /** Splits the first block into `size` or more parts. The floor is just below the least of their maxima. */
  setFloor(weighed: Float32Array, norm: number): void {
    const width = Math.floor(weighed.length / this.size);
    if (width === 0) return;
    let least = Infinity;
    for (let from = 0; from + width <= weighed.length; from += width) {
      let best = -Infinity;
      for (let i = from; i < from + width; i++) if (weighed[i] > best) best = weighed[i];
      least = Math.min(least, best);
    }
    this.floor = least / norm - 3 * this.error;
  }

  add(item: number, score: number): void {
    this.items.push(item);
    this.scores.push(score);
  }

  /** Drops entries below the top from a long list, and raises the floor. */
  shorten(): void {
    if (this.items.length <= 3 * this.size + 64) return;
    const { order } = this.best();
    this.items = order.map((at) => this.items[at]);
    this.scores = order.map((at) => this.scores[at]);
    this.floor = Math.max(this.floor, smallest(this.scores) - 3 * this.error);
  }

  finish({ topItems, topScores }: CountAnswer): void {
    const { order, exact } = this.best();
    order.forEach((at, k) => {
      topItems[this.query * this.size + k] = this.items[at];
      topScores[this.query * this.size + k] = exact[at];
    });
  }

  /** The top entries by exact score, and their scores. */
  private best(): { order: number[]; exact: Float64Array } {
    const last = Math.min(this.size, this.items.length);
    const edge = Float64Array.from(this.scores).sort()[this.scores.length - last] - 3 * this.error;
    const exact = new Float64Array(this.items.length);
    const order: number[] = [];
    this.items.forEach((item, at) => {
      if (this.scores[at] < edge) return;
      exact[at] = this.queries.cosine(this.query, this.gallery, item);
      order.push(at);
    });
    order.sort((a, b) => exact[b] - exact[a] || this.items[a] - this.items[b]);
    return { order: order.slice(0, this.size), exact };
  }
}
