// Draws contact sheets of the image changes of the invariance audit, for visual checks:
// tsx scripts/contact-sheet.ts DATASET [IMAGES] [OUT]
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, extname, join, resolve } from 'node:path';
import sharp from 'sharp';
import { planOf } from '../src/audit/captions/references';
import { createImageFinder } from '../src/dataset/images/images';
import { openDataset, unopened } from '../src/dataset/open';
import { decode } from '../src/evaluator/native/images/decode';
import { aids } from '../src/evaluator/native/images/imageTools';
import type { ImageItem } from '../src/protocol/item';
import { bitmapOf, boxOf } from '../src/perturb/image/mask';
import type { Pixels } from '../src/perturb/image/pixels';
import { applyTransforms, type Transform } from '../src/perturb/transform';
import { prepareBeside } from '../src/probe/invariance/plan/beside';
import type { InvariancePlan } from '../src/probe/invariance/plan/plan';
import { invariance } from '../src/probe/invariance/invariance';
import { resolveOptions } from '../src/probe/list';

const [dataset = 'samples/captions.json', images, out = 'out/contact'] = process.argv.slice(2);
const imageCount = 10;
const cell = 300;
/** The width and height of a close-up in image pixels, or less if the image is smaller. */
const detail = 150;

interface Found {
  image: ImageItem;
  /** Image changes by family, then by variant. */
  changes: Map<string, Map<string, Transform>>;
}

async function imagesToShow(): Promise<Found[]> {
  const path = resolve(dataset);
  const options = resolveOptions(invariance, { societal: 'false' });
  const finder = createImageFinder({
    dataset: unopened(path),
    folders: images === undefined ? [] : [images],
  });
  const beside = prepareBeside({ datasetPath: path, options });
  const found: Found[] = [];
  for await (const example of (await openDataset(path)).read()) {
    const { name } = example.images[0] ?? {};
    const file = name === undefined ? undefined : await finder.find(name);
    if (name === undefined || !file?.ok) continue;
    const image: ImageItem = { kind: 'image', source: { name, path: file.path }, transforms: [] };
    const stem = basename(path, extname(path));
    const context = { dataset: stem, seed: 42, options, scores: ['image-text'] as const, beside };
    const plan = (await planOf(invariance, example, { ...context, image: () => image }, {}, () =>
      Promise.resolve(),
    )) as InvariancePlan;
    const changes: Found['changes'] = new Map();
    for (const { family, variant, scoreAt } of plan.rows.flatMap(({ variants }) => variants)) {
      const { left } = plan.wants[scoreAt];
      const change = left.kind === 'image' ? left.transforms.at(-1) : undefined;
      if (change === undefined) continue;
      const known = changes.get(family) ?? new Map<string, Transform>();
      changes.set(family, known.set(variant, change));
    }
    // Only an image whose object can be moved to all four places shows every transform.
    if ((changes.get('reposition')?.size ?? 0) === 4) found.push({ image, changes });
    if (found.length === imageCount) break;
  }
  return found;
}

async function tile(pixels: Pixels): Promise<Buffer> {
  const { width, height, data } = pixels;
  return sharp(data, { raw: { width, height, channels: 3 } })
    .resize(cell, cell, { fit: 'contain', background: '#808080' })
    .png()
    .toBuffer();
}

/** Cuts out the part of an image around a point, and enlarges it without smoothing. */
async function closeUp({ width, height, data }: Pixels, x: number, y: number): Promise<Buffer> {
  const side = Math.min(detail, width, height);
  const left = Math.max(0, Math.min(width - side, Math.round(x - side / 2)));
  const top = Math.max(0, Math.min(height - side, Math.round(y - side / 2)));
  return sharp(data, { raw: { width, height, channels: 3 } })
    .extract({ left, top, width: side, height: side })
    .resize(cell, cell, { kernel: 'nearest' })
    .png()
    .toBuffer();
}

async function sheet(name: string, rows: readonly (readonly Buffer[])[]): Promise<void> {
  const columns = Math.max(...rows.map((row) => row.length));
  const blank = sharp({
    create: { width: columns * cell, height: rows.length * cell, channels: 3, background: '#404040' },
  });
  const placed = rows.flatMap((row, y) => row.map((input, x) => ({ input, left: x * cell, top: y * cell })));
  const path = join(out, `${name}.jpg`);
  await writeFile(path, await blank.composite(placed).jpeg({ quality: 88 }).toBuffer());
  console.log(path);
}

async function main(): Promise<void> {
  await mkdir(out, { recursive: true });
  const shown = await imagesToShow();
  console.log(`${shown.length} photos: ${shown.map(({ image }) => image.source.name).join(', ')}`);
  const families = [...new Set(shown.flatMap(({ changes }) => [...changes.keys()]))];
  const seams: Buffer[][] = [];
  for (const family of families) {
    const rows: Buffer[][] = [];
    for (const { image, changes } of shown) {
      const before = await decode(image.source);
      const row = [await tile(before)];
      for (const change of changes.get(family)?.values() ?? []) {
        const after = await applyTransforms(before, [change], aids);
        row.push(await tile(after));
        if (change.op !== 'move' || row.length !== 2) continue;
        const box = boxOf(bitmapOf(change.mask))!;
        const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
        // Close-ups: the object's old place before and after the change, the object's new place, and the upper left
        // corner of the new place.
        seams.push([
          await closeUp(before, x, y),
          await closeUp(after, x, y),
          await closeUp(after, x + change.dx, y + change.dy),
          await closeUp(after, box.left + change.dx, box.top + change.dy),
        ]);
      }
      rows.push(row);
    }
    await sheet(family, rows);
  }
  if (seams.length > 0) await sheet('seams', seams);
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
