import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { experimentLenses } from '../../../../src/editor/experiment/experimentLenses';
import type { ExperimentLayout } from '../../../../src/protocol/experiment';
import { experimentLayout } from '../../../../src/service/experimentLayout';

describe('the lenses of an experiment file', () => {
  const group = { dataset: '/a.json', probes: ['lgip'], evaluators: ['starter'], images: [], options: {} };
  const layout: ExperimentLayout = {
    runs: [
      { line: 1, groups: [{ ...group, out: '/out' }] },
      { name: 'quick', line: 7, groups: [{ ...group, out: '/out/quick' }] },
    ],
  };
  const shown = (of: ExperimentLayout, results: string[] = []) =>
    experimentLenses(of, 'file:///captious.json', (out) => results.includes(out));

  it('run all or what changed, above the file and each named run', () => {
    assert.deepEqual(
      shown(layout).map(({ line, command }) => [line, command?.id, command?.arguments[1]]),
      [
        [0, 'captious.runExperiment', { all: true }],
        [0, 'captious.runExperiment', { all: false }],
        [6, 'captious.runExperiment', { run: 'quick', all: true }],
        [6, 'captious.runExperiment', { run: 'quick', all: false }],
      ],
    );
  });

  it('open results where there are some', () => {
    const open = shown(layout, ['/out/quick']).filter(
      ({ command }) => command?.id === 'captious.openExperiment',
    );
    assert.deepEqual(
      open.map(({ line, command }) => [line, command?.arguments]),
      [[6, ['file:///captious.json', { run: 'quick' }]]],
    );
  });

  it('say why a run cannot start, in place of its commands', () => {
    const [{ groups, ...first }] = layout.runs;
    assert.equal(groups.length, 1);
    const [lens, ...more] = shown({ runs: [{ ...first, groups: [], problem: 'No.' }] });
    assert.equal(more.length, 0);
    assert.deepEqual([lens.title, lens.command], ['No.', undefined]);
  });
});

describe('the layout of an experiment file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'captious-layout-'));
  const path = join(folder, 'captious.json');
  const rest = '"probes": ["lgip"], "evaluators": ["starter"], "out": "reports"';

  before(() => writeFileSync(join(folder, 'a.json'), '[]'));
  after(() => rmSync(folder, { recursive: true }));

  it('has the line of each run, and its audits', async () => {
    const text = `{ "datasets": ["a.json"], ${rest},\n"runs": {\n "quick": { "limit": 3 },\n "no": { "datasets": ["b.json"] } } }`;
    const { runs } = await experimentLayout(path, text, folder);
    assert.deepEqual(
      runs.map(({ name, line, groups }) => [name, line, groups.map(({ limit }) => limit)]),
      [
        [undefined, 1, [undefined]],
        ['quick', 3, [3]],
        ['no', 4, []],
      ],
    );
    assert.deepEqual(
      runs.map(({ problem }) => problem !== undefined),
      [false, false, true],
    );
    assert.equal(runs[0].groups[0].out, join(folder, 'reports'));
  });

  it('of an invalid file is its mistake', async () => {
    const { runs } = await experimentLayout(path, '{ "datasets": [', folder);
    assert.equal(runs.length, 1);
    assert.ok(runs[0].problem !== undefined);
  });
});
