import { Fingerprints } from '../base/files/fingerprints';
import { Random } from '../base/random';
import type { Bench } from '../bench/bench';
import type { Evaluator } from '../evaluator/evaluator';
import type { ImageItem, TextItem } from '../protocol/item';
import type { MixedInImage } from '../perturb/transform';
import type { TrainingPair } from './fit';
import type { Image } from './images';
import { anyWords } from '../perturb/words/replace';

/** RoCOCO's p (the probability that a word is changed) and q (that a changed word is replaced, not deleted). */
const touched = 0.3;
const replaced = 0.5;
/** The probability of corrupting an image. */
const imageShare = 0.5;
/** The possible shares of the original image in an altered image. */
const lambdas = [0.9, 0.8, 0.7, 0.6];
/** The size of altered images in RoCOCO's paper. */
const side = 384;

/** The caption with random changes. Undefined if no word was changed or every word was deleted. */
function corruptCaption(text: string, random: Random): string | undefined {
  const words = text.split(/\s+/).filter((word) => word !== '');
  let changed = false;
  const made = words.flatMap((word) => {
    if (random.uniform() >= touched) return [word];
    changed = true;
    return random.uniform() < replaced ? [random.pick(anyWords())] : [];
  });
  return changed && made.length > 0 ? made.join(' ') : undefined;
}

/** The image, altered with another image. Undefined if it stays unchanged, or if there is no other image. */
function corruptImage(
  image: ImageItem,
  pool: readonly MixedInImage[],
  random: Random,
): ImageItem | undefined {
  if (random.uniform() >= imageShare) return undefined;
  const path = 'path' in image.source ? image.source.path : undefined;
  const others = pool.filter((ref) => ref.path !== path);
  if (others.length === 0) return undefined;
  const shared = { other: random.pick(others), side, lambda: random.pick(lambdas) };
  const mixed = random.below(2) === 0;
  const box = { x: random.below(side), y: random.below(side) };
  return {
    ...image,
    transforms: [...image.transforms, mixed ? { op: 'mix', ...shared } : { op: 'patch', ...shared, ...box }],
  };
}

export interface TrainingRequest {
  evaluator: Evaluator;
  bench: Bench;
  images: readonly Image[];
  seed: number;
  /** The maximum number of corruptions per image and per caption. A draw may leave the item unchanged. */
  draws: number;
  signal: AbortSignal;
}

export interface TrainingPairs {
  trainingPairs: TrainingPair[];
  /** The number of items without an embedding. An image is used only if it and one of its captions are embedded. */
  failed: number;
}

/** Corrupts and embeds the training items. Images are mixed only with `images`, so with no held-out one. */
export async function lessonsOf(request: TrainingRequest): Promise<TrainingPairs> {
  const { evaluator, bench, images, seed, draws, signal } = request;
  const fingerprints = new Fingerprints(undefined);
  const pool: MixedInImage[] = [];
  for (const { path } of images) pool.push({ path, sha256: await fingerprints.sha256(path, signal) });
  const items: (TextItem | ImageItem)[] = [];
  const want = (item: TextItem | ImageItem | undefined): number | undefined =>
    item === undefined ? undefined : items.push(item) - 1;
  const prompt = (text: string | undefined): TextItem | undefined =>
    text === undefined ? undefined : { kind: 'text', text: evaluator.info.prefix + text };
  const rounds = [...Array(draws).keys()];
  const plans = images.map(({ name, item, captions }) => ({
    image: want(item),
    corruptImages: rounds.map((draw) =>
      want(corruptImage(item, pool, new Random(seed, name, draw, 'repair.picture'))),
    ),
    captions: captions.map((text) => ({
      row: want(prompt(text)),
      corrupt: rounds.map((draw) =>
        want(prompt(corruptCaption(text, new Random(seed, name, text, draw, 'repair.caption')))),
      ),
    })),
  }));
  const outcomes = await bench.embeddings(evaluator, items, signal);
  const rows = outcomes.map((outcome) => (outcome.ok ? unit(outcome.value) : undefined));
  const rowOf = (at: number | undefined): Float64Array | undefined =>
    at === undefined ? undefined : rows[at];
  const trainingPairs = plans.flatMap((plan): TrainingPair[] => {
    const image = rowOf(plan.image);
    const captions = plan.captions.flatMap(({ row: at, corrupt }) => {
      const row = rowOf(at);
      return row === undefined ? [] : [{ row, corrupt: corrupt.map(rowOf) }];
    });
    if (image === undefined || captions.length === 0) return [];
    return [{ image, captions, corruptImages: plan.corruptImages.map(rowOf) }];
  });
  return { trainingPairs, failed: rows.filter((row) => row === undefined).length };
}

/** The row, scaled to length 1. Undefined if its length is zero or not finite. */
function unit(row: Float32Array): Float64Array | undefined {
  let squares = 0;
  for (const value of row) squares += value * value;
  const length = Math.sqrt(squares);
  return length > 0 && Number.isFinite(length)
    ? Float64Array.from(row, (value) => value / length)
    : undefined;
}
