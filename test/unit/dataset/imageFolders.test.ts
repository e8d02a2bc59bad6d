import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CaptiousError } from '../../../src/base/errors';
import { Fingerprints } from '../../../src/base/files/fingerprints';
import { Exclusions } from '../../../src/audit/exclusions';
import type { Example } from '../../../src/dataset/example';
import { inspectDataset } from '../../../src/dataset/inspect';
import { openDataset } from '../../../src/dataset/open';
import { datasetHash } from '../../../src/dataset/parts/hash';
import { splitPath } from '../../../src/dataset/parts/splits';
import { readAll, scratchFolder } from './support';

const scratch = scratchFolder();
let folders = 0;

function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = join(scratch.path, `set-${++folders}`);
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(join(folder, file, '..'), { recursive: true });
    scratch.write(join(`set-${folders}`, file), content);
  }
  return folder;
}

const pairs = {
  'b/2.jpg': 'two',
  'b/2.txt': '\ufeffA dog.\r\n\r\n  Étude of a dog. \r\n',
  'b/10.png': 'ten',
  'b/10.txt': 'A cat.',
  '1.webp': 'one',
  '1.caption': 'A bird.\n',
};
const codeOf = ({ what }: CaptiousError): string => (what as { code: string }).code;

async function rejected(path: string): Promise<CaptiousError> {
  const error: unknown = await openDataset(path).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof CaptiousError);
  return error;
}

describe('a folder of images and texts', () => {
  it('has a caption for each line of a text, with its place', async () => {
    const folder = folderOf(pairs);
    const { examples, problems, dataset } = await readAll(folder);
    assert.deepEqual([problems, dataset.format, dataset.parts], [[], 'plain', undefined]);
    assert.deepEqual(
      examples.map(({ id, row, images, captions }) => [
        id,
        row,
        images[0].name,
        captions.map(({ text }) => text),
      ]),
      [
        ['1', 0, '1.webp', ['A bird.']],
        ['b/2', 1, 'b/2.jpg', ['A dog.', 'Étude of a dog.']],
        ['b/10', 2, 'b/10.png', ['A cat.']],
      ],
    );
    for (const { captions } of examples)
      for (const { text, place } of captions) {
        const bytes = readFileSync(join(folder, place!.part!));
        assert.equal(bytes.subarray(place!.offset, place!.offset + place!.length).toString(), text);
      }
    assert.deepEqual(
      examples[1].captions.map(({ place }) => [place?.line, place?.column]),
      [
        [1, 1],
        [3, 3],
      ],
    );
  });

  it('is inspected as a file is, also by a glob or a brace pattern', async () => {
    const folder = folderOf(pairs);
    const paths = ['', '**', '**/*', '{b/2.txt,b/10.txt,1.caption}', '{b/**,*.caption}'];
    for (const path of paths) {
      const { format, examples, captions, images, problems } = await inspectDataset(join(folder, path));
      assert.deepEqual(
        [format, examples, captions, images.distinct, images.found],
        ['plain', 3, 4, 3, 3],
        path,
      );
      assert.deepEqual(problems, [], path);
    }
    const some = await inspectDataset(join(folder, 'b', '*.txt'));
    assert.deepEqual([some.examples, some.images.found], [2, 2]);
  });

  it('counts and names images without text, texts without image, and empty texts', async () => {
    const folder = folderOf({
      ...pairs,
      'c/x.jpg': '',
      'notes.txt': 'Hello.',
      'b/3.jpg': '',
      'b/3.txt': ' \n',
    });
    const { problems, examples } = await inspectDataset(folder);
    assert.equal(examples, 3);
    assert.deepEqual(
      problems.map(({ code, severity, count, first }) => [code, severity, count, first[0].place?.part]),
      [
        ['empty-caption', 'error', 1, 'b/3.txt'],
        ['missing-text', 'error', 1, 'c/x.jpg'],
        ['missing-image', 'error', 1, 'notes.txt'],
      ],
    );
    const exclusions = new Exclusions();
    for (const problem of (await readAll(folder)).problems) exclusions.book(problem);
    assert.deepEqual([exclusions.skipped, exclusions.leftOut().flatMap(({ lines }) => lines).length], [3, 3]);
  });

  it('reads after a position', async () => {
    const folder = folderOf(pairs);
    const { dataset, examples } = await readAll(folder);
    for (const [i, { row }] of examples.entries()) {
      const rest: Example[] = [];
      for await (const example of dataset.after!({ row, nth: 1 })!) rest.push(example);
      assert.deepEqual(rest, examples.slice(i + 1));
    }
  });

  it('has a hash of the texts and the names of the images', async () => {
    const hash = (path: string): Promise<string> => datasetHash(path, new Fingerprints(undefined));
    const folder = folderOf(pairs);
    const own = await hash(folder);
    assert.equal(await hash(folderOf({ ...pairs, 'alone.jpg': '' })), own);
    assert.notEqual(await hash(folderOf({ ...pairs, 'b/2.txt': 'A dog.' })), own);
    rmSync(join(folder, '1.webp'));
    writeFileSync(join(folder, '1.jpg'), 'one');
    assert.notEqual(await hash(folder), own);
  });

  it('skips loops of links, a text that vanishes, and one that is too long', async () => {
    const folder = folderOf({ ...pairs, 'b/4.jpg': '', 'b/4.txt': 'x'.repeat((1 << 20) + 1) });
    symlinkSync(folder, join(folder, 'b', 'loop'));
    const dataset = await openDataset(folder);
    rmSync(join(folder, 'b', '10.txt'));
    const problems: unknown[] = [];
    const ids: string[] = [];
    for await (const { id } of dataset.read({
      onProblem: ({ code, place }) => problems.push([code, place?.part]),
    }))
      ids.push(id);
    assert.deepEqual(ids, ['1', 'b/2']);
    assert.deepEqual(problems, [
      ['broken-row', 'b/4.txt'],
      ['broken-row', 'b/10.txt'],
    ]);
  });

  it('rejects a folder that also has dataset files, and leaves settings next to images aside', async () => {
    const folder = folderOf({ ...pairs, 'table.csv': 'image,caption\nb/2.jpg,A dog.\n', 'b/2.json': '{}' });
    const { what } = await rejected(folder);
    assert.deepEqual(what, { code: 'dataset.filesAndTexts', values: ['table.csv', 'b/2.txt'] });
    assert.equal((await readAll(join(folder, '*.csv'))).examples.length, 1);
    assert.equal((await readAll(join(folder, '**', '*.txt'))).examples.length, 2);
    rmSync(join(folder, 'table.csv'));
    assert.equal((await readAll(folder)).examples.length, 3);
    assert.equal(
      codeOf(await rejected(folderOf({ 'x.jpg': '', 'y.txt': 'No.' }))),
      'dataset.folderWithoutDatasets',
    );
  });

  it('has splits by the names of its folders', async () => {
    const folder = folderOf({
      'train/1.jpg': '',
      'train/1.txt': 'One.',
      'val/1.jpg': '',
      'val/1.txt': 'Two.',
    });
    assert.equal(codeOf(await rejected(folder)), 'dataset.severalSplits');
    const { examples } = await readAll(await splitPath(folder, { split: 'validation' }));
    assert.deepEqual(
      examples.map(({ captions, images }) => [captions[0].text, images[0].name]),
      [['Two.', '1.jpg']],
    );
    assert.equal((await readAll(await splitPath(folder, { split: 'all' }))).examples.length, 2);
  });
});

describe("ImageFolder's metadata", () => {
  const rows = (...names: string[]): string =>
    `file_name,text\n${names.map((name) => `${name},Of ${name}.\n`).join('')}`;

  it('names images from its own folder, and counts images without a row', async () => {
    const folder = folderOf({
      'a/metadata.csv': rows('1.jpg', 'deep/2.jpg', 'gone.jpg'),
      'b/metadata.csv': rows('1.jpg', '../../secret.jpg'),
      ...{ 'a/1.jpg': '', 'a/deep/2.jpg': '', 'a/3.jpg': '', 'b/1.jpg': '' },
    });
    const { examples, images, problems } = await inspectDataset(folder);
    assert.deepEqual([examples, images.distinct, images.found], [5, 5, 3]);
    assert.deepEqual(
      [images.missing.first[0].name, images.refused.first[0].name],
      ['a/gone.jpg', 'b/../../secret.jpg'],
    );
    assert.deepEqual(
      problems.map(({ code, count, first }) => [code, count, first[0].place?.part]),
      [['missing-text', 1, 'a/3.jpg']],
    );
    const { dataset } = await readAll(folder);
    assert.equal(dataset.after!({ row: 0, nth: 1 }), undefined);
  });

  it('is read as JSON Lines, too', async () => {
    const line = `${JSON.stringify({ file_name: 'images/1.png', text: 'One.' })}\n`;
    const { examples, images, problems } = await inspectDataset(
      folderOf({ 'metadata.jsonl': line, 'images/1.png': '' }),
    );
    assert.deepEqual([examples, images.found, problems], [1, 1, []]);
  });
});
