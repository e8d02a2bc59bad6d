import assert from 'node:assert/strict';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Example } from '../../../src/dataset/example';
import { inspectDataset } from '../../../src/dataset/inspect';
import { openDataset } from '../../../src/dataset/open';

const samples = resolve(__dirname, '../../../samples');

interface Image {
  id: number;
  file_name: string;
  width: number;
  height: number;
  license: number;
  flickr_url: string;
  coco_url: string;
  attribution: string;
}

interface Outline {
  image_id: number;
  category_id: number;
  bbox: [number, number, number, number];
  segmentation: number[][] | { counts: number[]; size: [number, number] };
}

function json<T>(name: string): T {
  return JSON.parse(readFileSync(join(samples, name), 'utf8')) as T;
}

async function examples(name: string): Promise<Example[]> {
  const read: Example[] = [];
  for await (const example of (await openDataset(join(samples, name))).read()) read.push(example);
  return read;
}

/** Width and height in a JPEG's frame header. */
function sizeOf(file: string): { width: number; height: number } {
  const bytes = readFileSync(file);
  for (let at = 2; at < bytes.length; at += 2 + bytes.readUInt16BE(at + 2))
    if (bytes[at + 1] === 0xc0 || bytes[at + 1] === 0xc2)
      return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
  throw new Error(`${file} has no frame header.`);
}

describe('the shipped samples', () => {
  const { images, annotations } = json<{
    images: Image[];
    annotations: { image_id: number; caption: string }[];
  }>('captions.json');
  const captionsOf = new Map<string, string[]>(
    images.map(({ id, file_name }) => [
      file_name,
      annotations.filter(({ image_id }) => image_id === id).map(({ caption }) => caption),
    ]),
  );

  it('are redistributable photos, each attributed, and no other files', () => {
    const attribution = readFileSync(join(samples, 'ATTRIBUTION.md'), 'utf8');
    assert.ok(images.length >= 40);
    for (const image of images) {
      assert.ok([4, 5, 7, 8].includes(image.license), image.file_name);
      assert.match(image.coco_url, /\/val2017\//, 'The starter was fitted on train2017 photos.');
      assert.match(image.attribution, /CC BY/);
      const line = attribution.split('\n').find((text) => text.includes(image.file_name)) ?? '';
      assert.ok(line.includes(image.flickr_url) && line.includes(image.coco_url), image.file_name);
      assert.ok(line.includes(image.license === 5 ? '[CC BY-SA 2.0]' : '[CC BY 2.0]'), image.file_name);
    }
    assert.deepEqual(
      readdirSync(join(samples, 'images')).sort(),
      images.map(({ file_name }) => file_name).sort(),
    );
  });

  it('take less than 6 MB', () => {
    const files = readdirSync(samples, { recursive: true, withFileTypes: true });
    const total = files
      .filter((entry) => entry.isFile())
      .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
    assert.ok(total < 6e6, `${total} bytes`);
  });

  it('state the size of each photo', () => {
    for (const { file_name, width, height } of images)
      assert.deepEqual(sizeOf(join(samples, 'images', file_name)), { width, height }, file_name);
  });

  for (const [name, format, form, count] of [
    ['captions.json', 'coco', 'captions', 48],
    ['captions.jsonl', 'plain', 'captions', 220],
    ['captions.parquet', 'plain', 'captions', 10],
    ['triplets.tsv', 'visla', 'triplet', 32],
    ['sugarcrepe.json', 'sugarcrepe', 'pair', 24],
    ['rococo.json', 'rococo', 'altered', 26],
    ['preferences.jsonl', 'preference', 'preference', 48],
  ] as const) {
    it(`${name} is read as ${format}, without a problem, and its images exist`, async () => {
      const found = await inspectDataset(join(samples, name));
      assert.deepEqual(
        { format: found.format, form: found.form, examples: found.examples, problems: found.problems },
        { format, form, examples: count, problems: [] },
      );
      const { distinct, inside } = found.images;
      assert.equal(found.images.found + inside, distinct);
    });
  }

  it('captions.jsonl and captions.parquet contain the captions of captions.json', async () => {
    const lines = await examples('captions.jsonl');
    assert.deepEqual(
      lines.map(({ images: [image], captions: [caption] }) => [image.name, caption.text]),
      [...captionsOf].flatMap(([name, texts]) => texts.map((text) => [name, text])),
    );
    for (const {
      images: [image],
      captions,
    } of await examples('captions.parquet')) {
      const name = image.name.split('/').at(-1)!;
      assert.deepEqual(
        captions.map(({ text }) => text),
        captionsOf.get(name),
        name,
      );
      assert.ok(readFileSync(join(samples, 'images', name)).equals(image.bytes!), name);
    }
  });

  it('triplets cover objects, colours, numbers and relations, and change what they claim', async () => {
    const kinds = new Map<unknown, number>();
    for (const {
      images: [image],
      captions,
      attributes,
      id,
    } of await examples('triplets.tsv')) {
      const [first, second, negative] = captions.map(({ text }) => text);
      assert.equal(new Set([first, second, negative].map((text) => text.toLowerCase())).size, 3, id);
      assert.ok(captionsOf.has(image.name), image.name);
      assert.ok(![...captionsOf.get(image.name)!].includes(negative), negative);
      kinds.set(attributes.kind, (kinds.get(attributes.kind) ?? 0) + 1);
    }
    assert.deepEqual(Object.fromEntries(kinds), { object: 8, color: 8, number: 8, relation: 8 });
  });

  it('rococo.json has five captions of the image and five wrong ones', async () => {
    for (const {
      images: [image],
      captions,
    } of await examples('rococo.json')) {
      const of = (role: string): string[] =>
        captions.filter((caption) => caption.role === role).map(({ text }) => text);
      assert.deepEqual(of('caption'), captionsOf.get(image.name), image.name);
      const plain = (text: string): string => text.toLowerCase().replace(/[ .]+$/, '');
      const own = new Set(of('caption').map(plain));
      assert.equal(of('altered').length, 5);
      for (const text of of('altered')) assert.ok(!own.has(plain(text)), text);
    }
  });

  it('preferred candidates are captions of the image, the others are not', async () => {
    const sides = [0, 0];
    for (const {
      images: [image],
      captions,
      preferred,
    } of await examples('preferences.jsonl')) {
      const own = captionsOf.get(image.name)!;
      assert.ok(preferred === 0 || preferred === 1);
      assert.ok(own.includes(captions[preferred].text), captions[preferred].text);
      assert.ok(!own.includes(captions[1 - preferred].text), captions[1 - preferred].text);
      sides[preferred]++;
    }
    assert.ok(Math.min(...sides) >= 12, 'The better caption is mostly on one side.');
  });

  it('sugarcrepe.json starts from captions of the image', async () => {
    for (const {
      images: [image],
      captions: [caption, negative],
    } of await examples('sugarcrepe.json')) {
      assert.ok(captionsOf.get(image.name)?.includes(caption.text), caption.text);
      assert.ok(!captionsOf.get(image.name)!.includes(negative.text), negative.text);
    }
  });

  it('outlines are inside their images', () => {
    const outlines = json<{
      images: Image[];
      annotations: Outline[];
      categories: { id: number }[];
    }>('instances.json');
    const known = new Set(outlines.categories.map(({ id }) => id));
    const imagesById = new Map(outlines.images.map((image) => [image.id, image]));
    assert.equal(imagesById.size, new Set(outlines.annotations.map(({ image_id }) => image_id)).size);
    for (const {
      image_id,
      category_id,
      bbox: [x, y, w, h],
      segmentation,
    } of outlines.annotations) {
      const { width, height, file_name } = imagesById.get(image_id)!;
      assert.ok(captionsOf.has(file_name) && known.has(category_id));
      assert.ok(x >= 0 && y >= 0 && w > 0 && h > 0 && x + w <= width + 1 && y + h <= height + 1, file_name);
      if (Array.isArray(segmentation)) {
        for (const polygon of segmentation)
          polygon.forEach((value, i) => {
            assert.ok(value >= 0 && value <= (i % 2 === 0 ? width : height) + 0.01, file_name);
          });
      } else {
        assert.deepEqual(segmentation.size, [height, width]);
        assert.equal(
          segmentation.counts.reduce((sum, run) => sum + run),
          width * height,
        );
      }
    }
  });
});
