import { createBench } from '../../../bench/createBench';
import type { Bench } from '../../../bench/bench';
import { largest, smallest } from '../../../base/extent';
import type { Outcome } from '../../../base/outcome';
import type { Evaluator } from '../../../evaluator/evaluator';
import { median } from '../../../stats/summary';
import type { Decision, Items } from './items';

/** The speed of several passes in items per second. `items` is the number of items in a pass. */
export type Rate = Awaited<ReturnType<typeof rateOf>>;

export type Speeds = Partial<Record<'texts' | 'images' | 'pairs', Rate>>;

export interface Wish {
  rounds: number;
  /** The largest batch size. If it is undefined, the bench decides. */
  batch?: number;
  signal: AbortSignal;
}

export interface Comparison {
  /** The number of pairs that have a score from both providers. */
  scores: number;
  /** The greatest difference of a pair's scores, relative to the CPU's score if that exceeds 1. */
  greatest: number;
  mean: number;
  /** The number of pairs that have a score from only one provider. */
  missing: number;
  decisions: number;
  /** The number of decisions that differ. */
  flips: number;
}

/** Scores both pairs of every decision. Scoring comes before the speed measurement and warms up the model. */
export async function scoresOf(
  evaluator: Evaluator,
  decisions: readonly Decision[],
  wish: Wish,
): Promise<Outcome<number>[]> {
  return within(wish, (bench) => bench.scores(evaluator, decisions.flat(), wish.signal));
}

/** Measures texts and images without a cache, or pairs if the evaluator returns no embeddings. */
export async function speedsOf(
  evaluator: Evaluator,
  { texts, images }: Items,
  decisions: readonly Decision[],
  wish: Wish,
): Promise<Speeds> {
  const { signal } = wish;
  const speeds: Speeds = {};
  if (evaluator.embedTexts !== undefined)
    speeds.texts = await rateOf(texts.length, wish, (bench) => bench.embeddings(evaluator, texts, signal));
  if (evaluator.embedImages !== undefined && images.length > 0)
    speeds.images = await rateOf(images.length, wish, (bench) => bench.embeddings(evaluator, images, signal));
  if (speeds.texts === undefined && speeds.images === undefined) {
    const wants = decisions.flat();
    speeds.pairs = await rateOf(wants.length, wish, (bench) => bench.scores(evaluator, wants, signal));
  }
  return speeds;
}

async function rateOf(items: number, wish: Wish, run: (bench: Bench) => Promise<unknown>) {
  const rates: number[] = [];
  // The first pass is a warm-up, because a provider may compile a kernel for every shape of a batch.
  for (let round = 0; round <= wish.rounds; round++) {
    const began = performance.now();
    await within(wish, run);
    if (round > 0) rates.push((1000 * items) / (performance.now() - began));
  }
  return { items, median: median(rates), slowest: smallest(rates), fastest: largest(rates) };
}

/** Each pass uses a new bench, because a bench caches results. */
async function within<T>({ batch }: Wish, run: (bench: Bench) => Promise<T>): Promise<T> {
  const bench = createBench(batch === undefined ? {} : { batchSize: batch });
  try {
    return await run(bench);
  } finally {
    await bench.close();
  }
}

/** Compares two lists of scores, each in the order of `scoresOf`. */
export function compare(
  reference: readonly Outcome<number>[],
  other: readonly Outcome<number>[],
): Comparison {
  const found: Comparison = { scores: 0, greatest: 0, mean: 0, missing: 0, decisions: 0, flips: 0 };
  reference.forEach((one, i) => {
    const two = other[i];
    if (one.ok !== two.ok) found.missing++;
    if (!one.ok || !two.ok) return;
    const difference = Math.abs(one.value - two.value) / Math.max(1, Math.abs(one.value));
    found.scores++;
    found.mean += difference;
    // If a difference is NaN, the greatest difference is NaN.
    if (!Number.isNaN(found.greatest) && !(difference <= found.greatest)) found.greatest = difference;
  });
  if (found.scores > 0) found.mean /= found.scores;
  for (let i = 0; i + 1 < reference.length; i += 2) {
    const [was, is] = [choice(reference, i), choice(other, i)];
    if (was === undefined || is === undefined) continue;
    found.decisions++;
    if (was !== is) found.flips++;
  }
  return found;
}

function choice(scores: readonly Outcome<number>[], at: number): number | undefined {
  const [own, other] = [scores[at], scores[at + 1]];
  return own.ok && other.ok ? Math.sign(own.value - other.value) : undefined;
}
