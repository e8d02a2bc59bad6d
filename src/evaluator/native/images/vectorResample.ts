/** Resamples images with vectors, and gives the same bytes as the passes in JavaScript. */
import type { Pixels } from '../../../perturb/image/pixels';
import { areas, pixelKernel, slack } from './pixelKernel';

/** The weights for resampling the width or the height of an image. */
export interface Table {
  /** For each output pixel, the index of its first source pixel. `count` has the numbers of source pixels. */
  first: Int32Array;
  count: Int32Array;
  /** `stride` weights for each output pixel. */
  weights: Int32Array;
  stride: number;
  /** The number of fractional bits of each weight. */
  bits: number;
}

const { tables, large, small } = areas;
const taps = 4;
/** A weight is low + high · 2^lowBits. Both parts fit into signed 16-bit integers. */
const lowBits = 15;
const lowMask = (1 << lowBits) - 1;

/**
 * Resizes the width of the rows from `from` up to, but excluding, `to`. Computes `width` columns, starting at
 * column `left`. Returns false if the image is too large for the kernel.
 */
export function acrossInVectors(
  { width: fromWidth, data }: Pixels,
  table: Table,
  { left, width, from, to }: { left: number; width: number; from: number; to: number },
  out: Uint8Array,
): boolean {
  const step = fromWidth * 3;
  const line = width * 3;
  const groups = Math.ceil(table.stride / taps);
  const weightsAt = tables.start + width * 8;
  const atOnce = Math.floor(Math.min((large.size - slack) / step, (small.size - slack) / line));
  if (width * 8 + width * groups * 16 > tables.size || atOnce < 1) return false;
  const { across, bytes, words, halves } = pixelKernel();
  for (let x = 0; x < width; x++) {
    const count = table.count[left + x];
    words[(tables.start >> 2) + 2 * x] = table.first[left + x] * 3;
    words[(tables.start >> 2) + 2 * x + 1] = Math.max(1, Math.ceil(count / taps));
    const at = (weightsAt >> 1) + x * groups * 8;
    for (let i = 0; i < groups * taps; i++) {
      const weight = i < count ? table.weights[(left + x) * table.stride + i] : 0;
      const place = at + (i >> 2) * 8 + (i & 3);
      halves[place] = weight & lowMask;
      halves[place + taps] = weight >> lowBits;
    }
  }
  for (let y = from; y < to; y += atOnce) {
    const rows = Math.min(atOnce, to - y);
    bytes.set(data.subarray(y * step, (y + rows) * step), large.start);
    across(
      large.start,
      large.start + rows * step,
      step,
      small.start,
      width,
      tables.start,
      weightsAt,
      groups * 16,
      table.bits,
    );
    out.set(bytes.subarray(small.start, small.start + rows * line), y * line);
  }
  return true;
}

/** Resizes the height: fills `out` from row `top` on. Returns false if the kernel cannot take the image. */
export function downInVectors(
  { width, height: fromHeight, data }: Pixels,
  { first, count, weights, stride, bits }: Table,
  top: number,
  out: Uint8Array,
): boolean {
  const step = width * 3;
  const height = out.length / step;
  const pairs = Math.ceil(stride / 2);
  // Leaves space for one more row with weight 0, because the kernel adds rows in pairs.
  const most = Math.floor((large.size - slack) / step) - 1;
  const atOnce = Math.floor((small.size - slack) / step);
  if (height * pairs * 8 > tables.size || most < stride || atOnce < 1) return false;
  const { down, bytes, halves } = pixelKernel();
  for (let y = 0; y < height; y++) {
    const at = (tables.start >> 1) + y * pairs * 4;
    for (let i = 0; i < pairs * 2; i++) {
      const weight = i < count[top + y] ? weights[(top + y) * stride + i] : 0;
      const place = at + (i >> 1) * 4 + (i & 1);
      halves[place] = weight & lowMask;
      halves[place + 2] = weight >> lowBits;
    }
  }
  const endOf = (y: number): number => first[top + y] + count[top + y];
  for (let y = 0; y < height;) {
    const start = first[top + y];
    let to = y + 1;
    while (to < height && to - y < atOnce && endOf(to) - start <= most) to++;
    const end = Math.min(fromHeight, endOf(to - 1));
    bytes.set(data.subarray(start * step, end * step), large.start);
    for (let row = y; row < to; row++)
      down(
        large.start + (first[top + row] - start) * step,
        step,
        small.start + (row - y) * step,
        Math.max(1, Math.ceil(count[top + row] / 2)),
        tables.start + row * pairs * 8,
        bits,
      );
    out.set(bytes.subarray(small.start, small.start + (to - y) * step), y * step);
    y = to;
  }
  return true;
}
