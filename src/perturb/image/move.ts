import { Reason } from '../../base/errors';
import { say } from '../../base/say';
import type { Pixels } from './pixels';
import { dilated, nearestSet } from './distance';
import { type Fill, fillHole } from './fill';
import { areaOf, bitmapOf, type Bitmap, type Mask, shifted } from './mask';
import { shadeOf, surroundingsOf } from './surroundings';

export interface Move {
  mask: Mask;
  dx: number;
  dy: number;
  fill: Fill;
  /** The width in pixels of the ramp from transparent to opaque inside the object's edge; 0 gives a hard edge. */
  feather: number;
  /** If `surroundingsOf` or `shadeOf` exceeds this value, patches are not made, and callers leave out the moved image. */
  plain?: number;
}

/** The margin of a hole in pixels, which removes the object's halo. Hand-drawn outlines are slightly too small. */
const halo = 3;

/** The margin for patches, which also cover the shadow: a share of the object's size, limited in pixels. */
const shadow = { share: 0.04, least: 4, most: 12 };

/** The area to fill after the object was cut out. */
export function holeOf(object: Bitmap, fill: Fill): Bitmap {
  if (fill === 'none') return object;
  if (fill !== 'patches') return dilated(object, halo);
  const wide = Math.round(shadow.share * Math.sqrt(areaOf(object)));
  const radius = Math.max(shadow.least, Math.min(shadow.most, wide));
  const around = dilated(object, radius);
  const below = shifted(around, 0, radius).data;
  return { ...around, data: around.data.map((value, i) => value | below[i]) };
}

/** Cuts out the object, fills the hole, and pastes the object elsewhere at the same size. */
export function moveObject(pixels: Pixels, { mask, dx, dy, fill, feather, plain }: Move): Pixels {
  const { width, height } = pixels;
  if (mask.width !== width || mask.height !== height)
    throw new Reason(say('perturb.maskOfOtherSize', mask.width, mask.height, width, height));
  const object = bitmapOf(mask);
  const hole = holeOf(object, fill);
  // Patches take seconds, and an image that is left out does not need them.
  const isLeftOut =
    fill === 'patches' &&
    plain !== undefined &&
    Math.max(surroundingsOf(pixels, hole) ?? 0, shadeOf(pixels, hole) ?? 0) > plain;
  const background = fillHole(pixels, hole, isLeftOut ? 'blur' : fill);
  const alpha = opacity(mask, feather);
  const { data } = background;
  for (let y = Math.max(0, -dy); y < Math.min(height, height - dy); y++) {
    for (let x = Math.max(0, -dx); x < Math.min(width, width - dx); x++) {
      const from = y * width + x;
      if (object.data[from] === 0) continue;
      const to = ((y + dy) * width + x + dx) * 3;
      const share = alpha[from];
      for (let c = 0; c < 3; c++) {
        data[to + c] = Math.round(share * pixels.data[from * 3 + c] + (1 - share) * data[to + c]);
      }
    }
  }
  return background;
}

/** Opacity is 1 inside the object and falls to 0 over the ramp. An edge at the image's border has no ramp. */
function opacity(mask: Mask, feather: number): Float64Array {
  const { width, height, data } = bitmapOf(mask);
  if (feather === 0) return Float64Array.from(data);
  const { squared } = nearestSet({ width, height, data: data.map((value) => 1 - value) });
  return squared.map((value) => Math.min(1, Math.sqrt(value) / (feather + 1)));
}
