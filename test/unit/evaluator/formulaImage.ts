import type { Pixels } from '../../../src/perturb/image/pixels';

/** Makes the same image as test/oracle/evaluator/resample.py. */
export function formulaImage(width: number, height: number): Pixels {
  const data = new Uint8Array(width * height * 3);
  let state = 12345 + width * 1000 + height;
  for (let i = 0; i < data.length; i++) {
    state = (state * 16807) % 2147483647;
    data[i] = (state >> 8) & 255;
  }
  for (let y = 0; y < height; y++) {
    for (let x = width >> 1; x < width; x++) {
      data.fill(((x * 3 + y * 5) >> 1) & 255, (y * width + x) * 3, (y * width + x) * 3 + 3);
    }
  }
  return { width, height, data };
}
