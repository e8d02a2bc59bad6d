import sharp, { type Sharp } from 'sharp';
import { applyTransforms } from '../../../perturb/transform';
import type { ThumbnailJob } from '../../../protocol/native';
import { aids } from './imageTools';
import { decode, inputOf } from './decode';

/** Images with more pixels have no thumbnail. */
const pixelLimit = 100_000_000;

/**
 * Makes a small upright JPEG. If `transforms` is set, even to an empty list, the image is decoded as for an
 * evaluator. The thumbnails of an original and its variant then differ only by the transforms.
 */
export async function thumbnail({ source, side, transforms }: ThumbnailJob): Promise<Uint8Array> {
  if (transforms === undefined)
    return small(sharp(await inputOf(source), { limitInputPixels: pixelLimit }).rotate(), side);
  const { width, height, data } = await applyTransforms(await decode(source), transforms, aids);
  return small(sharp(data, { raw: { width, height, channels: 3 } }), side);
}

async function small(image: Sharp, side: number): Promise<Uint8Array> {
  const jpeg = await image
    .resize(side, side, { fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#808080' })
    .jpeg({ quality: 82 })
    .toBuffer();
  // A webview would receive a Buffer as a list of numbers.
  return new Uint8Array(jpeg);
}
