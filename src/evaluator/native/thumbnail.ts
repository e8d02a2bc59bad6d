import sharp from 'sharp';
import type { ImageSource } from '../item';

/** More pixels than this are not decoded only to be made small. */
const pixelLimit = 100_000_000;

/** A small JPEG of a picture, upright, no side longer than `side`. */
export async function thumbnail(source: ImageSource, side: number): Promise<Uint8Array> {
  const picture = sharp('path' in source ? source.path : source.bytes, { limitInputPixels: pixelLimit });
  const jpeg = await picture
    .rotate()
    .resize(side, side, { fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#808080' })
    .jpeg({ quality: 82 })
    .toBuffer();
  // A Buffer would reach a webview as a list of numbers.
  return new Uint8Array(jpeg);
}
