import { Fingerprints } from '../base/files/fingerprints';
import { Random } from '../base/random';
import type { Bench } from '../bench/bench';
import type { Evaluator } from '../evaluator/evaluator';
import type { ImageItem, TextItem } from '../protocol/item';
import type { PictureRef } from '../perturb/transform';
import { corruptCaption, corruptPicture } from './corrupt';
import type { TrainingPair } from './fit';
import type { Photo } from './photos';

export interface TrainingRequest {
  evaluator: Evaluator;
  bench: Bench;
  photos: readonly Photo[];
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

/**
 * Corrupts and embeds the training items. An image is mixed only with other images in `photos`, so no held-out
 * image is used.
 */
export async function lessonsOf(request: TrainingRequest): Promise<TrainingPairs> {
  const { evaluator, bench, photos, seed, draws, signal } = request;
  const fingerprints = new Fingerprints(undefined);
  const pool: PictureRef[] = [];
  for (const { path } of photos) pool.push({ path, sha256: await fingerprints.sha256(path, signal) });
  const items: (TextItem | ImageItem)[] = [];
  const want = (item: TextItem | ImageItem | undefined): number | undefined =>
    item === undefined ? undefined : items.push(item) - 1;
  const prompt = (text: string | undefined): TextItem | undefined =>
    text === undefined ? undefined : { kind: 'text', text: evaluator.info.prefix + text };
  const rounds = [...Array(draws).keys()];
  const plans = photos.map(({ name, item, captions }) => ({
    photo: want(item),
    corruptPhotos: rounds.map((draw) =>
      want(corruptPicture(item, pool, new Random(seed, name, draw, 'repair.picture'))),
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
    const photo = rowOf(plan.photo);
    const captions = plan.captions.flatMap(({ row: at, corrupt }) => {
      const row = rowOf(at);
      return row === undefined ? [] : [{ row, corrupt: corrupt.map(rowOf) }];
    });
    if (photo === undefined || captions.length === 0) return [];
    return [{ photo, captions, corruptPhotos: plan.corruptPhotos.map(rowOf) }];
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
