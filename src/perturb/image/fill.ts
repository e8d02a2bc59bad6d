import type { Pixels } from './pixels';
import { nearestSet } from './distance';
import { boxOf, type Bitmap, type Box } from './mask';
import { fillPatches } from './patches/fillPatches';

/**
 * How a hole is filled: black (`none`), the surrounding colours (`blur`), the mirrored surrounding texture
 * (`inpaint`), or surrounding patches (`patches`).
 */
export const fills = ['none', 'blur', 'inpaint', 'patches'] as const;
export type Fill = (typeof fills)[number];

/** Fills a hole in an image. Pixels outside the hole stay identical. */
export function fillHole(pixels: Pixels, hole: Bitmap, fill: Fill): Pixels {
  const { width, height } = pixels;
  if (fill === 'patches')
    return fillPatches(fillHole(pixels, hole, 'blur'), hole) ?? fillHole(pixels, hole, 'inpaint');
  // Decoded pixels may be a Buffer, whose slice() does not copy.
  const data = new Uint8Array(pixels.data);
  if (fill === 'none') {
    for (let i = 0; i < hole.data.length; i++) if (hole.data[i] !== 0) data.fill(0, i * 3, i * 3 + 3);
    return { width, height, data };
  }
  const box = boxOf(hole);
  if (box === undefined) return { width, height, data };
  const smooth = spread(pixels, hole, box);
  const known: Bitmap = { width, height, data: hole.data.map((value) => 1 - value) };
  const nearest = nearestSet(known);
  const wide = Math.max(box.right - box.left, 1);
  for (let y = box.top; y < box.bottom; y++) {
    for (let x = box.left; x < box.right; x++) {
      const at = y * width + x;
      if (hole.data[at] === 0) continue;
      const flat = ((y - box.top) * wide + (x - box.left)) * 3;
      const edge = nearest.index[at];
      // If the hole is the whole image, no pixel is known.
      if (edge === -1) {
        data.fill(0, at * 3, at * 3 + 3);
        continue;
      }
      const from = fill === 'inpaint' ? acrossEdge(x, y, edge, known) : -1;
      // Mirror images of opposite edges differ in the middle of the hole, so their weight falls with depth.
      const trust = from === -1 ? 0 : 1 / (1 + nearest.squared[at] / (depthOfTrust * depthOfTrust));
      for (let c = 0; c < 3; c++) {
        const mirror = from === -1 ? 0 : pixels.data[from * 3 + c];
        data[at * 3 + c] = Math.round(trust * mirror + (1 - trust) * smooth[flat + c]);
      }
    }
  }
  return { width, height, data };
}

/** The depth in pixels at which the mirror image has half its weight. */
const depthOfTrust = 24;

/** The index of this pixel's mirror image across the edge of the hole; −1 if that is not a known pixel. */
function acrossEdge(x: number, y: number, edge: number, known: Bitmap): number {
  const { width, height, data } = known;
  const fromX = 2 * (edge % width) - x;
  const fromY = 2 * Math.floor(edge / width) - y;
  if (fromX < 0 || fromY < 0 || fromX >= width || fromY >= height) return -1;
  const from = fromY * width + fromX;
  return data[from] === 0 ? -1 : from;
}

/**
 * The colours of the box. A pixel of the hole gets the mean of the known pixels around it, weighted by distance.
 * The means are computed over an image pyramid.
 */
function spread({ width, height, data }: Pixels, hole: Bitmap, box: Box): Float64Array {
  const margin = 32;
  const left = Math.max(0, box.left - margin);
  const top = Math.max(0, box.top - margin);
  const w = Math.min(width, box.right + margin) - left;
  const h = Math.min(height, box.bottom + margin) - top;
  const sums = new Float64Array(w * h * 3);
  const weights = new Float64Array(w * h);
  for (let y = 0; y < h; y++) {
    for (let x = 0; x < w; x++) {
      const from = (y + top) * width + x + left;
      if (hole.data[from] !== 0) continue;
      weights[y * w + x] = 1;
      for (let c = 0; c < 3; c++) sums[(y * w + x) * 3 + c] = data[from * 3 + c];
    }
  }
  const level = complete({ width: w, height: h, sums, weights });
  const out = new Float64Array((box.right - box.left) * (box.bottom - box.top) * 3);
  let to = 0;
  for (let y = box.top; y < box.bottom; y++) {
    const from = ((y - top) * w + box.left - left) * 3;
    const row = level.subarray(from, from + (box.right - box.left) * 3);
    out.set(row, to);
    to += row.length;
  }
  return out;
}

interface Level {
  width: number;
  height: number;
  sums: Float64Array;
  /** From 0 (unknown) to 1 (known). */
  weights: Float64Array;
}

/** The colours of a level. Unknown pixels take the colours of coarser levels. */
function complete(level: Level): Float64Array {
  const { width, height, sums, weights } = level;
  const out = new Float64Array(sums.length);
  const coarse = width > 1 || height > 1 ? halved(level) : undefined;
  const under = coarse === undefined ? undefined : complete(coarse);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * width + x;
      for (let c = 0; c < 3; c++) {
        const below = under === undefined || coarse === undefined ? 0 : between(under, coarse, x, y, c);
        out[at * 3 + c] = sums[at * 3 + c] + (1 - weights[at]) * below;
      }
    }
  }
  return out;
}

/** Averages blocks of 2 × 2 pixels by weight. A block with one known pixel counts as fully known. */
function halved({ width, height, sums, weights }: Level): Level {
  const w = (width + 1) >> 1;
  const h = (height + 1) >> 1;
  const out: Level = {
    width: w,
    height: h,
    sums: new Float64Array(w * h * 3),
    weights: new Float64Array(w * h),
  };
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const to = (y >> 1) * w + (x >> 1);
      out.weights[to] += weights[y * width + x];
      for (let c = 0; c < 3; c++) out.sums[to * 3 + c] += sums[(y * width + x) * 3 + c];
    }
  }
  for (let i = 0; i < out.weights.length; i++) {
    const weight = out.weights[i];
    if (weight <= 1) continue;
    out.weights[i] = 1;
    for (let c = 0; c < 3; c++) out.sums[i * 3 + c] /= weight;
  }
  return out;
}

/** The colour of the coarser level at a pixel of the finer level, by bilinear interpolation. */
function between(colours: Float64Array, { width, height }: Level, x: number, y: number, c: number): number {
  const fx = Math.min(width - 1, Math.max(0, x / 2 - 0.25));
  const fy = Math.min(height - 1, Math.max(0, y / 2 - 0.25));
  const x0 = Math.floor(fx);
  const y0 = Math.floor(fy);
  const x1 = Math.min(width - 1, x0 + 1);
  const y1 = Math.min(height - 1, y0 + 1);
  const at = (column: number, row: number): number => colours[(row * width + column) * 3 + c];
  const upper = at(x0, y0) * (1 - fx + x0) + at(x1, y0) * (fx - x0);
  const lower = at(x0, y1) * (1 - fx + x0) + at(x1, y1) * (fx - x0);
  return upper * (1 - fy + y0) + lower * (fy - y0);
}
