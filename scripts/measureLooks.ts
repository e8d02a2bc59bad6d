/* Measures which distance between patterns of images tells copies from other images: npx tsx scripts/measureLooks.ts DIR */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { lookOf } from '../src/evaluator/native/images/look';
import { decode } from '../src/evaluator/native/images/decode';
import { distance } from '../src/probe/benchmark/images/alike';

const folder = process.argv[2];
const names = readdirSync(folder).filter((name) => /\.jpe?g$/i.test(name));

const share = (side: number, part: number): number => Math.round(side * part);

const copies: Record<string, (path: string) => Promise<Buffer>> = {
  'JPEG, quality 50': (path) => sharp(path).jpeg({ quality: 50 }).toBuffer(),
  'WebP, quality 60': (path) => sharp(path).webp({ quality: 60 }).toBuffer(),
  'half the size': async (path) => {
    const { width } = await sharp(path).metadata();
    return sharp(path).resize(share(width, 0.5)).jpeg().toBuffer();
  },
  '224 × 224, without its proportions': (path) =>
    sharp(path).resize(224, 224, { fit: 'fill' }).jpeg().toBuffer(),
  '20 % brighter': (path) => sharp(path).modulate({ brightness: 1.2 }).jpeg().toBuffer(),
  grey: (path) => sharp(path).grayscale().jpeg().toBuffer(),
  'border of 2 % cut': (path) => cropped(path, 0.02),
  'border of 5 % cut': (path) => cropped(path, 0.05),
  mirrored: (path) => sharp(path).flop().jpeg().toBuffer(),
};

async function cropped(path: string, border: number): Promise<Buffer> {
  const { width, height } = await sharp(path).metadata();
  const [left, top] = [share(width, border), share(height, border)];
  return sharp(path)
    .extract({ left, top, width: width - 2 * left, height: height - 2 * top })
    .jpeg()
    .toBuffer();
}

async function main(): Promise<void> {
  const patternOf = async (source: { path: string } | { bytes: Uint8Array }): Promise<Uint8Array> =>
    lookOf(await decode({ name: '', ...source })).pattern;
  const originals = await Promise.all(names.map((name) => patternOf({ path: join(folder, name) })));
  const limits = [2, 4, 6, 7, 8, 10, 12];
  const row = (cells: readonly (string | number)[]): void => console.log(`| ${cells.join(' | ')} |`);
  row(['', 'n', ...limits]);
  row(['-', '-:', ...limits.map(() => '-:')]);
  for (const [what, make] of Object.entries(copies)) {
    const found: number[] = [];
    for (const [i, name] of names.entries())
      found.push(distance(originals[i], await patternOf({ bytes: await make(join(folder, name)) })));
    row([
      what,
      found.length,
      ...limits.map((most) => (found.filter((d) => d <= most).length / found.length).toFixed(3)),
    ]);
  }
  const others = originals.flatMap((one, i) => originals.slice(i + 1).map((other) => distance(one, other)));
  row([
    'two different images',
    others.length,
    ...limits.map((most) => others.filter((d) => d <= most).length),
  ]);
}

void main();
