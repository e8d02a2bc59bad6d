import type { Pixels } from './pixels';
import { mirrored } from './rotate';

/** Gaussian blur, cut off at four sigma, with mirrored borders. Values become integers only at the end. */
export function blur({ width, height, data }: Pixels, sigma: number): Pixels {
  const kernel = gaussian(sigma);
  const radius = kernel.length - 1;
  const across = new Float32Array(data.length);
  const line = new Float32Array((width + 2 * radius) * 3);
  const sums = new Float64Array(width * 3);
  for (let y = 0; y < height; y++) {
    for (let x = -radius; x < width + radius; x++) {
      const from = (y * width + mirrored(x, width)) * 3;
      for (let c = 0; c < 3; c++) line[(x + radius) * 3 + c] = data[from + c];
    }
    const middle = radius * 3;
    for (let i = 0; i < sums.length; i++) sums[i] = kernel[0] * line[middle + i];
    for (let k = 1; k <= radius; k++) {
      const weight = kernel[k];
      const [before, after] = [middle - 3 * k, middle + 3 * k];
      for (let i = 0; i < sums.length; i++) sums[i] += weight * (line[before + i] + line[after + i]);
    }
    across.set(sums, y * sums.length);
  }
  const out = new Uint8Array(data.length);
  const row = (y: number): Float32Array => {
    const from = mirrored(y, height) * sums.length;
    return across.subarray(from, from + sums.length);
  };
  for (let y = 0; y < height; y++) {
    const own = row(y);
    for (let i = 0; i < sums.length; i++) sums[i] = kernel[0] * own[i];
    for (let k = 1; k <= radius; k++) {
      const weight = kernel[k];
      const [before, after] = [row(y - k), row(y + k)];
      for (let i = 0; i < sums.length; i++) sums[i] += weight * (before[i] + after[i]);
    }
    const to = y * sums.length;
    for (let i = 0; i < sums.length; i++) out[to + i] = Math.round(Math.fround(sums[i]));
  }
  return { width, height, data: out };
}

/** The right half of the kernel, centre first. The whole kernel sums to 1. */
export function gaussian(sigma: number): Float64Array {
  const radius = Math.floor(4 * sigma + 0.5);
  const half = Float64Array.from({ length: radius + 1 }, (_, i) =>
    Math.exp((-0.5 * i * i) / (sigma * sigma)),
  );
  const total = half.reduce((sum, value, i) => sum + (i === 0 ? value : 2 * value), 0);
  return half.map((value) => value / total);
}
