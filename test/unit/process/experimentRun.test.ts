import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { CaptiousError } from '../../../src/base/errors';
import { runDataset } from '../../../src/process/experimentRun';

describe('a dataset of an experiment in the editor', function () {
  this.timeout(120_000);
  const folder = mkdtempSync(join(tmpdir(), 'captious-dataset-'));
  const file = join(folder, 'captious.json');

  before(() => {
    for (const name of ['one.json', 'two.json']) cpSync('samples/captions.json', join(folder, name));
    cpSync('samples/images', join(folder, 'images'), { recursive: true });
    writeFileSync(
      file,
      JSON.stringify({
        ...{ datasets: ['one.json', 'two.json'], probes: ['lgip', 'visla'] },
        evaluators: [resolve('test/fixtures/models/clip')],
        ...{ limit: 2, spread: false, out: 'reports', outputs: ['md', 'tex'] },
      }),
    );
  });

  after(() => rmSync(folder, { recursive: true }));

  async function run(out: string, all = false): Promise<{ reports: string[]; made: number; error: unknown }> {
    const reports: string[] = [];
    let made = 0;
    const error: unknown = await runDataset(
      { out: join(folder, out), home: join(folder, 'home'), experiment: { file, all } },
      {
        signal: new AbortController().signal,
        onEvent: ({ type }) => (made += Number(type === 'report')),
        onReport: (path) => reports.push(basename(path)),
      },
    ).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    return { reports, made, error };
  }

  it('announces its reports, also unchanged ones, and fails if a cell failed', async () => {
    const first = await run('reports/one');
    // The dataset has no triplets for VISLA.
    assert.ok(first.error instanceof CaptiousError);
    assert.deepEqual(first.reports, ['lgip.clip.report.json']);
    assert.ok(existsSync(join(folder, 'reports/one/lgip.clip.md')));
    assert.ok(!existsSync(join(folder, 'reports/two')));
    assert.ok(!existsSync(join(folder, 'reports/paper')));

    const report = join(folder, 'reports/one/lgip.clip.report.json');
    const before = readFileSync(report, 'utf8');
    const second = await run('reports/one');
    assert.deepEqual(second.reports, first.reports);
    assert.equal(first.made - second.made, 1);
    assert.equal(readFileSync(report, 'utf8'), before);
    assert.equal((await run('reports/one', true)).made, first.made);
  });

  it('is rejected if the file no longer has the dataset', async () => {
    const { error } = await run('reports/three');
    assert.ok(error instanceof CaptiousError);
    assert.equal(error.at, file);
  });
});
