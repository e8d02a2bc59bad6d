import type { Pixels } from './pixels';

/** Rotates counter-clockwise about the centre, bilinear, at the same size. Mirrors what is outside. */
export function rotate({ width, height, data }: Pixels, degrees: number): Pixels {
  const out = new Uint8Array(data.length);
  const angle = (degrees * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const [middleX, middleY] = [(width - 1) / 2, (height - 1) / 2];
  let to = 0;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const fromX = middleX + cos * (x - middleX) - sin * (y - middleY);
      const fromY = middleY + sin * (x - middleX) + cos * (y - middleY);
      const left = Math.floor(fromX);
      const top = Math.floor(fromY);
      const right = fromX - left;
      const down = fromY - top;
      const x0 = mirrored(left, width);
      const x1 = mirrored(left + 1, width);
      const row0 = mirrored(top, height) * width;
      const row1 = mirrored(top + 1, height) * width;
      for (let channel = 0; channel < 3; channel++) {
        const upper = data[(row0 + x0) * 3 + channel] * (1 - right) + data[(row0 + x1) * 3 + channel] * right;
        const lower = data[(row1 + x0) * 3 + channel] * (1 - right) + data[(row1 + x1) * 3 + channel] * right;
        out[to++] = Math.round(upper * (1 - down) + lower * down);
      }
    }
  }
  return { width, height, data: out };
}

/** Maps a position outside the image to its mirror image. The edge pixel is repeated. */
export function mirrored(at: number, size: number): number {
  const period = 2 * size;
  const within = ((at % period) + period) % period;
  return within < size ? within : period - 1 - within;
}
