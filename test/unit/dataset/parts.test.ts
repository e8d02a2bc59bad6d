import assert from 'node:assert/strict';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { CaptiousError } from '../../../src/base/errors';
import { Fingerprints } from '../../../src/base/files/fingerprints';
import type { Words } from '../../../src/base/say';
import type { Example } from '../../../src/dataset/example';
import { ImagesInside } from '../../../src/dataset/images/embeddedImages';
import { inspectDataset } from '../../../src/dataset/inspect';
import { findInstances } from '../../../src/dataset/instances';
import { openDataset } from '../../../src/dataset/open';
import { datasetHash } from '../../../src/dataset/parts/hash';
import { partPaths } from '../../../src/dataset/parts/partPaths';
import { patternOf } from '../../../src/dataset/parts/paths';
import { readAll, scratchFolder } from './support';

const scratch = scratchFolder();
let folders = 0;
const codeOf = (words: Words) => (words as { code: string }).code;

/** A new folder with these files. A name may have folders. */
function folderOf(files: Readonly<Record<string, string | Uint8Array>>): string {
  const name = `set-${++folders}`;
  mkdirSync(join(scratch.path, name));
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(join(scratch.path, name, file, '..'), { recursive: true });
    scratch.write(join(name, file), content);
  }
  return join(scratch.path, name);
}

const line = (image: string, caption: string): string => `${JSON.stringify({ image, caption })}\n`;
const three = {
  'part-2.jsonl': line('b.jpg', 'Two.') + line('c.jpg', 'Three.'),
  'part-1.jsonl': line('a.jpg', 'One.'),
  'part-10.jsonl': line('a.jpg', 'Ten.'),
};

/** The examples without what depends on the files. */
function withoutPlaces(examples: readonly Example[]): unknown {
  return JSON.parse(JSON.stringify(examples, (key, value: unknown) => (key === 'place' ? undefined : value)));
}

async function rejected(path: string): Promise<CaptiousError> {
  const error: unknown = await openDataset(path).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof CaptiousError);
  return error;
}

describe('a dataset of several files', () => {
  it('is the same as the file that concatenates them', async () => {
    const folder = folderOf(three);
    const names = ['part-1.jsonl', 'part-2.jsonl', 'part-10.jsonl'] as const;
    const whole = scratch.write('whole.jsonl', names.map((name) => three[name]).join(''));
    const { examples, dataset } = await readAll(folder);
    assert.deepEqual(dataset.parts, names);
    assert.deepEqual(withoutPlaces(examples), withoutPlaces((await readAll(whole)).examples));
    assert.deepEqual(
      examples.map(({ id, row, place }) => [id, row, place?.part, place?.line]),
      [
        ['0', 0, 'part-1.jsonl', 1],
        ['1', 1, 'part-2.jsonl', 1],
        ['2', 2, 'part-2.jsonl', 2],
        ['3', 3, 'part-10.jsonl', 1],
      ],
    );
    assert.equal(examples[2].captions[0].place?.part, 'part-2.jsonl');
    for (const pattern of ['part-*.jsonl', 'part-{1,2,10}.jsonl', '*', '**/*.jsonl'])
      assert.deepEqual((await readAll(join(folder, pattern))).examples, examples, pattern);
  });

  it('is inspected as a file is', async () => {
    const folder = folderOf({ ...three, 'a.jpg': '', 'README.md': '#', '.hidden.jsonl': '{' });
    for (const path of [folder, join(folder, '*.jsonl'), join(folder, 'part-{1..10}.jsonl')]) {
      const { format, examples, captions, images, size, sha256 } = await inspectDataset(path);
      assert.deepEqual(
        [format, examples, captions, images.distinct, images.found],
        ['plain', 4, 4, 3, 1],
        path,
      );
      assert.equal(size, Object.values(three).join('').length);
      assert.equal(sha256, await datasetHash(path, new Fingerprints(undefined)));
    }
  });

  it('joins tables, each with its header, and entries with equal ids', async () => {
    const folder = folderOf({
      'a.csv': 'id,image,caption\n1,a.jpg,One.\n',
      'b.csv': 'id,image,caption\n1,b.jpg,Two.\n2,c.jpg,Three.\n',
    });
    const { examples, problems } = await readAll(folder);
    assert.deepEqual(
      examples.map(({ id, place }) => [id, place?.part, place?.line]),
      [
        ['1', 'a.csv', 2],
        ['1 (entry 2)', 'b.csv', 2],
        ['2', 'b.csv', 3],
      ],
    );
    assert.deepEqual(
      problems.map(({ code, place }) => [code, place?.part, place?.line]),
      [['duplicate-id', 'b.csv', 2]],
    );
  });

  it('reads after a position in any file', async () => {
    for (const folder of [folderOf(three), folderOf(parquetParts())]) {
      const { dataset, examples } = await readAll(folder);
      for (const [i, { row, place }] of examples.entries()) {
        const rest: Example[] = [];
        for await (const example of dataset.after!({ row, nth: 1, place })!) rest.push(example);
        assert.deepEqual(rest, examples.slice(i + 1));
      }
    }
  });

  it('numbers the rows of Parquet files as one file', async () => {
    const { examples } = await readAll(folderOf(parquetParts()));
    assert.deepEqual(
      examples.map(({ id, row, images }) => [id, row, images[0].name]),
      [
        ['0', 0, 'a.jpg'],
        ['1', 1, 'b.jpg'],
        ['2', 2, 'c.jpg'],
      ],
    );
  });

  it('finds the images inside any Parquet file', async () => {
    const file = (...images: string[]): Uint8Array =>
      new Uint8Array(
        parquetWriteBuffer({
          columnData: [
            { name: 'image', data: images.map((text) => Buffer.from(text)), type: 'BYTE_ARRAY' },
            { name: 'caption', data: images.map((text) => `Of ${text}.`), type: 'STRING' },
          ],
        }),
      );
    const folder = folderOf({ '1.parquet': file('one', 'two'), '2.parquet': file('three') });
    const inside = await ImagesInside.open(folder);
    const { examples } = await readAll(folder);
    assert.deepEqual(
      examples.map(({ images }) => images[0].name),
      ['row 0', 'row 1', 'row 2'],
    );
    for (const { images } of examples)
      assert.deepEqual(await inside?.find(images[0].name), new Uint8Array(images[0].bytes!));
    const last: Example[] = [];
    const { dataset } = await readAll(folder);
    for await (const example of dataset.at!(2)) last.push(example);
    assert.deepEqual(last, [examples[2]]);
    assert.equal(await ImagesInside.open(folderOf(three)), undefined);
  });

  it('names and counts a broken or missing file, and reads the others', async () => {
    const folder = folderOf({ ...three, 'part-3.jsonl': '', 'part-4.jsonl': 'no\0thing' });
    symlinkSync(join(folder, 'gone'), join(folder, 'part-5.jsonl'));
    const { examples, problems } = await readAll(folder);
    assert.equal(examples.length, 4);
    assert.deepEqual(
      problems.map(({ code, severity, message }) => [code, severity, codeOf(message)]),
      Array(3).fill(['broken-part', 'error', 'dataset.partUnreadable']),
    );
    const named = await readAll(join(folder, 'part-{1..2}.jsonl'));
    assert.deepEqual([named.examples.length, named.problems.length], [3, 0]);
    const gap = await inspectDataset(join(folder, 'part-{1,7}.jsonl'));
    assert.deepEqual(
      [gap.examples, gap.problems.map(({ code, count }) => [code, count])],
      [1, [['broken-part', 1]]],
    );
  });

  it('reads the others if a file vanishes after opening', async () => {
    const folder = folderOf(three);
    const dataset = await openDataset(folder);
    rmSync(join(folder, 'part-2.jsonl'));
    const problems: string[] = [];
    const rows: number[] = [];
    for await (const { row } of dataset.read({ onProblem: ({ code }) => problems.push(code) }))
      rows.push(row);
    assert.deepEqual([rows.length, problems], [2, ['broken-part']]);
  });

  it('rejects files of different formats or columns, and names both', async () => {
    const others = {
      'z.jsonl': `${JSON.stringify({ image: 'a.jpg', caption: 'One.', negative_caption: 'Not one.' })}\n`,
      'z.csv': 'image,caption\na.jpg,One.\n',
      'z.json': JSON.stringify([{ image_of: 1, texts: 2 }]),
    };
    for (const [name, content] of Object.entries(others)) {
      const folder = folderOf({ ...three, [name]: content });
      const { what, at } = await rejected(folder);
      assert.deepEqual([codeOf(what), at], ['dataset.partsDiffer', folder], name);
      assert.match(String(JSON.stringify(what)), new RegExp(`part-1.jsonl.*${name}`));
    }
    const tables = folderOf({ 'a.csv': 'image,caption\na,b\n', 'b.csv': 'image,caption,tag\na,b,c\n' });
    assert.equal(codeOf((await rejected(tables)).what), 'dataset.partsDiffer');
  });

  it('rejects a folder or a pattern without datasets', async () => {
    const empty = folderOf({});
    assert.equal(codeOf((await rejected(empty)).what), 'dataset.folderWithoutDatasets');
    const other = folderOf({ 'a.jpg': '', 'README.md': '', '.b.jsonl': '{}', 'dataset_info.json': '{}' });
    const { what, remedy } = await rejected(other);
    assert.equal(codeOf(what), 'dataset.folderWithoutDatasets');
    assert.ok(remedy);
    assert.equal(codeOf((await rejected(join(other, '*.jsonl'))).what), 'dataset.globWithoutMatch');
    assert.equal(codeOf((await rejected(join(other, 'p-{1..3}.jsonl'))).what), 'dataset.globWithoutMatch');
    const broken = folderOf({ 'a.jsonl': '', 'b.jsonl': '' });
    assert.equal(codeOf((await rejected(broken)).what), 'dataset.fileEmpty');
  });

  it('skips loops of links and files that Captious wrote, and limits patterns', async () => {
    const folder = folderOf({
      'data/a.jsonl': three['part-1.jsonl'],
      'data/x.rows.jsonl': '{}',
      'x.report.json': '{}',
    });
    symlinkSync(folder, join(folder, 'data', 'loop'));
    assert.deepEqual((await partPaths(folder))?.names, ['data/a.jsonl']);
    assert.deepEqual((await partPaths(join(folder, '**/a.jsonl')))?.names, ['data/a.jsonl']);
    const { what } = await rejected(join(folder, '{1..99999999}.jsonl'));
    assert.equal(codeOf(what), 'dataset.tooManyParts');
  });

  it('takes a file or a folder whose name looks like a pattern as it is', async () => {
    const folder = folderOf({
      '[a]{b}/x[1].jsonl': three['part-1.jsonl'],
      'x1.jsonl': three['part-2.jsonl'],
    });
    assert.equal((await readAll(join(folder, '[a]{b}', 'x[1].jsonl'))).dataset.parts, undefined);
    assert.deepEqual((await readAll(join(folder, '[a]{b}'))).dataset.parts, ['x[1].jsonl']);
    assert.equal((await readAll(join(folder, '[a]{b}', '*'))).examples.length, 1);
    const copies = folderOf({ '!a (1)-1.jsonl': three['part-1.jsonl'], 'b.jsonl': three['part-2.jsonl'] });
    assert.deepEqual((await partPaths(join(copies, '!a (1)-*')))?.names, ['!a (1)-1.jsonl']);
  });

  it('has its objects and images in the folder in front of a pattern', async () => {
    const folder = folderOf({ 'a/1.jsonl': three['part-1.jsonl'], 'instances.json': '{}', 'a.jpg': '' });
    const path = join(folder, '**', '*.jsonl');
    assert.equal(findInstances(path), join(folder, 'instances.json'));
    assert.equal((await inspectDataset(path)).images.found, 1);
  });

  it('makes a pattern of the files that a shell lists', async () => {
    const folder = folderOf({ 'a/1.jsonl': three['part-1.jsonl'], '2.jsonl': three['part-2.jsonl'] });
    const pattern = patternOf([join(folder, 'a', '1.jsonl'), join(folder, '2.jsonl')]);
    assert.deepEqual((await partPaths(pattern))?.names, ['2.jsonl', 'a/1.jsonl']);
    assert.throws(() => patternOf([join(folder, 'a*'), join(folder, 'b')]), CaptiousError);
  });

  it('has a hash of its files in their order', async () => {
    const hash = (path: string): Promise<string> => datasetHash(path, new Fingerprints(undefined));
    const folder = folderOf(three);
    assert.equal(await hash(folder), await hash(join(folder, '*')));
    const renamed = folderOf({
      ...three,
      'part-1.jsonl': three['part-10.jsonl'],
      'part-10.jsonl': three['part-1.jsonl'],
    });
    assert.notEqual(await hash(folder), await hash(renamed));
    assert.notEqual(await hash(folder), await hash(join(folder, 'part-{1,2}.jsonl')));
  });
});

function parquetParts(): Record<string, Uint8Array> {
  const file = (columns: Readonly<Record<string, string[]>>): Uint8Array =>
    new Uint8Array(
      parquetWriteBuffer({
        columnData: Object.entries(columns).map(([name, data]) => ({ name, data, type: 'STRING' as const })),
      }),
    );
  return {
    'train-00000-of-00002.parquet': file({ image: ['a.jpg', 'b.jpg'], caption: ['One.', 'Two.'] }),
    'train-00001-of-00002.parquet': file({ image: ['c.jpg'], caption: ['Three.'] }),
  };
}
