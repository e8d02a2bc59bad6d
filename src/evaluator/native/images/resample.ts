import type { Pixels } from '../../../perturb/image/pixels';
import type { ResampleFilter, Resizing } from '../../../protocol/imageSpec';
import { acrossInVectors, downInVectors, type Table } from './vectorResample';

/**
 * Resizes an image exactly like Pillow's Image.resize, or like torchvision on uint8 tensors. Except for `nearest`,
 * width and height change in separate passes, with antialiasing, fixed-point weights and 8-bit rounding.
 */
export function resize(
  pixels: Pixels,
  width: number,
  height: number,
  filter: ResampleFilter,
  by: Resizing = 'pillow',
): Pixels {
  if (filter === 'nearest') return pickNearest(pixels, width, height);
  const across = (from: Pixels): Pixels =>
    width === from.width ? from : acrossRows(from, tableFor(from.width, width, filter, by), 0, width);
  const down = (from: Pixels): Pixels =>
    height === from.height ? from : downColumns(from, tableFor(from.height, height, filter, by), 0, height);
  return by === 'pillow' && columnsFirst(pixels, width, height) ? across(down(pixels)) : down(across(pixels));
}

export interface Part {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** Computes only one part of the image that `resize` would return. */
export function resizePart(
  pixels: Pixels,
  { width, height }: { width: number; height: number },
  part: Part,
  filter: SmoothFilter,
  by: Resizing = 'pillow',
): Pixels {
  if (width === pixels.width || height === pixels.height) throw new Error('One side keeps its size.');
  const columns = tableFor(pixels.width, width, filter, by);
  const rows = tableFor(pixels.height, height, filter, by);
  if (by === 'pillow' && columnsFirst(pixels, width, height))
    return acrossRows(downColumns(pixels, rows, part.top, part.height), columns, part.left, part.width);
  const last = part.top + part.height - 1;
  const needed = { from: rows.first[part.top], to: rows.first[last] + rows.count[last] };
  return downColumns(acrossRows(pixels, columns, part.left, part.width, needed), rows, part.top, part.height);
}

/**
 * The order of the passes affects rounding. Pillow 13 begins with columns if the height shrinks by more than twice as
 * many pixels as the width. Earlier versions always begin with rows.
 */
function columnsFirst(from: Pixels, width: number, height: number): boolean {
  return height < from.height && from.height - height > 2 * (from.width - width);
}

const pillowBits = 22;

/** Caches tables, because they are small and a dataset has few image sizes. */
const tables = new Map<string, Table>();
const tablesKept = 256;

export function tableFor(from: number, to: number, filter: SmoothFilter, by: Resizing): Table {
  const key = `${from} ${to} ${filter} ${by}`;
  let table = tables.get(key);
  if (table === undefined) {
    table = makeTable(from, to, filter, by);
    if (tables.size >= tablesKept) tables.delete(tables.keys().next().value!);
    tables.set(key, table);
  }
  return table;
}

/** The pixels outside the image that a kernel reaches. */
function overBorder(centre: number, support: number, length: number): number[] {
  const [from, to] = [Math.floor(centre - support + 0.5), Math.floor(centre + support + 0.5)];
  return Array.from({ length: to - from }, (_, i) => from + i).filter((at) => at < 0 || at >= length);
}

function makeTable(from: number, to: number, filter: SmoothFilter, by: Resizing): Table {
  const { support, weight } = by === 'aliased' && filter === 'bicubic' ? sharpBicubic : filters[filter];
  const scale = from / to;
  const stretch = by === 'aliased' ? 1 : Math.max(1, scale);
  const reach = support * stretch;
  const stride = Math.ceil(reach) * 2 + 1;
  const table: Table = {
    first: new Int32Array(to),
    count: new Int32Array(to),
    weights: new Int32Array(to * stride),
    stride,
    bits: pillowBits,
  };
  const exact = new Float64Array(to * stride);
  let largest = 0;
  for (let at = 0; at < to; at++) {
    const centre = (at + 0.5) * scale;
    const first = Math.max(0, Math.trunc(centre - reach + 0.5));
    const count = Math.min(from, Math.trunc(centre + reach + 0.5)) - first;
    let sum = 0;
    for (let i = 0; i < count; i++) {
      sum += exact[at * stride + i] = weight((i + first - centre + 0.5) * (1 / stretch));
    }
    // OpenCV and torch repeat the border where a kernel without antialiasing reaches over it.
    if (by === 'aliased')
      for (const step of overBorder(centre, support, from)) {
        const own = weight(step - centre + 0.5);
        sum += own;
        exact[at * stride + (step < 0 ? 0 : count - 1)] += own;
      }
    for (let i = at * stride; i < at * stride + count; i++) {
      if (sum !== 0) exact[i] /= sum;
      largest = Math.max(largest, exact[i]);
    }
    table.first[at] = first;
    table.count[at] = count;
  }
  if (by === 'torchvision') table.bits = bitsFor(largest);
  exact.forEach((value, i) => {
    const fixed = value * (1 << table.bits);
    table.weights[i] = Math.trunc(fixed < 0 ? fixed - 0.5 : fixed + 0.5);
  });
  return table;
}

/** The most fractional bits with which the largest weight fits into a signed 16-bit integer. */
function bitsFor(largest: number): number {
  let bits = 0;
  while (bits < pillowBits && Math.trunc(0.5 + largest * (1 << (bits + 1))) < 1 << 15) bits++;
  return bits;
}

/** Resizes the width of the `needed` rows. Computes `width` columns, starting at column `left`. */
function acrossRows(
  pixels: Pixels,
  table: Table,
  left: number,
  width: number,
  needed = { from: 0, to: pixels.height },
): Pixels {
  const { height } = pixels;
  const out = new Uint8Array(width * height * 3);
  if (!acrossInVectors(pixels, table, { left, width, ...needed }, out))
    acrossRowByRow(pixels, table, left, width, needed, out);
  return { width, height, data: out };
}

/** The pass along rows in JavaScript, for images too large for the kernel. */
export function acrossRowByRow(
  { width: from, data }: Pixels,
  { first, count, weights, stride, bits }: Table,
  left: number,
  width: number,
  needed: { from: number; to: number },
  out: Uint8Array,
): void {
  const half = 1 << (bits - 1);
  let to = needed.from * width * 3;
  for (let y = needed.from; y < needed.to; y++) {
    const row = y * from * 3;
    for (let x = left; x < left + width; x++) {
      let at = row + first[x] * 3;
      let red = half;
      let green = half;
      let blue = half;
      const end = x * stride + count[x];
      for (let w = x * stride; w < end; w++) {
        const weight = weights[w];
        red = (red + Math.imul(data[at], weight)) | 0;
        green = (green + Math.imul(data[at + 1], weight)) | 0;
        blue = (blue + Math.imul(data[at + 2], weight)) | 0;
        at += 3;
      }
      out[to++] = toByte(red, bits);
      out[to++] = toByte(green, bits);
      out[to++] = toByte(blue, bits);
    }
  }
}

/** Resizes the height. Computes `height` rows, starting at row `top`. */
function downColumns(pixels: Pixels, table: Table, top: number, height: number): Pixels {
  const { width } = pixels;
  const out = new Uint8Array(width * 3 * height);
  if (!downInVectors(pixels, table, top, out)) downRowByRow(pixels, table, top, out);
  return { width, height, data: out };
}

/** The pass along columns in JavaScript, for images too large for the kernel. */
export function downRowByRow(
  { width, data }: Pixels,
  { first, count, weights, stride, bits }: Table,
  top: number,
  out: Uint8Array,
): void {
  const step = width * 3;
  const sums = new Int32Array(step);
  const half = 1 << (bits - 1);
  for (let y = top; y < top + out.length / step; y++) {
    sums.fill(half);
    for (let i = 0; i < count[y]; i++) {
      const weight = weights[y * stride + i];
      const row = (first[y] + i) * step;
      for (let x = 0; x < step; x++) sums[x] = (sums[x] + Math.imul(data[row + x], weight)) | 0;
    }
    const row = (y - top) * step;
    for (let x = 0; x < step; x++) out[row + x] = toByte(sums[x], bits);
  }
}

function toByte(sum: number, bits: number): number {
  const value = sum >> bits;
  return value < 0 ? 0 : value > 255 ? 255 : value;
}

function pickNearest(
  { width: fromWidth, height: fromHeight, data }: Pixels,
  width: number,
  height: number,
): Pixels {
  const out = new Uint8Array(width * height * 3);
  const columns = nearestIndices(fromWidth, width);
  const rows = nearestIndices(fromHeight, height);
  let to = 0;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = (rows[y] * fromWidth + columns[x]) * 3;
      out[to++] = data[at];
      out[to++] = data[at + 1];
      out[to++] = data[at + 2];
    }
  }
  return { width, height, data: out };
}

/**
 * The source index of each pixel. The positions are computed by repeated addition, as in Pillow, so that rounding
 * errors decide ties in the same way.
 */
function nearestIndices(from: number, to: number): Int32Array {
  const step = from / to;
  let at = step * 0.5;
  return Int32Array.from({ length: to }, () => {
    const index = Math.min(from - 1, Math.floor(at));
    at += step;
    return index;
  });
}

export type SmoothFilter = Exclude<ResampleFilter, 'nearest'>;

interface Kernel {
  support: number;
  weight: (x: number) => number;
}

function cubic(a: number): Kernel {
  const weight = (x: number): number => {
    const d = Math.abs(x);
    if (d < 1) return ((a + 2) * d - (a + 3)) * d * d + 1;
    return d < 2 ? (((d - 5) * d + 8) * d - 4) * a : 0;
  };
  return { support: 2, weight };
}

/** The cubic that OpenCV and PyTorch use where they do not antialias. */
const sharpBicubic = cubic(-0.75);

const filters: Record<SmoothFilter, Kernel> = {
  box: { support: 0.5, weight: (x) => (x > -0.5 && x <= 0.5 ? 1 : 0) },
  bilinear: { support: 1, weight: (x) => Math.max(0, 1 - Math.abs(x)) },
  hamming: {
    support: 1,
    weight: (x) => {
      const d = Math.abs(x);
      if (d === 0) return 1;
      // Pillow has these constants in single precision. Double precision would change results.
      return d >= 1 ? 0 : sinc(d) * (Math.fround(0.54) + Math.fround(0.46) * Math.cos(d * Math.PI));
    },
  },
  bicubic: cubic(-0.5),
  lanczos: { support: 3, weight: (x) => (x >= -3 && x < 3 ? sinc(x) * sinc(x / 3) : 0) },
};

function sinc(x: number): number {
  if (x === 0) return 1;
  return Math.sin(x * Math.PI) / (x * Math.PI);
}
