/* Hashes of what an image shows: of its pixels, and of its coarse pattern of light, which copies of it nearly share. */
import { createHash } from 'node:crypto';
import type { Pixels } from '../../../perturb/image/pixels';
import type { Look } from '../../../protocol/native';
import { resize } from './resample';

/** The side of the grey image that is transformed, and the number of its lowest frequencies that are kept per axis. */
const side = 32;
const kept = 8;
/** Below this standard deviation of its grey values, an image is plain, and its pattern is noise. */
const leastContrast = 2;

/** `cosines[k * side + x]` is the value at x of the cosine of frequency k. */
const cosines = Float64Array.from({ length: kept * side }, (_, i) =>
  Math.cos((Math.PI * Math.floor(i / side) * (2 * (i % side) + 1)) / (2 * side)),
);

export function lookOf(pixels: Pixels): Look {
  const hash = createHash('sha256').update(`${pixels.width} ${pixels.height} `).update(pixels.data);
  return { pixels: hash.digest('hex'), pattern: patternOf(pixels) };
}

/** One bit for each low frequency: whether its part in the image is above the median. Empty for a plain image. */
function patternOf(pixels: Pixels): Uint8Array {
  const { data } = resize(pixels, side, side, 'bicubic');
  const grey = Float64Array.from(
    { length: side * side },
    (_, i) => 0.299 * data[3 * i] + 0.587 * data[3 * i + 1] + 0.114 * data[3 * i + 2],
  );
  const mean = grey.reduce((sum, value) => sum + value, 0) / grey.length;
  const variance = grey.reduce((sum, value) => sum + (value - mean) ** 2, 0) / grey.length;
  if (Math.sqrt(variance) < leastContrast) return new Uint8Array(0);
  const parts = frequenciesOf(grey);
  const sorted = parts.toSorted();
  const median = (sorted[sorted.length / 2 - 1] + sorted[sorted.length / 2]) / 2;
  const bits = new Uint8Array(parts.length / 8);
  for (const [i, part] of parts.entries()) if (part > median) bits[i >> 3] |= 1 << (i & 7);
  return bits;
}

/** The discrete cosine transform (type II) of the rows and columns, only its lowest frequencies. */
function frequenciesOf(grey: Float64Array): Float64Array {
  const rows = new Float64Array(side * kept);
  for (let y = 0; y < side; y++)
    for (let k = 0; k < kept; k++)
      for (let x = 0; x < side; x++) rows[y * kept + k] += grey[y * side + x] * cosines[k * side + x];
  const parts = new Float64Array(kept * kept);
  for (let l = 0; l < kept; l++)
    for (let k = 0; k < kept; k++)
      for (let y = 0; y < side; y++) parts[l * kept + k] += rows[y * kept + k] * cosines[l * side + y];
  return parts;
}
