/** Measures how varied the background around a hole is. */
import { nearestSet } from './distance';
import type { Bitmap } from './mask';
import type { Pixels } from './pixels';

/** How far from the hole a background pixel may be, in pixels. */
const reach = 10;

/**
 * The standard deviation of the colours (0 to 1) near a hole after a linear gradient is subtracted. Null if no
 * pixel is near. The gradient allows for light that changes gradually on a wall or in the sky.
 */
export function surroundingsOf({ width, data }: Pixels, hole: Bitmap): number | null {
  const { squared } = nearestSet(hole);
  const near: number[] = [];
  for (const [i, distance] of squared.entries()) if (distance > 0 && distance <= reach * reach) near.push(i);
  if (near.length === 0) return null;
  const across = centred(near.map((i) => i % width));
  const down = centred(near.map((i) => Math.floor(i / width)));
  const [xx, xy, yy] = [dot(across, across), dot(across, down), dot(down, down)];
  const determinant = xx * yy - xy * xy;
  let squares = 0;
  for (let c = 0; c < 3; c++) {
    const colour = centred(near.map((i) => data[i * 3 + c] / 255));
    const [xc, yc] = [dot(across, colour), dot(down, colour)];
    // Pixels on one straight line do not determine a gradient.
    const slopeX = determinant === 0 ? 0 : (xc * yy - yc * xy) / determinant;
    const slopeY = determinant === 0 ? 0 : (yc * xx - xc * xy) / determinant;
    for (const [i, value] of colour.entries())
      squares += (value - slopeX * across[i] - slopeY * down[i]) ** 2;
  }
  return Math.sqrt(squares / (3 * near.length));
}

function centred(values: readonly number[]): Float64Array {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Float64Array.from(values, (value) => value - mean);
}

function dot(a: Float64Array, b: Float64Array): number {
  return a.reduce((sum, value, i) => sum + value * b[i], 0);
}
