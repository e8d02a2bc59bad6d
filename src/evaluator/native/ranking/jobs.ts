import { valueIn } from '../../../base/lists';
import { availableParallelism } from 'node:os';
import { Gallery, type Rows } from '../../ranking/rows';
import type { JobContext } from '../jobContext';
import { listCorrelation, type Ordered, rankCorrelation, sharedTop, Sorter } from './order';
import type {
  CountAnswer,
  CountAsk,
  PartAsk,
  ScoreStabilityAsk,
  StabilityAnswer,
  StabilityAsk,
} from '../../../protocol/ranking';
import { BlockCounter } from './count';
import { Product } from './product';

/** The number of queries in a block. Its products take two megabytes, which fit into the processor's caches. */
const queryBlock = 256;
const galleryBlock = 2048;

const galleries = new Map<number, Gallery>();
const growing = new Map<number, Rows>();

/** Receives some rows of a gallery. They arrive in parts, because a single message would double the memory. */
export function takePart({ gallery, count, dimension, from, data, last }: PartAsk): null {
  const rows = growing.get(gallery) ?? { count, dimension, data: new Float32Array(count * dimension) };
  rows.data.set(data, from * dimension);
  growing.set(gallery, rows);
  if (last) {
    growing.delete(gallery);
    galleries.set(gallery, new Gallery(rows));
  }
  return null;
}

export function dropGallery(gallery: number): null {
  galleries.delete(gallery);
  growing.delete(gallery);
  return null;
}

function galleryOf(id: number): Gallery {
  const gallery = galleries.get(id);
  if (gallery === undefined) throw new Error(`No gallery ${id} was sent.`);
  return gallery;
}

export async function countAbove(ask: CountAsk, context: JobContext): Promise<CountAnswer> {
  const queries = galleryOf(ask.queries);
  const gallery = galleryOf(ask.gallery);
  const answer: CountAnswer = {
    greater: new Int32Array(ask.thresholds.length),
    equal: new Int32Array(ask.thresholds.length),
    topItems: new Int32Array(queries.count * ask.top).fill(-1),
    topScores: new Float64Array(queries.count * ask.top).fill(NaN),
  };
  if (queries.count === 0 || gallery.count === 0) return answer;
  const rows = Math.min(queryBlock, queries.count);
  const columns = Math.min(galleryBlock, gallery.count);
  const counter = new BlockCounter(queries, gallery, ask, answer, rows, columns);
  const product = await productOf('float32', queries.dimension);
  for (let from = 0; from < gallery.count; from += columns) {
    const width = Math.min(columns, gallery.count - from);
    const right = counter.weighed(from, width);
    for (let first = 0; first < queries.count; first += rows) {
      const height = Math.min(rows, queries.count - first);
      await product.into(counter.products, part(queries, first, height), height, right, width);
      counter.add(first, height, from, width);
      context.step();
      await context.pause();
    }
  }
  counter.finish();
  return answer;
}

/** The most queries of a batch of families, or one family: a batch's scores are in memory together. */
const familyBatch = 128;

export async function compareOrders(ask: StabilityAsk, context: JobContext): Promise<StabilityAnswer> {
  const queries = galleryOf(ask.queries);
  const gallery = galleryOf(ask.gallery);
  return compareFamilies(ask, queries.count, gallery.count, context, {
    scores: (first, rows) => allScores(queries, first, rows, gallery, context),
    exact: (query, item) => queries.cosine(query, gallery, item),
  });
}

export function compareScores(ask: ScoreStabilityAsk, context: JobContext): Promise<StabilityAnswer> {
  const { scores, count } = ask;
  return compareFamilies(ask, scores.length / count, count, context, {
    scores: (first, rows) => scores.subarray(first * count, (first + rows) * count),
    exact: (query, item) => scores[query * count + item],
  });
}

interface Scoring {
  /** The scores of `rows` queries, starting at `first`, with the whole gallery. They may have small errors. */
  scores: (first: number, rows: number) => Promise<Float64Array> | Float64Array;
  exact: (query: number, item: number) => number;
}

async function compareFamilies(
  { families, pairs, sizes, top }: Pick<StabilityAsk, 'families' | 'pairs' | 'sizes' | 'top'>,
  queries: number,
  count: number,
  context: JobContext,
  scoring: Scoring,
): Promise<StabilityAnswer> {
  const answer: StabilityAnswer = {
    rho: new Float64Array(pairs.length / 2),
    listwise: new Float64Array(pairs.length / 2),
    shared: new Int32Array((pairs.length / 2) * sizes.length),
    edgeTies: new Uint8Array(queries * sizes.length),
    tied: new Int32Array(queries),
    topItems: new Int32Array(queries * top).fill(-1),
  };
  const sorter = new Sorter(count);
  const seen = new Uint8Array(count);
  let pair = 0;
  for (let family = 0; family < families.length - 1;) {
    const first = families[family];
    let last = family + 1;
    while (last < families.length - 1 && families[last + 1] - first <= familyBatch) last++;
    const scores = await scoring.scores(first, families[last] - first);
    for (; family < last; family++) {
      const orders = new Map<number, Ordered>();
      for (let query = families[family]; query < families[family + 1]; query++) {
        const own = scores.subarray((query - first) * count, (query - first + 1) * count);
        const ordered = sorter.sort(own, (item) => scoring.exact(query, item));
        orders.set(query, ordered);
        answer.topItems.set(ordered.order.subarray(0, Math.min(top, count)), query * top);
        for (let p = 0; p < count; p++) answer.tied[query] += ordered.tied[p] | ordered.tied[p + 1];
        sizes.forEach((size, s) => {
          answer.edgeTies[query * sizes.length + s] = ordered.tied[size];
        });
      }
      for (; 2 * pair < pairs.length && pairs[2 * pair] < families[family + 1]; pair++) {
        const a = orders.get(pairs[2 * pair])!;
        const b = orders.get(pairs[2 * pair + 1])!;
        answer.rho[pair] = rankCorrelation(a.ranks, b.ranks);
        answer.listwise[pair] = listCorrelation(a.order, b.order);
        sizes.forEach((size, s) => {
          answer.shared[pair * sizes.length + s] = sharedTop(a.order, b.order, size, seen);
        });
      }
      context.step();
      await context.pause();
    }
  }
  return answer;
}

/** The float64 cosines of `rows` queries, starting at query `first`, with the whole gallery. */
async function allScores(
  queries: Gallery,
  first: number,
  rows: number,
  gallery: Gallery,
  context: JobContext,
): Promise<Float64Array> {
  const product = await productOf('float64', queries.dimension);
  const left = Float64Array.from(part(queries, first, rows));
  const right = new Float64Array(galleryBlock * gallery.dimension);
  const out = new Float64Array(rows * galleryBlock);
  const scores = new Float64Array(rows * gallery.count);
  for (let from = 0; from < gallery.count; from += galleryBlock) {
    const columns = Math.min(galleryBlock, gallery.count - from);
    right.set(part(gallery, from, columns));
    await product.into(out, left, rows, right.subarray(0, columns * gallery.dimension), columns);
    for (let row = 0; row < rows; row++) {
      const norm = queries.norms[first + row];
      const to = row * gallery.count + from;
      for (let i = 0; i < columns; i++)
        scores[to + i] = out[row * columns + i] / (norm * gallery.norms[from + i]);
    }
    context.step();
    await context.pause();
  }
  return scores;
}

function part({ rows }: Gallery, from: number, count: number): Float32Array {
  return rows.data.subarray(from * rows.dimension, (from + count) * rows.dimension);
}

const products = new Map<string, Promise<Product>>();

function productOf(element: 'float32' | 'float64', dimension: number): Promise<Product> {
  const key = `${element} ${dimension}`;
  return valueIn(products, key, () => Product.create(element, dimension, availableParallelism()));
}
