import { readFileSync } from 'node:fs';
import { zipOf } from '../../unit/base/files/zips';
import { archive, file, header, pax } from '../../unit/dataset/archives';

function sample(name: string): string {
  return readFileSync(`samples/${name}`, 'utf8');
}

function lines(name: string, count: number): string {
  return `${sample(name).split('\n').slice(0, count).join('\n')}\n`;
}

interface Coco {
  images: { id: number }[];
  annotations: { image_id: number }[];
}

function coco(name: string): string {
  const { images, annotations } = JSON.parse(sample(name)) as Coco;
  const few = images.slice(0, 2);
  const own = annotations.filter(({ image_id: id }) => few.some((image) => image.id === id)).slice(0, 4);
  return JSON.stringify({ images: few, annotations: own }, undefined, 1);
}

/** Parquet files: compressed, nested, with embedded images, and in the relevant encodings. */
export function parquetSeeds(): Buffer[] {
  return ['captions', 'winoground', 'paths', 'encodings'].map((name) =>
    readFileSync(`test/fixtures/dataset/${name}.parquet`),
  );
}

/** Arrow: a saved dataset, a file and streams of three writers, with growing and replaced dictionaries. */
export function arrowSeeds(): Buffer[] {
  return [
    'saved/data-00000-of-00002.arrow',
    'growing.arrow',
    'replaced.arrow',
    'plain.feather',
    'polars.arrow',
    'polarsStream.arrow',
  ].map((name) => readFileSync(`test/oracle/dataset/arrow/${name}`));
}

/** ZIP archives of images: deflated, in folders, and with names that lead out. */
export function zipSeeds(): Buffer[] {
  const entry = (name: string): { name: string; text: string } => ({ name, text: `${name} `.repeat(9) });
  return [
    zipOf(['a.png', 'b/c.png', 'b/'].map(entry)),
    zipOf(['../a.png', '/c.png', 'b\\c.png', './a.png', 'C:\\a.png'].map(entry)),
  ];
}

/** Tar archives: ustar with prefixes, GNU with long names, PAX, sparse and links. */
export function tarSeeds(): Buffer[] {
  const shards = [1, 2, 3].map((i) => readFileSync(`test/oracle/dataset/shard-0000${i}.tar`));
  const odd = archive(
    file('1.jpg', 'x'),
    file('1.txt', 'A cat.'),
    header('l.jpg', 0, '2'),
    header('s.jpg', 0, 'S'),
    pax({ size: '3' }),
    file('2.json', '{}'),
  );
  // The mutations should reach headers, so the zeros at the end are cut.
  return [...shards.map((bytes) => bytes.subarray(0, 4096)), odd];
}

/** Small files of many text formats, from the samples where possible. */
export function datasetSeeds(): Buffer[] {
  const rococo = JSON.stringify((JSON.parse(sample('rococo.json')) as unknown[]).slice(0, 2));
  const pairs = Object.entries(JSON.parse(sample('sugarcrepe.json')) as object).slice(0, 2);
  const texts = [
    coco('captions.json'),
    coco('instances.json'),
    lines('captions.jsonl', 3),
    lines('triplets.tsv', 3),
    lines('preferences.jsonl', 2),
    rococo,
    JSON.stringify(Object.fromEntries(pairs), undefined, 2),
    'id,caption_0,caption_1,image_0,image_1\n3,"a, b",c,0.png,1.png\n',
    '{"image": "1.jpg", "caption": "The cat is on the mat.", "relation": "on", "label": 1}\n',
    'x.jpg#0\tA child.\nx.jpg#1\tA girl, climbing.\ny.jpg#0\tA dog.\n',
    JSON.stringify({
      images: [{ filename: 'a.jpg', split: 'test', sentences: [{ raw: 'A cat.', sentid: 1 }] }],
      dataset: 'coco',
    }),
    JSON.stringify([
      {
        image: 'a.jpg',
        caption: 'A cat.',
        same_caps: ['One cat.'],
        diff_caps: ['A dog.'],
        diff_types: ['object'],
      },
    ]),
    'image,caption1,caption2,caption3,rating1,rating2,rating3\np.jpg,A.,B.,C.,1,5,5\n',
  ];
  return [
    ...texts.map((text) => Buffer.from(text)),
    Buffer.from(`\ufeff${texts[2]}`, 'utf16le'),
    Buffer.from(`\ufeff${texts[3]}`, 'utf16le').swap16(),
  ];
}
