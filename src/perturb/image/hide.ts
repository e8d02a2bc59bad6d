import { Reason } from '../../base/errors';
import { say } from '../../base/say';
import { type Bitmap, bitmapOf, type Box, boxOf, emptyBitmap, type Mask } from './mask';
import type { Pixels } from './pixels';

/** What replaces a hidden region: one colour, the mean colour of the image, or the region blurred. */
export const hiddenFills = ['black', 'grey', 'mean', 'blur'] as const;
export type HiddenFill = (typeof hiddenFills)[number];

export interface Cell {
  columns: number;
  rows: number;
  column: number;
  row: number;
}

const grey = 128;
/** The blur's sigma as a share of the image's shorter side, and its limits in pixels. */
const blurShare = 1 / 16;
const [leastBlur, mostBlur] = [2, 64];

/** The image with one cell of a grid hidden. */
export function hide(
  pixels: Pixels,
  cell: Cell,
  fill: HiddenFill,
  blur: (pixels: Pixels, sigma: number) => Pixels,
): Pixels {
  const { width, height } = pixels;
  const edge = (size: number, at: number, of: number): number => Math.round((size * at) / of);
  const [left, right] = [edge(width, cell.column, cell.columns), edge(width, cell.column + 1, cell.columns)];
  const [top, bottom] = [edge(height, cell.row, cell.rows), edge(height, cell.row + 1, cell.rows)];
  const edges = { left, right, top, bottom };
  return covered(pixels, edges, covering(pixels, edges, fill, blur));
}

/** The most that the proportions of a mask may differ from those of its image. */
const mostSkew = 0.02;

/** The image with one object hidden. The mask may be of the image in another size. */
export function hideObject(
  pixels: Pixels,
  mask: Mask,
  fill: HiddenFill,
  blur: (pixels: Pixels, sigma: number) => Pixels,
): Pixels {
  const { width, height } = pixels;
  if (Math.abs((mask.width * height) / (mask.height * width) - 1) > mostSkew)
    throw new Reason(say('perturb.maskOfOtherSize', mask.width, mask.height, width, height));
  const object = inSize(bitmapOf(mask), width, height);
  const box = boxOf(object);
  if (box === undefined) return pixels;
  const over = covering(pixels, box, fill, blur);
  return covered(pixels, box, over, (x, y) => object.data[y * width + x] === 1);
}

function inSize(bitmap: Bitmap, width: number, height: number): Bitmap {
  if (bitmap.width === width && bitmap.height === height) return bitmap;
  const out = emptyBitmap(width, height);
  for (let y = 0; y < height; y++) {
    const from = Math.floor(((y + 0.5) * bitmap.height) / height) * bitmap.width;
    for (let x = 0; x < width; x++)
      out.data[y * width + x] = bitmap.data[from + Math.floor(((x + 0.5) * bitmap.width) / width)];
  }
  return out;
}

function covered(
  { width, height, data }: Pixels,
  { left, right, top, bottom }: Box,
  over: (x: number, y: number) => readonly number[] | Uint8Array,
  isInside?: (x: number, y: number) => boolean,
): Pixels {
  // A Buffer, as decoding returns, has a slice() that does not copy.
  const out = new Uint8Array(data);
  for (let y = top; y < bottom; y++)
    for (let x = left; x < right; x++)
      if (isInside?.(x, y) !== false) out.set(over(x, y), (y * width + x) * 3);
  return { width, height, data: out };
}

/** The colour that replaces each pixel of the cell. */
function covering(
  pixels: Pixels,
  cell: Box,
  fill: HiddenFill,
  blur: (pixels: Pixels, sigma: number) => Pixels,
): (x: number, y: number) => readonly number[] | Uint8Array {
  if (fill !== 'blur') {
    const colour =
      fill === 'mean' ? meanColour(pixels) : new Array<number>(3).fill(fill === 'grey' ? grey : 0);
    return () => colour;
  }
  const { width, height, data } = pixels;
  const sigma = Math.min(mostBlur, Math.max(leastBlur, Math.round(Math.min(width, height) * blurShare)));
  // A blur reaches four sigma, so only the cell's surroundings are blurred.
  const reach = Math.ceil(4 * sigma) + 1;
  const [x0, y0] = [Math.max(0, cell.left - reach), Math.max(0, cell.top - reach)];
  const [x1, y1] = [Math.min(width, cell.right + reach), Math.min(height, cell.bottom + reach)];
  const part = { width: x1 - x0, height: y1 - y0, data: new Uint8Array((x1 - x0) * (y1 - y0) * 3) };
  for (let y = y0; y < y1; y++)
    part.data.set(data.subarray((y * width + x0) * 3, (y * width + x1) * 3), (y - y0) * part.width * 3);
  const blurred = blur(part, sigma);
  return (x, y) => {
    const at = ((y - y0) * part.width + (x - x0)) * 3;
    return blurred.data.subarray(at, at + 3);
  };
}

function meanColour({ data }: Pixels): number[] {
  const sums = [0, 0, 0];
  for (let at = 0; at < data.length; at++) sums[at % 3] += data[at];
  return sums.map((total) => Math.round(total / (data.length / 3)));
}
