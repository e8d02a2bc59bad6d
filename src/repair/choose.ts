import { Random } from '../base/random';
import { fit, type FitOptions, type FitWatch, type TrainingPair } from './fit';
import type { Heads } from './loss';
import { weakened } from './lowRank';
import { type Found, recall } from './recall';

/** The mean reciprocal ranks after applying this share of the correction. The fit did not use the tested images. */
export interface Trial extends Found {
  share: number;
}

export interface Choice {
  /** The trials, from no correction to the whole correction. */
  trials: Trial[];
  chosen: Trial;
}

const folds = 5;
const shares = [0, 0.1, 0.2, 0.35, 0.5, 0.7, 1] as const;

/**
 * Tests shares of the correction by cross-validation with at most five folds. Chooses the share (perhaps zero)
 * with the highest `stressed` value. The share may lower the `clean` value by at most `cost`.
 */
export async function chooseShare(
  trainingPairs: readonly TrainingPair[],
  options: FitOptions,
  cost: number,
  seed: number,
  { signal, onEpoch }: FitWatch = {},
): Promise<Choice> {
  const order = new Random(seed, 'repair.folds').shuffle([...trainingPairs.keys()]);
  const count = Math.min(folds, trainingPairs.length);
  const trials: Trial[] = shares.map((share) => ({ share, clean: 0, stressed: 0 }));
  for (let fold = 0; fold < count; fold++) {
    const out = new Set(order.filter((_, i) => i % count === fold));
    const apart = trainingPairs.filter((_, i) => out.has(i));
    const rest = trainingPairs.filter((_, i) => !out.has(i));
    const { heads } = await fit(rest, options, seed, {
      signal,
      onEpoch: (epoch, of) => onEpoch?.(fold * of + epoch, count * of),
    });
    for (const trial of trials) {
      const { clean, stressed } = recall(apart, withShare(heads, trial.share));
      trial.clean += (clean * apart.length) / trainingPairs.length;
      trial.stressed += (stressed * apart.length) / trainingPairs.length;
    }
  }
  const [asIs] = trials;
  const chosen = trials
    .filter(({ clean }) => clean >= asIs.clean - cost)
    .reduce((best, trial) => (trial.stressed > best.stressed ? trial : best), asIs);
  return { trials, chosen };
}

export function withShare({ text, image }: Heads, share: number): Heads {
  return { text: weakened(text, share), image: weakened(image, share) };
}
