import { isMainThread } from 'node:worker_threads';
import sharp, { type Sharp } from 'sharp';
import { archived, readArchived } from '../../../base/files/archived';
import { english } from '../../../base/english';
import { Reason, wordsOf } from '../../../base/errors';
import type { Failure } from '../../../base/outcome';
import { say, type Words } from '../../../base/say';
import type { Pixels } from '../../../perturb/image/pixels';
import type { Decoding } from '../../../protocol/imageSpec';
import type { ImageSource } from '../../../protocol/item';

// Several images are decoded at once, so libvips uses one thread for each image. The cache of libvips is off,
// because it does not notice replaced files.
sharp.concurrency(1);
sharp.cache(false);

// Allows only some image formats. The list applies to the whole process. If another thread set it again, the images
// of all threads would be blocked for a moment.
if (isMainThread) {
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({
    operation: [
      'VipsForeignLoadJpeg',
      'VipsForeignLoadPng',
      'VipsForeignLoadWebp',
      'VipsForeignLoadNsgif',
      'VipsForeignLoadTiff',
      'VipsForeignLoadHeif',
    ],
  });
}

/** The most pixels in an image. They take 300 MB. A malicious file of a few bytes can declare more. */
const mostPixels = 100_000_000;

/**
 * Decodes the first frame of an image and applies its EXIF orientation. Drops transparency and ignores colour
 * profiles, as Pillow's convert('RGB') does.
 */
export async function decode(source: ImageSource, { exif, behind }: Decoding = {}): Promise<Pixels> {
  const input = await inputOf(source);
  const image = sharp(input, {
    limitInputPixels: mostPixels,
    failOn: 'error',
    ignoreIcc: true,
    sequentialRead: true,
  });
  const inks = (await image.metadata()).space === 'cmyk';
  const opaque = (): Sharp =>
    behind === undefined ? image.removeAlpha() : image.flatten({ background: behind });
  const coloured = inks
    ? image.toColourspace('cmyk').pipelineColourspace('cmyk')
    : opaque().toColourspace('srgb');
  const { data, info } = await (exif === 'ignored' ? coloured : coloured.autoOrient())
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  if (inks && channels === 4) return { width, height, data: fromInks(data) };
  if (channels === 3) return { width, height, data };
  if (channels !== 1) throw new Reason(say('native.channels', channels));
  const spread = new Uint8Array(width * height * 3);
  for (let i = 0; i < data.length; i++) spread.fill(data[i], i * 3, i * 3 + 3);
  return { width, height, data: spread };
}

/** What sharp reads: a file's path, or bytes. */
export async function inputOf(source: ImageSource): Promise<string | Buffer> {
  if ('bytes' in source) return Buffer.from(source.bytes);
  const place = archived(source.path);
  return place === undefined ? source.path : readArchived(place);
}

/** Converts CMYK like Pillow, in integers: black reduces all channels, and each other ink reduces one channel. */
function fromInks(data: Uint8Array): Uint8Array {
  const out = new Uint8Array((data.length / 4) * 3);
  for (let from = 0, to = 0; from < data.length; from += 4) {
    const light = 255 - data[from + 3];
    for (let ink = 0; ink < 3; ink++) {
      const product = data[from + ink] * light + 128;
      out[to++] = Math.max(0, light - (((product >> 8) + product) >> 8));
    }
  }
  return out;
}

/** Thrown if the image to mix in cannot be decoded. It names this image and the reason. */
export class MixedInProblem extends Reason {}

/** The outcome of an image that could not be read or changed. */
export function unreadable({ name }: Pick<ImageSource, 'name'>, error: unknown): Failure {
  return { ok: false, problem: say('base.labelledPart', name, whyUnreadable(error)), unreadable: true };
}

/** Why an image could not be decoded. Callers put the image's name and a colon before the text. */
export function whyUnreadable(error: unknown): Words {
  if (error instanceof MixedInProblem) return error.what;
  // sharp gives the reason only as text. Nothing else reads this text.
  const words = wordsOf(error);
  const message = english(words).split('\n')[0];
  if (/missing|ENOENT/i.test(message)) return say('native.noSuchFile');
  if (/pixel limit/i.test(message)) return say('native.tooManyPixels', mostPixels / 1e6);
  if (/unsupported image format|blocked/i.test(message)) return say('native.notAnImage');
  return say('native.notDecoded', typeof words === 'string' ? message : words);
}
