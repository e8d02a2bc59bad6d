import { boxOf, type Bitmap } from '../mask';
import type { Pixels } from '../pixels';
import type { Level } from './pyramid';
import { synthesise } from './synthesis';

/** How far patches may be from the hole: a share of the hole's longer side, but at least `leastReach` pixels. */
const reach = 0.75;
const leastReach = 64;

/**
 * Replaces a roughly filled hole with patches of its surroundings; undefined if the hole is empty or no
 * whole patch is outside it. The result depends only on the image and the hole.
 */
export function fillPatches(rough: Pixels, hole: Bitmap): Pixels | undefined {
  const { width, height, data } = rough;
  const box = boxOf(hole);
  if (box === undefined) return undefined;
  const longer = Math.max(box.right - box.left, box.bottom - box.top);
  const margin = Math.max(leastReach, Math.round(reach * longer));
  const left = Math.max(0, box.left - margin);
  const top = Math.max(0, box.top - margin);
  const w = Math.min(width, box.right + margin) - left;
  const h = Math.min(height, box.bottom + margin) - top;
  const part: Level = {
    width: w,
    height: h,
    colours: new Float32Array(w * h * 3),
    hole: new Uint8Array(w * h),
  };
  for (let y = 0; y < h; y++) {
    const from = (y + top) * width + left;
    part.colours.set(data.subarray(from * 3, (from + w) * 3), y * w * 3);
    part.hole.set(hole.data.subarray(from, from + w), y * w);
  }
  if (!synthesise(part)) return undefined;
  const out = new Uint8Array(data);
  for (let y = 0; y < h; y++)
    for (let x = 0; x < w; x++) {
      const from = y * w + x;
      if (part.hole[from] === 0) continue;
      const to = ((y + top) * width + x + left) * 3;
      for (let c = 0; c < 3; c++)
        out[to + c] = Math.max(0, Math.min(255, Math.round(part.colours[from * 3 + c])));
    }
  return { width, height, data: out };
}
