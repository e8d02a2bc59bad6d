import { blur, gaussian } from '../../../perturb/image/blur';
import type { Pixels } from '../../../perturb/image/pixels';
import { mirrored } from '../../../perturb/image/rotate';
import { areas, pixelKernel, slack } from './pixelKernel';

const { tables, large, small } = areas;
const double = 8;
/** Rows per step, few enough for the processor's cache. */
const rowsAtOnce = 64;

/** Blurs an image with vectors. The order of each sum is the same as in `blur`, so all bytes are equal. */
export function blurInVectors(pixels: Pixels, sigma: number): Pixels {
  const { width, height, data } = pixels;
  const kernel = gaussian(sigma);
  const radius = kernel.length - 1;
  const step = width * 3;
  const kernelBytes = kernel.length * double;
  const borders = radius * 3;
  const rowAt = Math.ceil((tables.start + kernelBytes + (step + 2 * borders) * double + slack) / 16) * 16;
  const atOnce = Math.min(
    rowsAtOnce,
    height,
    Math.floor((large.size - slack) / (step * double)) - 2 * radius,
    Math.floor((small.size - slack) / step),
  );
  if (rowAt + step + slack > tables.size || atOnce < 1) return blur(pixels, sigma);
  const { blur: sum, widen, bytes, doubles } = pixelKernel();
  doubles.set(kernel, tables.start / double);
  const line = (tables.start + kernelBytes) / double;
  const middle = line + borders;
  /** Writes the sums along row `y` of the image to line `to` of the large area. */
  const acrossRow = (y: number, to: number): void => {
    bytes.set(data.subarray(y * step, (y + 1) * step), rowAt);
    widen(rowAt, rowAt + step, middle * double);
    for (let x = 1; x <= radius; x++)
      for (let c = 0; c < 3; c++) {
        doubles[middle - 3 * x + c] = data[y * step + mirrored(-x, width) * 3 + c];
        doubles[middle + step + 3 * (x - 1) + c] = data[y * step + mirrored(width - 1 + x, width) * 3 + c];
      }
    const out = large.start + to * step * double;
    sum(middle * double, (middle + step) * double, 3 * double, tables.start, radius, out, 0);
  };
  const out = new Uint8Array(data.length);
  let known = 0;
  for (let y = 0; y < height; y += atOnce) {
    const rows = Math.min(atOnce, height - y);
    for (let i = known; i < rows + 2 * radius; i++) acrossRow(mirrored(y + i - radius, height), i);
    for (let row = 0; row < rows; row++) {
      const at = large.start + (row + radius) * step * double;
      const to = small.start + row * step;
      sum(at, at + step * double, step * double, tables.start, radius, to, 1);
    }
    out.set(bytes.subarray(small.start, small.start + rows * step), y * step);
    // The last lines of this step are the first lines of the next step.
    known = 2 * radius;
    const kept = large.start + rows * step * double;
    bytes.copyWithin(large.start, kept, kept + known * step * double);
  }
  return { width, height, data: out };
}
