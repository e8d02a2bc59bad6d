/* The rules for the intervals of all probes: how they are made, and how many images they need. */
import { say } from '../../base/say';
import type { Steps } from '../../base/turns/steps';
import { type BcaInterval, bcaInterval, type BootstrapInput } from '../../stats/bootstrap';
import { leastClusters } from '../../stats/decisions/smallSample';
import { type NotDefined, notDefined, type Outcome } from '../../stats/outcome';

/** The seed for the resampling of all intervals. It is independent of the seed of the perturbations. */
export const intervalSeed = 2025;

/** The BCa interval over images. Not defined for too few images. */
export function* imageInterval(input: BootstrapInput): Steps<Outcome<BcaInterval>> {
  const rows = 'rows' in input ? input.rows : input.values.length;
  const images = input.clusters === undefined ? rows : new Set(Array.from(input.clusters)).size;
  return tooFewImages(images) ?? (yield* bcaInterval({ seed: intervalSeed, ...input }));
}

/** Why there is no interval for so few images; undefined if there are enough. */
export function tooFewImages(images: number): NotDefined | undefined {
  if (images === 0 || images >= leastClusters) return undefined;
  return notDefined(
    images === 1 ? say('inference.oneCluster') : say('inference.tooFewClusters', images, leastClusters),
  );
}
