import { type Said, say } from '../base/say';
import type { Example } from '../dataset/example';

/** Set if an example names images, none of which was found. */
export function isUnfound({ images }: Pick<Example, 'images'>): true | undefined {
  return images.length === 0 ? undefined : true;
}

/** Why an example has no usable image: it names no image, or the file was not found. */
export function missingImage({ images }: Pick<Example, 'images'>): Said {
  return images.length === 0 ? say('probe.noImage') : say('probe.imageNotFound');
}
