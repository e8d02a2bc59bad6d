import sharp from 'sharp';
import { applyTransforms } from '../../../perturb/transform';
import type { Outcome } from '../../../base/outcome';
import type { JobContext } from '../jobContext';
import { decode, unreadable } from './decode';
import { aids } from './imageTools';
import type { SendableJob } from '../../../protocol/native';
import { resize } from './resample';

/** Transforms images and encodes them as PNG or JPEG. Images with a side longer than `side` are scaled down. */
export async function makeSendable(
  { images, side, format }: SendableJob,
  context: JobContext,
): Promise<Outcome<Uint8Array>[]> {
  const out: Outcome<Uint8Array>[] = [];
  for (const { source, transforms } of images) {
    await context.pause();
    try {
      const whole = await applyTransforms(await decode(source), transforms, aids);
      const shrink = Math.min(1, side / Math.max(whole.width, whole.height));
      const length = (full: number): number => Math.max(1, Math.round(full * shrink));
      const { width, height, data } =
        shrink < 1 ? resize(whole, length(whole.width), length(whole.height), 'bicubic') : whole;
      const raw = sharp(data, { raw: { width, height, channels: 3 } });
      // PNG is lossless, so encoding does not change the image.
      const file = format === 'png' ? raw.png({ compressionLevel: 6 }) : raw.jpeg({ quality: 95 });
      out.push({ ok: true, value: new Uint8Array(await file.toBuffer()) });
    } catch (error) {
      out.push(unreadable(source, error));
    }
    context.step();
  }
  return out;
}
