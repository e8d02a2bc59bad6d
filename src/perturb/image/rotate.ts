import { type Pixels, rounded } from './pixels';

/** Rotates counter-clockwise about the centre, bilinear, at the same size. Mirrors what is outside. */
export function rotate({ width, height, data }: Pixels, degrees: number): Pixels {
  const out = new Uint8Array(data.length);
  const angle = (degrees * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const [middleX, middleY] = [(width - 1) / 2, (height - 1) / 2];
  // No position is further outside than this. Tables take half of the time that the remainders would take.
  const reach = width + height;
  const columns = offsets(width, reach, 3);
  const rows = offsets(height, reach, width * 3);
  const acrossX = Float64Array.from({ length: width }, (_, x) => middleX + cos * (x - middleX));
  const acrossY = Float64Array.from({ length: width }, (_, x) => middleY + sin * (x - middleX));
  let to = 0;
  for (let y = 0; y < height; y++) {
    const [downX, downY] = [sin * (y - middleY), cos * (y - middleY)];
    for (let x = 0; x < width; x++) {
      const fromX = acrossX[x] - downX;
      const fromY = acrossY[x] + downY;
      const left = Math.floor(fromX);
      const top = Math.floor(fromY);
      const right = fromX - left;
      const down = fromY - top;
      const x0 = columns[left + reach];
      const x1 = columns[left + 1 + reach];
      const row0 = rows[top + reach];
      const row1 = rows[top + 1 + reach];
      for (let channel = 0; channel < 3; channel++) {
        const upper = data[row0 + x0 + channel] * (1 - right) + data[row0 + x1 + channel] * right;
        const lower = data[row1 + x0 + channel] * (1 - right) + data[row1 + x1 + channel] * right;
        out[to++] = rounded(upper * (1 - down) + lower * down);
      }
    }
  }
  return { width, height, data: out };
}

/** The offset in bytes of each position from −`reach` to `size` + `reach`, for pixels or rows of `step` bytes. */
function offsets(size: number, reach: number, step: number): Int32Array {
  return Int32Array.from({ length: size + 2 * reach }, (_, i) => mirrored(i - reach, size) * step);
}

/** Maps a position outside the image to its mirror image. The edge pixel is repeated. */
export function mirrored(at: number, size: number): number {
  const period = 2 * size;
  const within = ((at % period) + period) % period;
  return within < size ? within : period - 1 - within;
}
