import { evaluatorError, inputError } from '../base/errors';
import { say } from '../base/say';
import type { Bench } from '../bench/bench';
import type { Dataset } from '../dataset/dataset';
import type { ImageFinder } from '../dataset/images/images';
import { partlyField, type PartlyFound } from '../dataset/images/partlyFound';
import type { Evaluator } from '../evaluator/evaluator';
import type { LinearMap } from '../evaluator/linearMap';
import { type Choice, chooseShare, withShare } from './choose';
import { fit, type FitOptions, type Fitted } from './fit';
import { lessonsOf } from './trainingPairs';
import { type LowRank, tableOf } from './lowRank';
import { gatherImages, type Image, splitImages } from './images';

export const defaultFit: FitOptions = {
  rank: 32,
  epochs: 100,
  batch: 128,
  rate: 0.002,
  temperature: 0.05,
  semantic: 1,
  visual: 1,
  decay: 0.01,
};

/** How much a repair may lower the `clean` mean reciprocal rank of the training images. */
export const defaultCost = 0.01;

export interface RepairRequest {
  dataset: Dataset;
  finder: ImageFinder;
  evaluator: Evaluator;
  bench: Bench;
  seed: number;
  /** The share of images to hold out from the fit, among those that `fitOn` does not match. */
  heldOut: number;
  /** Images with this value in this column are always in the training part. */
  fitOn?: { column: string; value: string };
  fit: FitOptions;
  cost: number;
  signal: AbortSignal;
  /** Counts the epochs of all fits: up to five fits to choose the share, and the final fit. */
  onEpoch?: (epoch: number, of: number) => void;
}

export interface Repair extends Omit<Fitted, 'heads'>, Choice {
  maps: { text: LinearMap; image: LinearMap };
  fittedOn: Image[];
  heldOut: Image[];
  leftOut: Map<string, number>;
  /** The number of items that could not be embedded. */
  failed: number;
  /** The images that were found by less than the whole path of their names. */
  partly?: PartlyFound;
}

/** The maximum number of corruptions per item. More corruptions add variety, but take longer to encode. */
const draws = 4;

/** Fits a linear map for each tower. They separate corrupted items from originals, and keep true pairs. */
export async function repair(request: RepairRequest): Promise<Repair> {
  const { dataset, evaluator, seed, signal } = request;
  if (evaluator.embedTexts === undefined || evaluator.embedImages === undefined)
    throw evaluatorError(
      say('repair.needsDualEncoder', evaluator.info.name),
      say('evaluator.repairUseDualEncoder'),
      evaluator.info.path,
    );
  const { images, leftOut } = await gatherImages(dataset, request.finder, signal);
  const { fittedOn, heldOut } = splitImages(images, request.heldOut, seed, request.fitOn);
  if (fittedOn.length < 2)
    throw inputError(
      say('repair.tooFewImages', fittedOn.length, images.length),
      say('repair.useMoreImages'),
      dataset.path,
    );
  const { trainingPairs, failed } = await lessonsOf({ ...request, images: fittedOn, draws });
  if (trainingPairs.length < 2)
    throw evaluatorError(
      say('repair.tooFewEmbeddedImages', trainingPairs.length),
      say('repair.auditForReasons'),
      dataset.path,
    );
  const { epochs } = request.fit;
  let all = 0;
  const choice = await chooseShare(trainingPairs, request.fit, request.cost, seed, {
    signal,
    onEpoch: (epoch, of) => {
      all = of + epochs;
      request.onEpoch?.(epoch, all);
    },
  });
  const { heads, first, last } = await fit(trainingPairs, request.fit, seed, {
    signal,
    onEpoch: (epoch) => request.onEpoch?.(all - epochs + epoch, all),
  });
  const kept = withShare(heads, choice.chosen.share);
  return {
    ...choice,
    maps: { text: mapOf(kept.text), image: mapOf(kept.image) },
    first,
    last,
    fittedOn,
    heldOut,
    leftOut,
    ...partlyField(request.finder.partly),
    failed,
  };
}

function mapOf(head: LowRank): LinearMap {
  return { dimension: head.dimension, values: tableOf(head) };
}
