import sharp, { type Sharp } from 'sharp';
import { applyTransforms } from '../../../perturb/transform';
import type { ThumbnailJob } from '../../../protocol/native';
import { aids } from './imageTools';
import { decode } from './decode';

/** More pixels than this are not decoded only to be made small. */
const pixelLimit = 100_000_000;

/**
 * A small JPEG of a picture, upright, no side longer than `side`; with transforms, be they none, decoded as for an
 * evaluator, so that what was changed and what was not look alike but for the change.
 */
export async function thumbnail({ source, side, transforms }: ThumbnailJob): Promise<Uint8Array> {
  if (transforms === undefined)
    return small(
      sharp('path' in source ? source.path : source.bytes, { limitInputPixels: pixelLimit }).rotate(),
      side,
    );
  const { width, height, data } = await applyTransforms(await decode(source), transforms, aids);
  return small(sharp(data, { raw: { width, height, channels: 3 } }), side);
}

async function small(picture: Sharp, side: number): Promise<Uint8Array> {
  const jpeg = await picture
    .resize(side, side, { fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#808080' })
    .jpeg({ quality: 82 })
    .toBuffer();
  // A Buffer would reach a webview as a list of numbers.
  return new Uint8Array(jpeg);
}
