import type { Pixels } from './pixels';
import { dilated, nearestSet, within } from './distance';
import type { Fill } from './fill';
import { bitmapOf, shifted, type Bitmap } from './mask';
import { holeOf, type Move } from './move';
import { shadeOf, surroundingsOf } from './surroundings';

export interface Seams {
  /**
   * The mean absolute change of a background pixel, summed over its channels (each from 0 to 1). The background
   * excludes the object's old and new place. Null if there is no background.
   */
  background: number | null;
  /**
   * The edge energy around the object's new place, divided by the edge energy around the old place. Null if a
   * place has no surroundings, or if the old surroundings have no edges.
   */
  seam: number | null;
  /** How varied the background around the old place is; absent in old reports. */
  surroundings?: number | null;
  /** How much darker one direction around the old place is; absent in old reports. */
  shade?: number | null;
}

const backgroundRadius = 8;
const ringFrom = 2;
const ringTo = 5;

/** Measures the traces of a moved object with the paper's diagnostics. */
export function seamsOf(
  before: Pixels,
  after: Pixels,
  move: Pick<Move, 'mask' | 'dx' | 'dy'> & { fill?: Fill },
): Seams {
  const source = bitmapOf(move.mask);
  const target = shifted(source, move.dx, move.dy);
  // Patches also replace pixels around the object. These pixels are not background.
  const filled = move.fill === 'patches' ? holeOf(source, 'patches') : source;
  const hole = holeOf(source, move.fill ?? 'none');
  const was = edgeEnergy(before, ringAround(source));
  const is = edgeEnergy(after, ringAround(target));
  return {
    background: backgroundChange(before, after, either(filled, target)),
    seam: was === null || is === null || was === 0 ? null : is / was,
    surroundings: surroundingsOf(before, hole),
    shade: shadeOf(before, hole),
  };
}

function either(a: Bitmap, b: Bitmap): Bitmap {
  return { ...a, data: a.data.map((value, i) => value | b.data[i]) };
}

function backgroundChange(before: Pixels, after: Pixels, changed: Bitmap): number | null {
  const apart = dilated(changed, backgroundRadius).data;
  let [sum, count] = [0, 0];
  for (let i = 0; i < apart.length; i++) {
    if (apart[i] !== 0) continue;
    count++;
    for (let c = i * 3; c < i * 3 + 3; c++) sum += Math.abs(before.data[c] - after.data[c]);
  }
  return count === 0 ? null : sum / 255 / count;
}

function ringAround(bitmap: Bitmap): Bitmap {
  const nearest = nearestSet(bitmap);
  const inner = within(bitmap, nearest, ringFrom).data;
  const outer = within(bitmap, nearest, ringTo);
  return { ...outer, data: outer.data.map((value, i) => (inner[i] === 0 ? value : 0)) };
}

/** The mean Sobel gradient magnitude over the ring and all channels. Pixels at the image's border are repeated. */
function edgeEnergy({ width, height, data }: Pixels, ring: Bitmap): number | null {
  let [sum, count] = [0, 0];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (ring.data[y * width + x] === 0) continue;
      count++;
      const rows = [Math.max(0, y - 1) * width, y * width, Math.min(height - 1, y + 1) * width];
      const columns = [Math.max(0, x - 1), x, Math.min(width - 1, x + 1)];
      for (let c = 0; c < 3; c++) {
        const at = (row: number, column: number): number => data[(rows[row] + columns[column]) * 3 + c];
        const across = at(0, 2) + 2 * at(1, 2) + at(2, 2) - at(0, 0) - 2 * at(1, 0) - at(2, 0);
        const down = at(2, 0) + 2 * at(2, 1) + at(2, 2) - at(0, 0) - 2 * at(0, 1) - at(0, 2);
        sum += Math.sqrt(across * across + down * down) / 255;
      }
    }
  }
  return count === 0 ? null : sum / 3 / count;
}
