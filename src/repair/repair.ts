import { CaptiousError } from '../base/errors';
import type { Bench } from '../bench/bench';
import type { Dataset } from '../dataset/dataset';
import type { ImageFinder } from '../dataset/images';
import type { Evaluator } from '../evaluator/evaluator';
import type { LinearMap } from '../evaluator/linearMap';
import { fit, type FitOptions, type Fitted } from './fit';
import { lessonsOf } from './lessons';
import { type LowRank, tableOf } from './lowRank';
import { gatherPhotos, type Photo, splitPhotos } from './photos';

export const defaultFit: FitOptions = {
  rank: 32,
  epochs: 200,
  batch: 128,
  rate: 0.002,
  temperature: 0.05,
  semantic: 1,
  visual: 1,
  decay: 0.001,
};

export interface RepairRequest {
  dataset: Dataset;
  finder: ImageFinder;
  evaluator: Evaluator;
  bench: Bench;
  seed: number;
  /** Share of the photos that is kept from the fit. */
  heldOut: number;
  /** Photos of which a column says so are always fitted on. */
  fitOn?: { column: string; value: string };
  fit: FitOptions;
  signal: AbortSignal;
  onEpoch?: (epoch: number, of: number) => void;
}

export interface Repair extends Omit<Fitted, 'heads'> {
  maps: { text: LinearMap; image: LinearMap };
  fittedOn: Photo[];
  heldOut: Photo[];
  leftOut: Map<string, number>;
  /** Items that could not be embedded. */
  failed: number;
}

/** Draws of every corruption; more would repeat themselves less and take longer to encode. */
const draws = 4;

/** Fits a map behind each tower so that what was tampered with moves away and what belongs together stays together. */
export async function repair(request: RepairRequest): Promise<Repair> {
  const { dataset, evaluator, seed, signal } = request;
  if (evaluator.embedTexts === undefined || evaluator.embedImages === undefined)
    throw new CaptiousError('evaluator', `${evaluator.info.name} does not embed both pictures and texts.`, {
      at: evaluator.info.path,
      remedy: 'A repair is a map of embeddings: name a dual encoder.',
    });
  const { photos, leftOut } = await gatherPhotos(dataset, request.finder, signal);
  const { fittedOn, heldOut } = splitPhotos(photos, request.heldOut, seed, request.fitOn);
  if (fittedOn.length < 2)
    throw new CaptiousError('input', `There are ${fittedOn.length} photos to fit on, of ${photos.length}.`, {
      at: dataset.path,
      remedy: 'Give a larger dataset, say where its photos are with --images, or hold out less.',
    });
  const { lessons, failed } = await lessonsOf({ ...request, photos: fittedOn, draws });
  if (lessons.length < 2)
    throw new CaptiousError('evaluator', 'Fewer than two photos could be embedded with a caption.', {
      at: dataset.path,
      remedy: 'An audit of the same file tells what is wrong with each.',
    });
  const { heads, first, last } = await fit(lessons, request.fit, seed, request);
  return {
    maps: { text: mapOf(heads.text), image: mapOf(heads.image) },
    first,
    last,
    fittedOn,
    heldOut,
    leftOut,
    failed,
  };
}

function mapOf(head: LowRank): LinearMap {
  return { dimension: head.dimension, values: tableOf(head) };
}
