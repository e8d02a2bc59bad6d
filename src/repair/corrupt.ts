import type { Random } from '../base/random';
import type { ImageItem } from '../protocol/item';
import type { PictureRef } from '../perturb/transform';
import { anyWords } from '../perturb/words/replace';

/** RoCOCO's p (the probability that a word is changed) and q (that a changed word is replaced, not deleted). */
const touched = 0.3;
const replaced = 0.5;
/** The probability of corrupting an image. */
const pictured = 0.5;
/** The possible shares of the original image in an altered image. */
const lambdas = [0.9, 0.8, 0.7, 0.6];
/** The size of altered images in RoCOCO's paper. */
const side = 384;

/** The caption with random changes. Undefined if no word was changed or every word was deleted. */
export function corruptCaption(text: string, random: Random): string | undefined {
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
export function corruptPicture(
  photo: ImageItem,
  pool: readonly PictureRef[],
  random: Random,
): ImageItem | undefined {
  if (random.uniform() >= pictured) return undefined;
  const path = 'path' in photo.source ? photo.source.path : undefined;
  const others = pool.filter((ref) => ref.path !== path);
  if (others.length === 0) return undefined;
  const shared = { other: random.pick(others), side, lambda: random.pick(lambdas) };
  const mixed = random.below(2) === 0;
  const box = { x: random.below(side), y: random.below(side) };
  return {
    ...photo,
    transforms: [...photo.transforms, mixed ? { op: 'mix', ...shared } : { op: 'patch', ...shared, ...box }],
  };
}
