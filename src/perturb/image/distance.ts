import type { Bitmap } from './mask';

export interface Nearest {
  /** The squared distance of each pixel to the nearest set pixel; Infinity if no pixel is set. */
  squared: Float64Array;
  /** The index of the nearest set pixel; −1 if no pixel is set. In a tie, every machine gives the same index. */
  index: Int32Array;
}

/** Computes exact distances: first within each column, then within each row by the lower envelope of parabolas. */
export function nearestSet({ width, height, data }: Bitmap): Nearest {
  const above = new Int32Array(width * height);
  for (let x = 0; x < width; x++) {
    let last = -1;
    for (let y = 0; y < height; y++) {
      if (data[y * width + x] !== 0) last = y;
      above[y * width + x] = last;
    }
    last = -1;
    for (let y = height - 1; y >= 0; y--) {
      if (data[y * width + x] !== 0) last = y;
      const up = above[y * width + x];
      if (last !== -1 && (up === -1 || last - y < y - up)) above[y * width + x] = last;
    }
  }
  const squared = new Float64Array(width * height).fill(Infinity);
  const index = new Int32Array(width * height).fill(-1);
  const columns = new Int32Array(width);
  const starts = new Float64Array(width + 1);
  for (let y = 0; y < height; y++) {
    const at = y * width;
    const down = (x: number): number => (above[at + x] - y) * (above[at + x] - y);
    let count = 0;
    for (let x = 0; x < width; x++) {
      if (above[at + x] === -1) continue;
      const own = down(x) + x * x;
      let start = -Infinity;
      while (count > 0) {
        const other = columns[count - 1];
        start = (own - down(other) - other * other) / (2 * (x - other));
        if (start > starts[count - 1]) break;
        count--;
        start = -Infinity;
      }
      columns[count] = x;
      starts[count++] = start;
    }
    let k = 0;
    for (let x = 0; x < width && count > 0; x++) {
      while (k + 1 < count && starts[k + 1] <= x) k++;
      const column = columns[k];
      squared[at + x] = (x - column) * (x - column) + down(column);
      index[at + x] = above[at + column] * width + column;
    }
  }
  return { squared, index };
}

/** Sets every pixel within `radius` of a set pixel. */
export function dilated(bitmap: Bitmap, radius: number): Bitmap {
  return within(bitmap, nearestSet(bitmap), radius);
}

export function within({ width, height }: Bitmap, { squared }: Nearest, radius: number): Bitmap {
  const data = new Uint8Array(width * height);
  const most = radius * radius;
  for (let i = 0; i < data.length; i++) if (squared[i] <= most) data[i] = 1;
  return { width, height, data };
}
