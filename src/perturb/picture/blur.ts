import type { Pixels } from './pixels';
import { mirrored } from './rotate';

/** Gaussian blur, cut off at four sigma, with mirrored borders. Values are rounded once, at the end. */
export function blur({ width, height, data }: Pixels, sigma: number): Pixels {
  const kernel = gaussian(sigma);
  const radius = kernel.length - 1;
  const across = new Float32Array(data.length);
  const line = new Float32Array((Math.max(width, height) + 2 * radius) * 3);
  for (let y = 0; y < height; y++) {
    for (let x = -radius; x < width + radius; x++) {
      const from = (y * width + mirrored(x, width)) * 3;
      for (let c = 0; c < 3; c++) line[(x + radius) * 3 + c] = data[from + c];
    }
    convolve(line, width, kernel, across, y * width * 3, 3);
  }
  const out = new Float32Array(data.length);
  for (let x = 0; x < width; x++) {
    for (let y = -radius; y < height + radius; y++) {
      const from = (mirrored(y, height) * width + x) * 3;
      for (let c = 0; c < 3; c++) line[(y + radius) * 3 + c] = across[from + c];
    }
    convolve(line, height, kernel, out, x * 3, width * 3);
  }
  return { width, height, data: Uint8Array.from(out, Math.round) };
}

/** The right half of the kernel, centre first; the whole kernel sums to 1. */
export function gaussian(sigma: number): Float64Array {
  const radius = Math.floor(4 * sigma + 0.5);
  const half = Float64Array.from({ length: radius + 1 }, (_, i) =>
    Math.exp((-0.5 * i * i) / (sigma * sigma)),
  );
  const total = half.reduce((sum, value, i) => sum + (i === 0 ? value : 2 * value), 0);
  return half.map((value) => value / total);
}

function convolve(
  line: Float32Array,
  length: number,
  kernel: Float64Array,
  out: Float32Array,
  start: number,
  step: number,
): void {
  const radius = kernel.length - 1;
  for (let i = 0; i < length; i++) {
    for (let c = 0; c < 3; c++) {
      const middle = (i + radius) * 3 + c;
      let sum = kernel[0] * line[middle];
      for (let k = 1; k <= radius; k++) sum += kernel[k] * (line[middle - 3 * k] + line[middle + 3 * k]);
      out[start + i * step + c] = sum;
    }
  }
}
