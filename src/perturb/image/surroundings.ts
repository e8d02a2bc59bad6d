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
export function surroundingsOf(pixels: Pixels, hole: Bitmap): number | null {
  const near = nearTo(hole);
  if (near.length === 0) return null;
  let squares = 0;
  for (const rest of withoutGradient(pixels, near)) for (const value of rest) squares += value * value;
  return Math.sqrt(squares / (3 * near.length));
}

/** The directions around a hole, and the fewest pixels that make a direction count. */
const directions = 24;
const leastPixels = 5;

/**
 * How much darker the darkest direction around a hole is than the median one (0 to 1), without a linear gradient. A
 * shadow, or a thing attached to the object, crosses the surroundings in one direction. Null if no pixel is near.
 */
export function shadeOf(pixels: Pixels, hole: Bitmap): number | null {
  const near = nearTo(hole);
  const { width } = pixels;
  const inside = [...hole.data.keys()].filter((i) => hole.data[i] !== 0);
  const [middleX, middleY] = [
    mean(inside.map((i) => i % width)),
    mean(inside.map((i) => Math.floor(i / width))),
  ];
  const [red, green, blue] = withoutGradient(pixels, near);
  const grey: number[][] = Array.from({ length: directions }, () => []);
  for (const [k, i] of near.entries()) {
    const angle = Math.atan2(Math.floor(i / width) - middleY, (i % width) - middleX) / (2 * Math.PI) + 0.5;
    grey[Math.floor(angle * directions) % directions].push((red[k] + green[k] + blue[k]) / 3);
  }
  const means = grey
    .filter(({ length }) => length >= leastPixels)
    .map(mean)
    .sort((a, b) => a - b);
  return means.length === 0 ? null : means[Math.floor(means.length / 2)] - means[0];
}

/** The background pixels within `reach` of the hole. */
function nearTo(hole: Bitmap): number[] {
  const near: number[] = [];
  for (const [i, distance] of nearestSet(hole).squared.entries())
    if (distance > 0 && distance <= reach * reach) near.push(i);
  return near;
}

/** The three channels of the pixels (0 to 1) minus a linear gradient. */
function withoutGradient({ width, data }: Pixels, near: readonly number[]): Float64Array[] {
  const across = centred(near.map((i) => i % width));
  const down = centred(near.map((i) => Math.floor(i / width)));
  const [xx, xy, yy] = [dot(across, across), dot(across, down), dot(down, down)];
  const determinant = xx * yy - xy * xy;
  return [0, 1, 2].map((c) => {
    const colour = centred(near.map((i) => data[i * 3 + c] / 255));
    const [xc, yc] = [dot(across, colour), dot(down, colour)];
    // Pixels on one straight line do not determine a gradient.
    const slopeX = determinant === 0 ? 0 : (xc * yy - yc * xy) / determinant;
    const slopeY = determinant === 0 ? 0 : (yc * xx - xc * xy) / determinant;
    return colour.map((value, i) => value - slopeX * across[i] - slopeY * down[i]);
  });
}

function centred(values: readonly number[]): Float64Array {
  const middle = mean(values);
  return Float64Array.from(values, (value) => value - middle);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function dot(a: Float64Array, b: Float64Array): number {
  return a.reduce((sum, value, i) => sum + value * b[i], 0);
}
