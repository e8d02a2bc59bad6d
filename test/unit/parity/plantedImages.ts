import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import sharp, { type Sharp } from 'sharp';

/** How the model prepares its square images. */
interface Square {
  side: number;
  /** Whether it squashes images. Otherwise it resizes the shorter side. */
  squashes: boolean;
}

const kinds = ['images', 'turned', 'flattened', 'aliased'] as const;
type Folders = Record<(typeof kinds)[number], string>;

/**
 * A folder with a dataset of real images, of which some have an EXIF orientation and some are transparent, with some long
 * and short captions and some with unusual whitespace. Other folders have the images as other programs read them.
 */
export async function makeDataset(
  folder: string,
  samples: string,
  images: number,
  square: Square,
): Promise<string> {
  const folders = Object.fromEntries(kinds.map((kind) => [kind, join(folder, kind)])) as Folders;
  for (const path of Object.values(folders)) mkdirSync(path);
  const byImage = new Map<string, string[]>();
  for (const line of readFileSync(join(samples, 'captions.jsonl'), 'utf8').trim().split('\n')) {
    const { image, caption } = JSON.parse(line) as { image: string; caption: string };
    byImage.set(image, [...(byImage.get(image) ?? []), caption]);
  }
  const rows: object[] = [];
  for (const [i, [image, captions]] of [...byImage].slice(0, images).entries()) {
    const file = join(samples, 'images', image);
    const name = i % 4 === 1 ? `${basename(image, extname(image))}.png` : image;
    const [first, second] = captions;
    const long = Array.from({ length: 8 }, () => captions.join(' ')).join(' ');
    const short = `${second.split(' ').slice(0, 2).join(' ')}.`;
    const others = [short, second, second, second.replaceAll(' ', '  ')];
    rows.push({ image: name, caption: i % 4 === 2 ? long : first }, { image: name, caption: others[i % 4] });
    for (const path of Object.values(folders)) cpSync(file, join(path, name));
    if (i % 4 > 1) await trim(file, name, folders, square);
    if (i % 4 === 0) await turn(file, name, folders);
    if (i % 4 === 1) await clear(file, name, folders);
    await alias(name, folders, square);
  }
  const dataset = join(folder, 'captions.jsonl');
  writeFileSync(dataset, rows.map((row) => JSON.stringify(row)).join('\n'));
  return dataset;
}

/** Trims the image so that programs that round half a pixel differently crop it differently. */
async function trim(file: string, name: string, folders: Folders, { side }: Square): Promise<void> {
  const { width, height } = await sharp(file).metadata();
  const [shorter, longer] = [Math.min(width, height), Math.max(width, height)];
  // The crop then starts at 7.5 pixels.
  const ratio = (side + 15.5) / side;
  const sides = [
    Math.min(shorter, Math.floor(longer / ratio)),
    Math.min(longer, Math.floor(shorter * ratio)),
  ];
  if (width > height) sides.reverse();
  const image = sharp(file).extract({ left: 0, top: 0, width: sides[0], height: sides[1] });
  const trimmed = await image.jpeg({ quality: 100 }).toBuffer();
  for (const path of Object.values(folders)) writeFileSync(join(path, name), trimmed);
}

/** Gives the image an EXIF orientation, which a program that ignores it does not apply. */
async function turn(file: string, name: string, { images, turned, flattened }: Folders): Promise<void> {
  await sharp(file)
    .withMetadata({ orientation: 6 })
    .jpeg({ quality: 100, chromaSubsampling: '4:4:4' })
    .toFile(join(images, name));
  await png(sharp(join(images, name)), join(turned, name));
  cpSync(join(images, name), join(flattened, name));
}

async function png(image: Sharp, to: string): Promise<void> {
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  await sharp(data, { raw: { width, height, channels: 3 } })
    .png()
    .toFile(to);
}

/** Makes the left half of the image transparent, and white where a program puts white behind it. */
async function clear(file: string, name: string, { images, turned, flattened }: Folders): Promise<void> {
  const { data, info } = await sharp(file).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const white = Buffer.alloc((data.length / 4) * 3);
  for (let at = 0, to = 0; at < data.length; at += 4) {
    const isClear = (at / 4) % info.width < info.width / 2;
    if (isClear) data[at + 3] = 0;
    for (let c = 0; c < 3; c++) white[to++] = isClear ? 255 : data[at + c];
  }
  const raw = { width: info.width, height: info.height };
  await sharp(data, { raw: { ...raw, channels: 4 } })
    .png()
    .toFile(join(images, name));
  cpSync(join(images, name), join(turned, name));
  await sharp(white, { raw: { ...raw, channels: 3 } })
    .png()
    .toFile(join(flattened, name));
}

/** Resizes the image without antialiasing, with OpenCV's bicubic kernel of 4 × 4 pixels and a repeated border. */
async function alias(name: string, { images, aliased }: Folders, { side, squashes }: Square): Promise<void> {
  const { data, info } = await sharp(join(images, name))
    .autoOrient()
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const shorter = Math.min(info.width, info.height);
  const [width, height] = [info.width, info.height].map((length) =>
    squashes ? side : Math.floor((side * length) / shorter),
  );
  const [columns, lines] = [tapsOf(info.width, width), tapsOf(info.height, height)];
  const out = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      for (let c = 0; c < 3; c++) {
        let sum = 0;
        for (const [row, down] of lines[y])
          for (const [column, across] of columns[x])
            sum += down * across * data[(row * info.width + column) * 3 + c];
        out[(y * width + x) * 3 + c] = Math.max(0, Math.min(255, Math.round(sum)));
      }
  await sharp(out, { raw: { width, height, channels: 3 } })
    .png()
    .toFile(join(aliased, name));
}

/** For each pixel of the result, four pixels and their weights. */
function tapsOf(from: number, to: number): [at: number, weight: number][][] {
  const weight = (x: number): number =>
    x <= 1 ? (1.25 * x - 2.25) * x * x + 1 : ((-0.75 * x + 3.75) * x - 6) * x + 3;
  return Array.from({ length: to }, (_, i) => {
    const centre = ((i + 0.5) * from) / to - 0.5;
    return [-1, 0, 1, 2].map((step): [number, number] => {
      const at = Math.floor(centre) + step;
      return [Math.max(0, Math.min(from - 1, at)), weight(Math.abs(centre - at))];
    });
  });
}
