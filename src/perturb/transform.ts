import { CaptiousError } from '../base/errors';
import { say } from '../base/say';
import { type Cell, hide, type HiddenFill, hideObject } from './image/hide';
import type { Mask } from './image/mask';
import { type Move, moveObject } from './image/move';
import { rotate } from './image/rotate';
import { type Pixels, rounded } from './image/pixels';
import { write } from './image/write';

/** The most pixels of a crop, equal to the limit for decoded images. */
const mostCropped = 100_000_000;

/** The second image of a change. The hash identifies its content, because the file may have been replaced. */
export interface MixedInImage {
  path: string;
  sha256: string;
}

/** A change to an image, as data for child processes, store keys and reports. */
export type Transform =
  | { op: 'hflip' }
  | { op: 'vflip' }
  /** Resizes both images to squares of `side` and blends them with the weights lambda and 1 − lambda. */
  | { op: 'mix'; other: MixedInImage; side: number; lambda: number }
  /**
   * Resizes both images to squares and pastes a box of the other image. The box has √(1 − lambda) of the
   * square's side, is centred at (x, y) and is clipped to the square.
   */
  | { op: 'patch'; other: MixedInImage; side: number; lambda: number; x: number; y: number }
  /** Hides one cell of a grid over the image. By default, the cell becomes black. */
  | ({ op: 'blank'; fill?: Exclude<HiddenFill, 'black'> } & Cell)
  /** Hides the pixels of an object. By default, they become black. */
  | { op: 'conceal'; fill?: Exclude<HiddenFill, 'black'>; mask: Mask }
  /** A box of the image. Pixels outside the image are black, as in Pillow. */
  | { op: 'crop'; x: number; y: number; width: number; height: number }
  | { op: 'rotate'; degrees: number }
  | { op: 'blur'; sigma: number }
  /** A strip with a text over the lower edge. */
  | { op: 'write'; text: string }
  | ({ op: 'move' } & Move);

/** Image operations that the caller provides. */
export interface Aids {
  /** Bicubic resizing. */
  resize: (pixels: Pixels, width: number, height: number) => Pixels;
  /** Gaussian blur. */
  blur: (pixels: Pixels, sigma: number) => Pixels;
  /** Reads another image and resizes it to a square. */
  square: (ref: MixedInImage, side: number) => Promise<Pixels>;
}

export async function applyTransforms(
  pixels: Pixels,
  transforms: readonly Transform[],
  aids: Aids,
): Promise<Pixels> {
  for (const transform of transforms) pixels = await applyTransform(pixels, transform, aids);
  return pixels;
}

async function applyTransform(pixels: Pixels, transform: Transform, aids: Aids): Promise<Pixels> {
  switch (transform.op) {
    case 'hflip':
      return remap(pixels, (x, y) => y * pixels.width + (pixels.width - 1 - x));
    case 'vflip':
      return remap(pixels, (x, y) => (pixels.height - 1 - y) * pixels.width + x);
    case 'mix':
    case 'patch': {
      const { side, lambda, other } = transform;
      const under = aids.resize(pixels, side, side);
      const over = await aids.square(other, side);
      return transform.op === 'mix' ? mix(under, over, lambda) : patch(under, over, transform);
    }
    case 'blank':
      return hide(pixels, transform, transform.fill ?? 'black', aids.blur);
    case 'conceal':
      return hideObject(pixels, transform.mask, transform.fill ?? 'black', aids.blur);
    case 'crop':
      return crop(pixels, transform);
    case 'rotate':
      return rotate(pixels, transform.degrees);
    case 'blur':
      return aids.blur(pixels, transform.sigma);
    case 'write':
      return write(pixels, transform.text);
    case 'move':
      return moveObject(pixels, transform);
  }
}

function mix({ width, height, data }: Pixels, other: Pixels, lambda: number): Pixels {
  const out = new Uint8Array(data.length);
  for (let i = 0; i < out.length; i++) out[i] = rounded(lambda * data[i] + (1 - lambda) * other.data[i]);
  return { width, height, data: out };
}

function patch(
  { width, height, data }: Pixels,
  other: Pixels,
  { lambda, x, y }: { lambda: number; x: number; y: number },
): Pixels {
  const out = new Uint8Array(data);
  const side = Math.sqrt(1 - lambda);
  const [half, tall] = [Math.floor(Math.floor(width * side) / 2), Math.floor(Math.floor(height * side) / 2)];
  const [left, right] = [Math.max(0, x - half), Math.min(width, x + half)];
  for (let row = Math.max(0, y - tall); row < Math.min(height, y + tall); row++) {
    const from = (row * width + left) * 3;
    out.set(other.data.subarray(from, from + Math.max(0, right - left) * 3), from);
  }
  return { width, height, data: out };
}

function crop(
  pixels: Pixels,
  { x, y, width, height }: { x: number; y: number; width: number; height: number },
): Pixels {
  const [left, top] = [halfToEven(x), halfToEven(y)];
  // Pillow rounds the coordinates of both corners instead of width and height.
  const [wide, high] = [halfToEven(x + width) - left, halfToEven(y + height) - top];
  if (wide < 1 || high < 1) throw new CaptiousError('input', say('perturb.cropBoxEmpty'));
  if (wide * high > mostCropped)
    throw new CaptiousError('input', say('perturb.cropBoxTooLarge', mostCropped));
  const data = new Uint8Array(wide * high * 3);
  const [from, to] = [Math.max(0, left), Math.min(pixels.width, left + wide)];
  for (let row = Math.max(0, top); to > from && row < Math.min(pixels.height, top + high); row++) {
    const at = (row * pixels.width + from) * 3;
    data.set(pixels.data.subarray(at, at + (to - from) * 3), ((row - top) * wide + (from - left)) * 3);
  }
  return { width: wide, height: high, data };
}

/** Rounds halves to even, as Python does. */
function halfToEven(value: number): number {
  const rounded = Math.round(value);
  return rounded - value === 0.5 && rounded % 2 !== 0 ? rounded - 1 : rounded;
}

/** Makes an image of the same size. For each new pixel, `source` returns the index of the pixel to copy. */
function remap({ width, height, data }: Pixels, source: (x: number, y: number) => number): Pixels {
  const out = new Uint8Array(data.length);
  let to = 0;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const from = source(x, y) * 3;
      out[to++] = data[from];
      out[to++] = data[from + 1];
      out[to++] = data[from + 2];
    }
  }
  return { width, height, data: out };
}
