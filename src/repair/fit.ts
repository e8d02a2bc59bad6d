import { setImmediate as breathe } from 'node:timers/promises';
import { throwIfCancelled } from '../base/errors';
import { Random } from '../base/random';
import { type Heads, type Loss, lossOf, type LossOptions, type Quartet } from './loss';
import { identity, type LowRank } from './lowRank';

/** The embeddings of an image, its captions and their corruptions, scaled to length 1. */
export interface TrainingPair {
  image: Float64Array;
  /** One corruption of the image per draw; undefined if the image stayed unchanged or was not embedded. */
  corruptImages: readonly (Float64Array | undefined)[];
  captions: readonly { row: Float64Array; corrupt: readonly (Float64Array | undefined)[] }[];
}

export interface FitOptions extends LossOptions {
  rank: number;
  epochs: number;
  /** The maximum number of images in a batch. */
  batch: number;
  rate: number;
}

export interface Fitted {
  heads: Heads;
  /** The mean losses over the batches of the first epoch and of the last. */
  first: Omit<Loss, 'gradient'>;
  last: Omit<Loss, 'gradient'>;
}

export interface FitWatch {
  signal?: AbortSignal;
  onEpoch?: (epoch: number, of: number) => void;
}

/** Fits the maps. Each epoch uses every image once, with its next caption and its next corruption. */
export async function fit(
  trainingPairs: readonly TrainingPair[],
  options: FitOptions,
  seed: number,
  { signal, onEpoch }: FitWatch = {},
): Promise<Fitted> {
  const dimension = trainingPairs[0].image.length;
  const rank = Math.min(options.rank, dimension);
  const heads: Heads = {
    text: identity(dimension, rank, new Random(seed, 'repair.text')),
    image: identity(dimension, rank, new Random(seed, 'repair.image')),
  };
  const batches = Math.ceil(trainingPairs.length / options.batch);
  const steps = options.epochs * batches;
  const adams = [heads.text, heads.image].flatMap(({ up, down }) => [new Adam(up), new Adam(down)]);
  let first: Fitted['first'] | undefined;
  let last: Fitted['last'] | undefined;
  let step = 0;
  for (let epoch = 0; epoch < options.epochs; epoch++) {
    const order = new Random(seed, epoch, 'repair.order').shuffle([...trainingPairs.keys()]);
    const mean = { total: 0, contrastive: 0, semantic: 0, visual: 0 };
    for (let b = 0; b < batches; b++) {
      // A batch takes tens of milliseconds. The user can cancel between two batches.
      await breathe();
      throwIfCancelled(signal);
      const from = Math.floor((b * order.length) / batches);
      const to = Math.floor(((b + 1) * order.length) / batches);
      const batch = order.slice(from, to).map((i) => quartet(trainingPairs[i], epoch));
      const { gradient, ...losses } = lossOf(heads, batch, options);
      for (const key of ['total', 'contrastive', 'semantic', 'visual'] as const)
        mean[key] += losses[key] / batches;
      // The rate falls along half a cosine wave, so that the last steps converge.
      const rate = (options.rate * (1 + Math.cos((Math.PI * step) / steps))) / 2;
      step++;
      factors(gradient).forEach((slope, i) => adams[i].step(slope, rate));
    }
    first ??= mean;
    last = mean;
    onEpoch?.(epoch + 1, options.epochs);
  }
  return { heads, first: first!, last: last! };
}

function factors({ text, image }: Heads): Float64Array[] {
  return [text, image].flatMap(({ up, down }: LowRank) => [up, down]);
}

function quartet({ image, corruptImages, captions }: TrainingPair, epoch: number): Quartet {
  const round = Math.floor(epoch / captions.length);
  const { row, corrupt } = captions[epoch % captions.length];
  return {
    image,
    caption: row,
    corruptImage: corruptImages[epoch % corruptImages.length],
    corruptCaption: corrupt[round % corrupt.length],
  };
}

/** The Adam optimizer with the constants of its paper. */
class Adam {
  private readonly mean: Float64Array;
  private readonly square: Float64Array;
  private steps = 0;

  constructor(private readonly weights: Float64Array) {
    this.mean = new Float64Array(weights.length);
    this.square = new Float64Array(weights.length);
  }

  step(slope: Float64Array, rate: number): void {
    const [b1, b2] = [0.9, 0.999];
    this.steps++;
    const [c1, c2] = [1 - b1 ** this.steps, 1 - b2 ** this.steps];
    const { weights, mean, square } = this;
    for (let i = 0; i < weights.length; i++) {
      mean[i] = b1 * mean[i] + (1 - b1) * slope[i];
      square[i] = b2 * square[i] + (1 - b2) * slope[i] * slope[i];
      weights[i] -= (rate * (mean[i] / c1)) / (Math.sqrt(square[i] / c2) + 1e-8);
    }
  }
}
