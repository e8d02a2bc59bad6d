import { say } from '../../../base/say';
import { basename } from 'node:path';
import type { Aids } from '../../../perturb/transform';
import type { Pixels } from '../../../perturb/image/pixels';
import type { Decoding } from '../../../protocol/imageSpec';
import type { ImageItem } from '../../../protocol/item';
import { MixedInProblem, whyUnreadable } from './decode';
import { decoded, squareOf } from './decoded';
import { resize } from './resample';
import { blurInVectors } from './vectorBlur';

export const aids: Aids = {
  resize: (pixels, width, height) => resize(pixels, width, height, 'bicubic'),
  blur: blurInVectors,
  square: async ({ path }, side) => {
    try {
      return await squareOf({ name: path, path }, side);
    } catch (error) {
      throw new MixedInProblem(say('native.imageToMixIn', basename(path), whyUnreadable(error)), {
        cause: error,
      });
    }
  },
};

/** The pixels of an image before its transforms. They are a square if the first transform needs a square. */
export function startOf({ source, transforms: [first] }: ImageItem, how?: Decoding): Promise<Pixels> {
  return first?.op === 'mix' || first?.op === 'patch' ? squareOf(source, first.side) : decoded(source, how);
}
