import { Reason } from '../../base/errors';
import { say } from '../../base/say';

/** An object as a bitmap, stored row by row from the top: 1 for pixels of the object, 0 for other pixels. */
export interface Bitmap {
  width: number;
  height: number;
  data: Uint8Array;
}

/**
 * A bitmap as run lengths in reading order: pixels outside the object, then pixels of the object, and so on. A
 * mask is small enough to be part of a transform.
 */
export interface Mask {
  width: number;
  height: number;
  runs: readonly number[];
}

/**
 * An object's outline in an annotation file: polygons (x, y, x, y, …), or COCO run lengths as numbers or
 * text.
 */
export type Outline =
  | { polygons: readonly (readonly number[])[] }
  | { width: number; height: number; counts: readonly number[] | string };

export interface Box {
  left: number;
  top: number;
  /** `right` and `bottom` are exclusive. */
  right: number;
  bottom: number;
}

export function emptyBitmap(width: number, height: number): Bitmap {
  return { width, height, data: new Uint8Array(width * height) };
}

/** Draws an outline as a bitmap. Throws if run lengths do not fit an image of this size. */
export function drawOutline(outline: Outline, width: number, height: number): Bitmap {
  const bitmap = emptyBitmap(width, height);
  if ('polygons' in outline) {
    for (const polygon of outline.polygons) fillPolygon(polygon, bitmap);
    return bitmap;
  }
  if (outline.width !== width || outline.height !== height)
    throw new Reason(say('perturb.outlineOfOtherSize', outline.width, outline.height, width, height));
  const counts = typeof outline.counts === 'string' ? unpackCounts(outline.counts) : outline.counts;
  let at = 0;
  let inside = false;
  for (const count of counts) {
    if (!Number.isSafeInteger(count) || count < 0 || at + count > width * height)
      throw new Reason(say('perturb.runsMisfit'));
    if (inside) {
      for (let i = at; i < at + count; i++) bitmap.data[(i % height) * width + Math.floor(i / height)] = 1;
    }
    at += count;
    inside = !inside;
  }
  return bitmap;
}

/** Fills a polygon by the even-odd rule at pixel centres. Several polygons of one object are united. */
function fillPolygon(points: readonly number[], { width, height, data }: Bitmap): void {
  const corners = points.length >> 1;
  const crossings: number[] = [];
  for (let y = 0; y < height; y++) {
    crossings.length = 0;
    const middle = y + 0.5;
    for (let i = 0; i < corners; i++) {
      const next = (i + 1) % corners;
      const [x0, y0, x1, y1] = [points[2 * i], points[2 * i + 1], points[2 * next], points[2 * next + 1]];
      if (y0 <= middle !== y1 <= middle) crossings.push(x0 + ((middle - y0) / (y1 - y0)) * (x1 - x0));
    }
    crossings.sort((a, b) => a - b);
    for (let i = 0; i + 1 < crossings.length; i += 2) {
      const from = Math.max(0, Math.ceil(crossings[i] - 0.5));
      const to = Math.min(width, Math.ceil(crossings[i + 1] - 0.5));
      if (from < to) data.fill(1, y * width + from, y * width + to);
    }
  }
}

/**
 * Decodes COCO's text form of run lengths: signed numbers with five bits per character and a continuation bit.
 * From the fourth number on, each number is a difference from the number two places earlier.
 */
export function unpackCounts(text: string): number[] {
  const counts: number[] = [];
  for (let at = 0; at < text.length;) {
    let value = 0;
    let shift = 0;
    for (let more = true; more; at++) {
      const bits = text.charCodeAt(at) - 48;
      if (!(bits >= 0 && bits < 64)) throw new Reason(say('perturb.runsInvalid'));
      value |= (bits & 31) << shift;
      shift += 5;
      more = (bits & 32) !== 0;
      if (!more && (bits & 16) !== 0 && shift < 32) value |= -1 << shift;
    }
    counts.push(counts.length > 2 ? value + counts[counts.length - 2] : value);
  }
  return counts;
}

export function maskOf({ width, height, data }: Bitmap): Mask {
  const runs: number[] = [];
  let inside = 0;
  let from = 0;
  for (let i = 0; i <= data.length; i++) {
    if (i < data.length && data[i] === inside) continue;
    if (i === data.length && inside === 0) break;
    runs.push(i - from);
    from = i;
    inside = 1 - inside;
  }
  return { width, height, runs };
}

export function bitmapOf({ width, height, runs }: Mask): Bitmap {
  const bitmap = emptyBitmap(width, height);
  let at = 0;
  runs.forEach((run, i) => {
    if (i % 2 === 1) bitmap.data.fill(1, at, at + run);
    at += run;
  });
  return bitmap;
}

export function areaOf({ data }: Bitmap): number {
  let area = 0;
  for (const value of data) area += value;
  return area;
}

/** The bounding box of the set pixels; undefined if none is set. */
export function boxOf({ width, height, data }: Bitmap): Box | undefined {
  let [left, top, right, bottom] = [width, height, 0, 0];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (data[y * width + x] === 0) continue;
      left = Math.min(left, x);
      right = Math.max(right, x + 1);
      top = Math.min(top, y);
      bottom = y + 1;
    }
  }
  return right === 0 ? undefined : { left, top, right, bottom };
}

/** The mean position of the set pixels, where the top left pixel is (0, 0). */
export function centroidOf({ width, height, data }: Bitmap): { x: number; y: number } {
  let [area, x, y] = [0, 0, 0];
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      if (data[row * width + column] === 0) continue;
      area++;
      x += column;
      y += row;
    }
  }
  return { x: x / area, y: y / area };
}

/** Shifts the set pixels. Pixels beyond the edge are lost. */
export function shifted({ width, height, data }: Bitmap, dx: number, dy: number): Bitmap {
  const out = emptyBitmap(width, height);
  for (let y = Math.max(0, dy); y < Math.min(height, height + dy); y++) {
    const from = (y - dy) * width;
    const left = Math.max(0, dx);
    const right = Math.min(width, width + dx);
    if (left < right) out.data.set(data.subarray(from + left - dx, from + right - dx), y * width + left);
  }
  return out;
}
