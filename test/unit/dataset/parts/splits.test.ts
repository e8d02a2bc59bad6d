import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { CaptiousError } from '../../../../src/base/errors';
import type { Words } from '../../../../src/base/say';
import { inSplit } from '../../../../src/cli/arguments';
import { createImageFinder } from '../../../../src/dataset/images/images';
import { partPaths } from '../../../../src/dataset/parts/partPaths';
import { splitPath, type Wanted } from '../../../../src/dataset/parts/splits';
import { readAll, scratchFolder } from '../support';

const scratch = scratchFolder();
let folders = 0;
const codeOf = (words: Words) => (words as { code: string }).code;

function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = join(scratch.path, `set-${++folders}`);
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(join(folder, file, '..'), { recursive: true });
    scratch.write(join(`set-${folders}`, file), content);
  }
  return folder;
}

const table = 'image,caption\na.jpg,One.\n';
const card = (matter: string): string => `---\n${matter}\n---\n# Text\n`;

async function rejected(act: Promise<unknown>): Promise<CaptiousError> {
  const error: unknown = await act.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof CaptiousError);
  return error;
}

async function namesOf(folder: string, wanted: Wanted): Promise<readonly string[]> {
  const path = await splitPath(folder, wanted);
  const { names = [path], folder: inner = '' } = (await partPaths(path)) ?? {};
  return names.map((name) => join(inner, name).slice(folder.length + 1));
}

describe('splits of a folder', () => {
  interface Expected {
    datasets: string;
    readings: { folder: string; config?: string; split: string; rows: Record<string, string>[] }[];
  }
  const oracle = resolve('test/oracle/dataset');
  const { readings } = JSON.parse(readFileSync(join(oracle, 'layouts.json'), 'utf8')) as Expected;

  for (const { folder, config, split, rows } of readings)
    it(`reads ${[folder, config ?? [], split].flat().join(' ')} as datasets does`, async () => {
      const path = await splitPath(join(oracle, 'layouts', folder), { split, ...(config && { config }) });
      const { dataset, examples, problems } = await readAll(path);
      const finder = createImageFinder({ dataset, folders: [] });
      const found: Record<string, string>[] = [];
      for (const { id, captions, images, attributes } of examples) {
        const [{ name, bytes }] = images;
        const file = bytes === undefined ? await finder.find(name) : undefined;
        const content = bytes ?? (file?.ok === true ? readFileSync(file.path) : undefined);
        found.push({
          id: typeof attributes.id === 'string' ? attributes.id : id,
          caption: captions[0].text,
          ...(content === undefined
            ? { image: name }
            : { sha256: createHash('sha256').update(content).digest('hex') }),
        });
      }
      assert.deepEqual(found, rows);
      assert.deepEqual(problems, []);
    });

  it('names the splits and the option if none is named, in inspection as in the path', async () => {
    const folder = folderOf({ 'train.csv': table, 'test.csv': table });
    for (const act of [readAll(folder), splitPath(folder, {}), splitPath(folder, { config: 'default' })]) {
      const { what, remedy, at } = await rejected(act);
      assert.deepEqual(what, { code: 'dataset.severalSplits', values: ['train, test'] });
      assert.match(String(remedy), /--split train\b/);
      assert.equal(at, folder);
    }
  });

  it('reads all splits if asked', async () => {
    const names = { 'train.csv': table, 'test.csv': table };
    assert.deepEqual(await namesOf(folderOf(names), { split: 'all' }), ['test.csv', 'train.csv']);
    const shards = { 'data/train-00000-of-00001.csv': table, 'data/x-00000-of-00002.csv': table };
    const folder = folderOf({ ...shards, 'data/x-00001-of-00002.csv': table, 'other.csv': table });
    const all = await namesOf(folder, { split: 'all' });
    assert.deepEqual(all.length, 3);
    assert.deepEqual(await namesOf(folder, { split: 'x' }), [
      'data/x-00000-of-00002.csv',
      'data/x-00001-of-00002.csv',
    ]);
  });

  it('counts a missing shard', async () => {
    const names = [
      'data/train-00000-of-00003.csv',
      'data/train-00002-of-00003.csv',
      'data/dev-00000-of-00001.csv',
    ];
    const folder = folderOf(Object.fromEntries(names.map((name) => [name, table])));
    const { problems } = await readAll(await splitPath(folder, { split: 'train' }));
    assert.equal(problems.filter(({ code }) => code === 'broken-part').length, 1);
  });

  it('names the nearest of an unknown split or configuration', async () => {
    const folder = folderOf({
      'README.md': card(
        'configs:\n- config_name: main\n  data_files:\n  - {split: train, path: a.csv}\n  - {split: dev, path: b.csv}\n- config_name: other\n  data_files: b.csv',
      ),
      'a.csv': table,
      'b.csv': table,
    });
    const wrongs: [Wanted, string, string][] = [
      [{ config: 'main', split: 'trains' }, 'dataset.unknownSplit', 'train'],
      [{ config: 'others' }, 'dataset.unknownConfig', 'other'],
    ];
    for (const [wanted, code, near] of wrongs) {
      const { what, remedy } = await rejected(splitPath(folder, wanted));
      assert.equal(codeOf(what), code);
      assert.match(String(remedy), new RegExp(`mean ${near}\\?`));
    }
    const { what, remedy } = await rejected(readAll(folder));
    assert.deepEqual(what, { code: 'dataset.severalConfigs', values: ['main, other'] });
    assert.match(String(remedy), /--config main\b/);
    assert.deepEqual(await namesOf(folder, { config: 'other' }), ['b.csv']);
    const plain = folderOf({ 'a.csv': table });
    assert.equal(codeOf((await rejected(splitPath(plain, { split: 'dev' }))).what), 'dataset.unknownSplit');
    assert.equal(codeOf((await rejected(splitPath(plain, { config: 'x' }))).what), 'dataset.unknownConfig');
    assert.deepEqual(await namesOf(plain, { split: 'train' }), ['a.csv']);
    assert.equal(
      codeOf((await rejected(splitPath(join(plain, 'a.csv'), { split: 'train' }))).what),
      'dataset.splitOfFile',
    );
  });

  it('opens the only split of a card, with places that start at the folder', async () => {
    const folder = folderOf({
      'README.md': card('configs:\n- config_name: default\n  data_files: "data/*.csv"'),
      'data/a.csv': table,
      'rest.csv': 'x\n1\n',
    });
    const { examples, dataset } = await readAll(folder);
    assert.deepEqual([dataset.parts, examples[0].place?.part], [['data/a.csv'], 'data/a.csv']);
  });

  it('reads the folders of dataset_dict.json', async () => {
    const folder = folderOf({
      'dataset_dict.json': '{"splits": ["train", "held_out"]}',
      'train/a.csv': table,
      'held_out/b.csv': table,
    });
    assert.deepEqual(await namesOf(folder, { split: 'held_out' }), ['held_out/b.csv']);
    assert.deepEqual((await rejected(readAll(folder))).what, {
      code: 'dataset.severalSplits',
      values: ['train, held_out'],
    });
    for (const [content, code] of [
      ['{', 'base.invalidCommentedJson'],
      ['{"splits": ["../x"]}', 'dataset.dictWithoutSplits'],
      ['{"splits": ["train"]}', 'dataset.splitFolderMissing'],
    ])
      assert.equal(codeOf((await rejected(readAll(folderOf({ 'dataset_dict.json': content })))).what), code);
  });

  it('knows the splits that dataset_info.json lists', async () => {
    const info = JSON.stringify({ splits: { held: { name: 'held' }, train: { name: 'train' } } });
    const folder = folderOf({ 'dataset_info.json': info, 'csv-held.csv': table, 'csv-train.csv': table });
    assert.deepEqual(await namesOf(folder, { split: 'held' }), ['csv-held.csv']);
  });

  it('rejects bad cards with their line', async () => {
    const files = (value: string): string => `configs:\n- config_name: default\n  data_files: ${value}`;
    const cards: [string, string, number][] = [
      ['configs: [', 'base.invalidYaml', 3],
      ['license: !!python/object:os.system x', 'base.invalidYaml', 2],
      ['configs: 1', 'dataset.cardConfigs', 2],
      ['configs:\n- name: x', 'dataset.cardConfigs', 3],
      [files('7'), 'dataset.cardDataFiles', 4],
      [files('[{split: a}]'), 'dataset.cardDataFiles', 4],
      [files('[{split: a, path: a.csv}, {split: a, path: a.csv}]'), 'dataset.cardSplitTwice', 4],
      [files('https://example.org/a.csv'), 'dataset.cardUrl', 4],
      [files('hf://datasets/x/a.csv'), 'dataset.cardUrl', 4],
      [files('../a.csv'), 'dataset.cardOutside', 4],
      [files('/etc/passwd'), 'dataset.cardOutside', 4],
      [files('gone-*.csv'), 'dataset.cardWithoutMatch', 3],
      [files('gone/a.csv'), 'dataset.cardWithoutMatch', 3],
    ];
    for (const [matter, code, line] of cards) {
      const folder = folderOf({ 'README.md': card(matter), 'a.csv': table });
      const { what, at } = await rejected(readAll(folder));
      assert.equal(codeOf(what), code, matter);
      assert.match(at ?? '', new RegExp(`README\\.md:${line}:`), matter);
    }
    assert.equal(
      (await readAll(folderOf({ 'README.md': '# No matter', 'a.csv': table }))).examples.length,
      1,
    );
  });

  it('replaces folders on the command line', async () => {
    const folder = folderOf({ 'train.csv': table, 'test.csv': table });
    const { positionals, values } = await inSplit(
      { positionals: [folder], values: { split: 'test', out: 'x' } },
      new AbortController().signal,
    );
    assert.deepEqual([positionals, values], [[join(folder, 'test.csv')], { out: 'x' }]);
  });
});
