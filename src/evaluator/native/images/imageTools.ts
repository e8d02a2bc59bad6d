import type { Aids } from '../../../perturb/transform';
import { decode, whyUnreadable } from './decode';
import { resize } from './resample';

export const aids: Aids = {
  resize: (pixels, width, height) => resize(pixels, width, height, 'bicubic'),
  picture: async ({ path }) => {
    try {
      return await decode({ name: path, path });
    } catch (error) {
      throw new Error(`the image to mix in, ${path}: ${whyUnreadable(error)}`, { cause: error });
    }
  },
};
