import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { zipOf } from './unit/base/files/zips';
import { archive, header } from './unit/dataset/archives';

const repository = resolve(__dirname, '..');
const samples = join(repository, 'samples');
const images = join(samples, 'images');

/** How many images each layout has: all sample images, which are enough for a verdict. */
export const layoutSize = 48;

interface Entry {
  image: string;
  caption: string;
  bytes: Buffer;
}

/** The first caption of each sample image, in the order of the images' names. */
async function entries(): Promise<Entry[]> {
  const captions = new Map<string, string>();
  for (const line of (await readFile(join(samples, 'captions.jsonl'), 'utf8')).trim().split('\n')) {
    const { image, caption } = JSON.parse(line) as { image: string; caption: string };
    if (!captions.has(image)) captions.set(image, caption);
  }
  const first = [...captions].sort(([a], [b]) => (a < b ? -1 : 1));
  return Promise.all(
    first.map(async ([image, caption]) => ({ image, caption, bytes: await readFile(join(images, image)) })),
  );
}

function member(name: string, bytes: Buffer): Buffer {
  const padding = Buffer.alloc((512 - (bytes.length % 512)) % 512);
  return Buffer.concat([header(name, bytes.length), bytes, padding]);
}

function parquet(some: readonly Entry[]): Buffer {
  return Buffer.from(
    parquetWriteBuffer({
      columnData: [
        { name: 'image', data: some.map(({ bytes }) => bytes), type: 'BYTE_ARRAY' },
        { name: 'caption', data: some.map(({ caption }) => caption), type: 'STRING' },
      ],
    }),
  );
}

/** Writes the same captions and images in every layout. Maps what a layout is to the name of its file or folder. */
export async function writeLayouts(folder: string): Promise<Record<string, string>> {
  const all = await entries();
  const json = (one: Entry): string => JSON.stringify({ image: one.image, caption: one.caption });
  const into = async (name: string, content: string | Uint8Array): Promise<void> => {
    const path = join(folder, name);
    await mkdir(join(path, '..'), { recursive: true });
    await writeFile(path, content);
  };
  const half = layoutSize / 2;
  await into('shards/data-00000-of-00002.parquet', parquet(all.slice(0, half)));
  await into('shards/data-00001-of-00002.parquet', parquet(all.slice(half)));
  await into('alone.parquet', parquet(all));
  await cp(join(repository, 'test/fixtures/dataset/saved'), join(folder, 'saved'), { recursive: true });
  const members = all.flatMap(({ image, caption, bytes }) => [
    member(image, bytes),
    member(image.replace('.jpg', '.txt'), Buffer.from(caption)),
  ]);
  await into('samples.tar', archive(...members));
  for (const { image, caption, bytes } of all) {
    await into(`listed/${image}`, bytes);
    await into(`pairs/${image}`, bytes);
    await into(`pairs/${image.replace('.jpg', '.txt')}`, `${caption}\n`);
    await into(`images/${image}`, bytes);
  }
  const listed = all.map(({ image, caption }) => JSON.stringify({ file_name: image, text: caption }));
  await into('listed/metadata.jsonl', `${listed.join('\n')}\n`);
  await into('lines.jsonl', `${all.map(json).join('\n')}\n`);
  const cells = all.map(({ image, caption }) => `${image},"${caption.replaceAll('"', '""')}"`);
  await into('table.csv', `image,caption\n${cells.join('\n')}\n`);
  await into('zipped/captions.jsonl', `${all.map(json).join('\n')}\n`);
  await into('zipped/images.zip', zipOf(all.map(({ image, bytes }) => ({ name: image, text: bytes }))));
  return {
    'a folder of Parquet shards': 'shards',
    'a Parquet file': 'alone.parquet',
    'a folder of datasets.save_to_disk': 'saved',
    'a WebDataset shard': 'samples.tar',
    'an image folder with metadata.jsonl': 'listed',
    'images with texts': 'pairs',
    'a CSV table': 'table.csv',
    'JSON Lines': 'lines.jsonl',
    'a zip of images beside a file': 'zipped/captions.jsonl',
  };
}
