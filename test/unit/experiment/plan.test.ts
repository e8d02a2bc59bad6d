import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CaptiousError } from '../../../src/base/errors';
import type { Said } from '../../../src/base/say';
import { splitPath } from '../../../src/dataset/parts/splits';
import { readExperiment } from '../../../src/experiment/check';
import { type Plan, planOf } from '../../../src/experiment/plan';
import { cellsOf } from '../../../src/experiment/run';

describe('the plan of an experiment', () => {
  const folder = mkdtempSync(join(tmpdir(), 'captious-plan-'));
  const home = join(folder, 'home');

  before(() => {
    for (const name of ['train', 'val', 'images']) mkdirSync(join(folder, name));
    for (const name of [
      'captions.json',
      'train/captions.json',
      'val/captions.json',
      'val/captions.tsv',
      'a.json',
    ])
      writeFileSync(join(folder, name), '[]');
    writeFileSync(join(folder, 'mine.evaluator.json'), '{ "kind": "cosine", "encoder": "starter" }');
  });

  after(() => rmSync(folder, { recursive: true }));

  async function plan(keys: object, run?: string): Promise<Plan> {
    const path = join(folder, 'captious.json');
    const whole = { datasets: ['captions.json'], probes: ['lgip'], evaluators: ['starter'], out: 'reports' };
    writeFileSync(path, JSON.stringify({ ...whole, ...keys }));
    return planOf(await readExperiment(path), run, home);
  }

  async function errorOf(keys: object, run?: string): Promise<CaptiousError> {
    try {
      await plan(keys, run);
    } catch (error) {
      assert.ok(error instanceof CaptiousError, String(error));
      assert.match(error.at!, /captious\.json:1:\d+$/);
      return error;
    }
    return assert.fail('The file was accepted.');
  }

  const foldersOf = ({ groups }: Plan): string[] =>
    groups.map(({ out }) => out.slice(folder.length + 1).replaceAll('\\', '/'));

  it('puts the reports of one dataset directly into the folder', async () => {
    const { groups, sha256 } = await plan({});
    assert.equal(groups[0].dataset.path, join(folder, 'captions.json'));
    assert.deepEqual(foldersOf(await plan({})), ['reports']);
    assert.match(sha256, /^[0-9a-f]{64}$/);
  });

  it('gives several datasets distinct folders', async () => {
    assert.deepEqual(foldersOf(await plan({ datasets: ['a.json', 'captions.json'] })), [
      'reports/a',
      'reports/captions',
    ]);
    const same = ['train/captions.json', 'val/captions.json', 'val/captions.tsv', 'a.json'];
    const folders = foldersOf(await plan({ datasets: same }));
    assert.equal(new Set(folders.map((one) => one.toLowerCase())).size, 4);
    assert.equal(folders[0], 'reports/train-captions.json');
    const named = [{ path: 'train/captions.json', name: 'train' }, 'val/captions.json'];
    assert.deepEqual(foldersOf(await plan({ datasets: named })), ['reports/train', 'reports/captions']);
    await errorOf({ datasets: ['a.json', 'a.json'] });
    await errorOf({
      datasets: [
        { path: 'a.json', name: 'x' },
        { path: 'captions.json', name: 'X' },
      ],
    });
  });

  it('reads a split and a configuration of a folder', async () => {
    const own = join(folder, 'hub');
    for (const name of ['train', 'test']) {
      mkdirSync(join(own, 'plain', name), { recursive: true });
      writeFileSync(join(own, 'plain', name, 'a.jsonl'), '{}');
    }
    const names = ['one', 'two'].map((name) => `- config_name: ${name}\n  data_files: ${name}.jsonl\n`);
    mkdirSync(join(own, 'card'));
    writeFileSync(join(own, 'card/README.md'), `---\nconfigs:\n${names.join('')}---\n`);
    for (const name of ['one', 'two']) writeFileSync(join(own, `card/${name}.jsonl`), '{}');
    const { groups } = await plan({
      datasets: [
        { path: 'hub/plain', split: 'test' },
        { path: 'hub/plain', split: 'all' },
        { path: 'hub/card', config: 'two' },
        { path: 'hub/card', config: 'one', split: 'train', name: 'first' },
      ],
    });
    assert.deepEqual(
      groups.map(({ dataset }) => dataset),
      [
        { path: await splitPath(join(own, 'plain'), { split: 'test' }), name: 'plain-test' },
        { path: await splitPath(join(own, 'plain'), { split: 'all' }), name: 'plain-all' },
        { path: join(own, 'card/two.jsonl'), name: 'card-two' },
        { path: join(own, 'card/one.jsonl'), name: 'first' },
      ],
    );
    const codeOf = async (entry: object) => {
      const { what, at } = await errorOf({ datasets: [entry] });
      return [(what as Said).code, at?.split(':').at(-1)];
    };
    const place = (entry: object, key: string) => {
      const start = '{"datasets":['.length;
      return String(start + JSON.stringify(entry).indexOf(`"${key}":`) + key.length + 4);
    };
    for (const [entry, code, key] of [
      [{ path: 'hub/plain', split: 'tets' }, 'dataset.unknownSplit', 'split'],
      [{ path: 'hub/card', config: 'tow', split: 'train' }, 'dataset.unknownConfig', 'config'],
      [{ path: 'hub/card', split: 'train' }, 'dataset.severalConfigs', 'split'],
      [{ path: 'a.json', split: 'train' }, 'dataset.splitOfFile', 'split'],
    ] as const)
      assert.deepEqual(await codeOf(entry), [code, place(entry, key)]);
  });

  it('leaves the number of draws to the size of the dataset, but several seeds are draws already', async () => {
    const drawsIn = async (more: object) => (await plan(more)).groups.map(({ draws }) => draws);
    assert.deepEqual(await drawsIn({}), [undefined]);
    assert.deepEqual(await drawsIn({ seeds: [7] }), [undefined]);
    assert.deepEqual(await drawsIn({ draws: 3 }), [3]);
    assert.deepEqual(await drawsIn({ seeds: [1, 2] }), [1, 1]);
    assert.deepEqual(await drawsIn({ seeds: [1, 2], draws: 5 }), [5, 5]);
  });

  it('gives several seeds and named runs their own folders', async () => {
    assert.deepEqual(foldersOf(await plan({ seeds: [1] })), ['reports']);
    assert.deepEqual(foldersOf(await plan({ seeds: [1, 2] })), ['reports/seed-1', 'reports/seed-2']);
    const runs = { quick: { limit: 3 }, other: { out: 'elsewhere' } };
    const quick = await plan({ runs, limit: 10 }, 'quick');
    assert.deepEqual(foldersOf(quick), ['reports/quick']);
    assert.equal(quick.groups[0].limit, 3);
    assert.equal(quick.run, 'quick');
    assert.deepEqual(foldersOf(await plan({ runs }, 'other')), ['elsewhere']);
    assert.match((await errorOf({ runs }, 'quik')).remedy!, /\bquick\?/);
    await errorOf({ datasets: ['a.json', 'captions.json'], runs: { a: {} } });
  });

  it('takes options as the command line does, and paths relative to the file', async () => {
    const { options, evaluators, groups } = await plan({
      probes: [{ id: 'lgip', options: { asInPaper: true, mostFlips: 2 } }, 'visla'],
      evaluators: ['starter', 'mine.evaluator.json', { kind: 'cosine', name: 'own', encoder: 'starter' }],
      datasets: [{ path: 'a.json', images: 'images', probes: ['visla'], limit: 7, map: { image: 'photo' } }],
    });
    assert.deepEqual(options, { lgip: { asInPaper: 'true', mostFlips: '2' } });
    assert.deepEqual(evaluators, ['starter', './mine.evaluator.json', './captious.json#own']);
    const [{ images, probes, limit, map }] = groups;
    assert.deepEqual(
      { images, probes, limit, map: { ...map } },
      {
        ...{ images: [join(folder, 'images')], probes: ['visla'], limit: 7, map: { image: 'photo' } },
      },
    );
  });

  it('has a cell for each dataset, seed, probe and evaluator', async () => {
    const cells = cellsOf(
      await plan({
        datasets: [{ path: 'a.json', probes: ['lgip'] }, 'captions.json'],
        ...{ probes: ['lgip', 'visla'], evaluators: ['starter', 'clipscore:starter'], seeds: [1, 2] },
      }),
    );
    assert.equal(cells.length, 2 * 2 * (1 + 2));
    assert.equal(new Set(cells.map(({ state }) => state)).size, 1);
  });

  it('rejects what cannot run, with the place in the file', async () => {
    assert.match((await errorOf({ datasets: ['caption.json'] })).remedy!, /\bcaptions\.json\?/);
    assert.match((await errorOf({ images: 'image' })).remedy!, /\bimages\?/);
    await errorOf({ datasets: ['trial'] });
    await errorOf({ references: 'none.json' });
    await errorOf({ evaluators: ['nobody'] });
    await errorOf({ evaluators: ['starter', 'starter'] });
    await errorOf({ probes: ['lgip', { id: 'lgip', options: { asInPaper: true } }] });
    await errorOf({ thresholds: { failOn: ['lgip.pr <'] } });
    await errorOf({ datasets: [{ path: 'a.json', probes: ['visla'] }] });
    await errorOf({ runs: { quick: { evaluators: ['nobody'] } } }, 'quick');
  });
});
