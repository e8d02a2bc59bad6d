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
  const { width, height, data } = pixels;
  // A Buffer, as decoding returns, has a slice() that does not copy.
  const out = new Uint8Array(data);
  const edge = (size: number, at: number, of: number): number => Math.round((size * at) / of);
  const [left, right] = [edge(width, cell.column, cell.columns), edge(width, cell.column + 1, cell.columns)];
  const [top, bottom] = [edge(height, cell.row, cell.rows), edge(height, cell.row + 1, cell.rows)];
  const over = covering(pixels, { left, right, top, bottom }, fill, blur);
  for (let y = top; y < bottom; y++)
    for (let x = left; x < right; x++) {
      const at = (y * width + x) * 3;
      out.set(over(x, y), at);
    }
  return { width, height, data: out };
}

interface Edges {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** The colour that replaces each pixel of the cell. */
function covering(
  pixels: Pixels,
  cell: Edges,
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
