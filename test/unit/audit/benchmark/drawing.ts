import { join } from 'node:path';
import sharp from 'sharp';
import { Random } from '../../../../src/base/random';

/** Draws an image of 16 × 12 fields in random colours, and saves it. */
export async function drawing(folder: string, name: string, seed: number): Promise<string> {
  const draws = new Random('drawing', seed);
  const data = Uint8Array.from({ length: 16 * 12 * 3 }, () => draws.below(256));
  const path = join(folder, name);
  await sharp(data, { raw: { width: 16, height: 12, channels: 3 } })
    .resize(320, 240)
    .toFile(path);
  return path;
}
