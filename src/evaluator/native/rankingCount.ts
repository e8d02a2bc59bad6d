import type { Gallery } from '../rankingRows';
import { createKernel, type Kernel } from './rankingKernel';
import type { CountAnswer, CountAsk } from './rankingProtocol';

/** How far a product in float32, summed in whatever order and divided by both lengths, can lie from the cosine. */
export function productError(dimension: number): number {
  return (dimension + 8) * 2 ** -24 * 1.001;
}

/** Cosines from sums of float64 in different orders are no further apart, for any length below 4096. */
const closeness = 1e-12;

/**
 * Counts for all queries, block of the gallery after block. The fast float32 product settles every entry but
 * those so near to a threshold, or to the edge of the top, that rounding could put them on either side; these few are
 * scored again exactly. So the counts are those of exact scores, whatever the blocks and threads.
 */
export class BlockCounter {
  /** Where the products of a block belong: the memory of the kernel. */
  readonly products: Float32Array;
  private readonly kernel: Kernel;
  private readonly weights: Float32Array;
  private readonly weightsOfBlock: Float32Array;
  private readonly near: Int32Array;
  /** The rows of the block, each from a multiple of 16 bytes on, zeros after it. */
  private readonly left: Float32Array;
  private readonly right: Float32Array;
  private readonly stride: number;
  private readonly tops: TopList[];
  private readonly error: number;

  constructor(
    private readonly queries: Gallery,
    private readonly gallery: Gallery,
    private readonly ask: CountAsk,
    private readonly answer: CountAnswer,
    queryBlock: number,
    galleryBlock: number,
  ) {
    const groups = Math.ceil(galleryBlock / 4);
    this.stride = 4 * Math.ceil(gallery.dimension / 4);
    const sizes = [
      queryBlock * galleryBlock,
      4 * groups,
      groups + 1,
      queryBlock * this.stride,
      galleryBlock * this.stride,
    ];
    this.kernel = createKernel(4 * sizes.reduce((sum, size) => sum + size, 0));
    const { buffer } = this.kernel.memory;
    let from = 0;
    const [products, weights, near, left, right] = sizes.map((size) => {
      const start = from;
      from += 4 * size;
      return start;
    });
    this.products = new Float32Array(buffer, products, sizes[0]);
    this.weightsOfBlock = new Float32Array(buffer, weights, sizes[1]);
    this.near = new Int32Array(buffer, near, sizes[2]);
    this.left = new Float32Array(buffer, left, sizes[3]);
    this.right = new Float32Array(buffer, right, sizes[4]);
    this.weights = Float32Array.from(gallery.norms, (norm) => 1 / norm);
    this.error = productError(gallery.dimension);
    const listed = ask.top > 0 ? queries.count : 0;
    this.tops = Array.from(
      { length: listed },
      (_, query) => new TopList(queries, gallery, query, ask.top, this.error),
    );
  }

  /** `products[row * columns + column]` holds query `first + row` times gallery row `from + column`. */
  add(first: number, rows: number, from: number, columns: number): void {
    this.weightsOfBlock.set(this.weights.subarray(from, from + columns));
    if (first === 0) this.copy(this.gallery, from, columns, this.right);
    this.copy(this.queries, first, rows, this.left);
    for (let row = 0; row < rows; row++) {
      this.weigh(row * columns, columns);
      this.count(first + row, row, from, columns);
      if (this.ask.top > 0) this.collect(first + row, row * columns, from, columns);
    }
  }

  finish(): void {
    for (const list of this.tops) list.finish(this.answer);
  }

  /** From here on `products` are cosines times the length of the query. */
  private weigh(start: number, columns: number): void {
    const whole = columns & ~3;
    if (whole > 0) this.kernel.weigh(4 * start, 4 * (start + whole), this.weightsOfBlock.byteOffset);
    for (let i = whole; i < columns; i++) this.products[start + i] *= this.weightsOfBlock[i];
  }

  private count(query: number, row: number, from: number, columns: number): void {
    const start = row * columns;
    const { ask, answer, error, queries, gallery, products } = this;
    const norm = queries.norms[query];
    for (let t = ask.offsets[query]; t < ask.offsets[query + 1]; t++) {
      const threshold = ask.thresholds[t];
      const low = Math.fround((threshold - error) * norm);
      const high = Math.fround((threshold + error) * norm);
      let greater = 0;
      let equal = 0;
      const settle = (i: number): void => {
        if (!(products[i] > low) || products[i] > high) return;
        const item = from + i - start;
        const close = this.close(row, i - start) / (norm * gallery.norms[item]);
        if (Math.abs(close - threshold) > closeness) {
          if (close > threshold) greater++;
          return;
        }
        const exact = queries.cosine(query, gallery, item);
        if (exact > threshold) greater++;
        else if (exact === threshold) equal++;
      };
      const surely = this.scan(start, columns, low, high, settle);
      answer.greater[t] += surely + greater;
      answer.equal[t] += equal;
    }
  }

  private copy(from: Gallery, first: number, rows: number, to: Float32Array): void {
    const { data, dimension } = from.rows;
    for (let row = 0; row < rows; row++) {
      to.set(data.subarray((first + row) * dimension, (first + row + 1) * dimension), row * this.stride);
    }
  }

  /** The product of two rows of the block, within what float64 sums in another order can differ. */
  private close(row: number, column: number): number {
    const at = this.left.byteOffset + 4 * row * this.stride;
    return this.kernel.dot(at, at + 4 * this.stride, this.right.byteOffset + 4 * column * this.stride);
  }

  private collect(query: number, start: number, from: number, columns: number): void {
    const list = this.tops[query];
    const norm = this.queries.norms[query];
    if (from === 0) list.setFloor(this.products.subarray(start, start + columns), norm);
    const floor = Math.fround(list.floor * norm);
    this.scan(start, columns, floor, Infinity, (i) => {
      if (this.products[i] > floor) list.add(from + i - start, this.products[i] / norm);
    });
    list.shorten();
  }

  /** Entries greater than `high`; those between, and some of their neighbours, are shown to `look`. */
  private scan(
    start: number,
    columns: number,
    low: number,
    high: number,
    look: (at: number) => void,
  ): number {
    const { kernel, near, products } = this;
    const whole = columns & ~3;
    let greater = 0;
    if (whole > 0) {
      greater = kernel.scan(4 * start, 4 * (start + whole), low, high, near.byteOffset);
      for (let n = 1; n <= near[0]; n++) {
        const group = near[n] >> 2;
        for (let i = group; i < group + 4; i++) look(i);
      }
    }
    for (let i = start + whole; i < start + columns; i++) {
      if (products[i] > high) greater++;
      else look(i);
    }
    return greater;
  }
}

/** The best entries of one query so far: at least the true top, and little more. */
class TopList {
  /** What an entry's approximate cosine must exceed to be of interest. */
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

  /** So many parts of the first block, so many entries at least as good as the least of the parts' best. */
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

  /** Where the list has grown long, keeps the top of it and raises the floor. */
  shorten(): void {
    if (this.items.length <= 3 * this.size + 64) return;
    const { order } = this.best();
    this.items = order.map((at) => this.items[at]);
    this.scores = order.map((at) => this.scores[at]);
    this.floor = Math.max(this.floor, Math.min(...this.scores) - 3 * this.error);
  }

  finish({ topItems, topScores }: CountAnswer): void {
    const { order, exact } = this.best();
    order.forEach((at, k) => {
      topItems[this.query * this.size + k] = this.items[at];
      topScores[this.query * this.size + k] = exact[at];
    });
  }

  /** The top of what is held, in order, by exact scores; those are given for the top alone. */
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
