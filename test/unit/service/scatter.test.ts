import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CaptiousError } from '../../../src/base/errors';
import { scatterState } from '../../../src/protocol/scatter';
import { readReport } from '../../../src/report/report';
import { firstAxes, pointsOf, scatterCsv } from '../../../src/report/scatter';
import { scatterFile, scatterOf } from '../../../src/service/scatter';
import { reportOf } from '../report/reportOf';

describe('robustness and agreement on a board', () => {
  let folder: string;
  let paths: string[];

  async function report(probe: string, evaluator: string, values: Record<string, number>): Promise<string> {
    const base = reportOf();
    const path = join(folder, `${probe}.${evaluator}.report.json`);
    const own = {
      ...{ ...base, probe },
      dataset: { ...base.dataset, path: `/data/${probe}.json`, sha256: probe },
      evaluator: { ...base.evaluator, id: evaluator, name: evaluator.toUpperCase() },
      metrics: Object.entries(values).map(([id, value]) => ({ id, value, n: 40 })),
    };
    await writeFile(path, JSON.stringify(own));
    return path;
  }

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'captious-board-scatter-'));
    paths = [
      await report('human', 'a', { 'human.tauB': 0.4, 'human.pearson': 0.5 }),
      await report('human', 'b', { 'human.tauB': 0.6, 'human.pearson': 0.1 }),
      await report('lgip', 'a', { 'lgip.inv': 0.03 }),
      await report('lgip', 'b', { 'lgip.inv': 0.05 }),
    ];
  });
  after(() => rm(folder, { recursive: true }));

  it('is the same for a folder and for its selected reports, with the report of each value', async () => {
    const { state } = await scatterOf({ from: { type: 'chosen', paths } });
    assert.deepEqual(await scatterOf({ from: { type: 'folder', folder } }), { state });
    assert.deepEqual(scatterState(JSON.parse(JSON.stringify(state)), ''), state);
    assert.deepEqual(
      state?.points.map(({ name, x, y, reports }) => [name, x, y, reports.x, reports.y]),
      [
        ['A', 0.03, 0.4, paths[2], paths[0]],
        ['B', 0.05, 0.6, paths[3], paths[1]],
      ],
    );
  });

  it('has the chosen axes, or the first ones if the reports no longer have them', async () => {
    const from = { type: 'chosen', paths } as const;
    const { state } = await scatterOf({ from });
    const pearson = state!.axes.y.find(({ metric }) => metric === 'human.pearson')!;
    const chosen = { ...state!.chosen, y: pearson.key };
    const other = await scatterOf({ from, axes: chosen });
    assert.deepEqual(
      other.state?.points.map(({ y }) => y),
      [0.5, 0.1],
    );
    assert.deepEqual(await scatterOf({ from, axes: { x: 'gone', y: 'gone' } }), { state });
  });

  it('is absent if no evaluator has both, and says which selected report cannot be read', async () => {
    assert.deepEqual(await scatterOf({ from: { type: 'chosen', paths: paths.slice(0, 3).slice(1) } }), {});
    const broken = join(folder, 'broken.json');
    await writeFile(broken, '{');
    await assert.rejects(
      scatterOf({ from: { type: 'chosen', paths: [paths[0], broken] } }),
      (error) => error instanceof CaptiousError && error.at === broken,
    );
    await rm(broken);
  });

  it('exports the points of the command line', async () => {
    const from = { type: 'chosen', paths } as const;
    const files = await Promise.all(paths.map(async (path) => ({ path, report: await readReport(path) })));
    const { x, y } = firstAxes(files)!;
    const { text } = await scatterFile({ from, axes: { x: x.key, y: y.key }, form: 'csv' });
    assert.equal(text, scatterCsv(x, y, pointsOf(files, x, y)));
  });
});
