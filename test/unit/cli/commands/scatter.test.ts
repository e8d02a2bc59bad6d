import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Report } from '../../../../src/report/report';
import { reportOf } from '../../report/reportOf';
import { captious } from '../captious';

describe('captious scatter', () => {
  let folder: string;
  before(() => (folder = mkdtempSync(join(tmpdir(), 'captious-scatter-'))));
  after(() => rmSync(folder, { recursive: true }));

  it('puts two metrics of each evaluator into one chart, with their intervals', async () => {
    const paths = ['lgip.inv', 'human.tauB'].map((id, i) => {
      const path = join(folder, `${id}.report.json`);
      const metric = { id, value: 0.25 + i / 4, n: 40, ci: [0.2 + i / 4, 0.3 + i / 4] };
      writeFileSync(path, JSON.stringify({ ...reportOf(), probe: id.split('.')[0], metrics: [metric] }));
      return path;
    });
    const html = join(folder, 'scatter.html');
    const run = (...more: string[]) => captious(folder, 'scatter', ...paths, ...more);
    const json = await run('--x', 'lgip.inv', '--json');
    assert.equal(json.code, 0, json.err);
    const { points } = JSON.parse(json.out) as { points: { x: number; y: number; yci: number[] }[] };
    assert.deepEqual(
      points.map(({ x, y, yci }) => [x, y, yci]),
      [[0.25, 0.5, [0.45, 0.55]]],
    );
    const [svg, csv] = ['scatter.svg', 'scatter.csv'].map((name) => join(folder, name));
    assert.equal((await run('--x', 'lgip.inv', '--html', html, '--svg', svg, '--csv', csv)).code, 0);
    assert.match(readFileSync(html, 'utf8'), /<svg.*human\.tauB/s);
    assert.match(readFileSync(svg, 'utf8'), /^<svg xmlns.*<circle/s);
    assert.match(readFileSync(csv, 'utf8'), /\r\nTiny,0\.25,0\.2,0\.3,0\.5,0\.45,0\.55,\r\n$/);
    assert.equal((await run('--x', 'lgip.none')).code, 2);

    const other = join(folder, 'other.report.json');
    const report = JSON.parse(readFileSync(paths[0], 'utf8')) as Report;
    writeFileSync(
      other,
      JSON.stringify({ ...report, dataset: { ...report.dataset, path: 'other.json', sha256: 'dd' } }),
    );
    const mixed = await run(other, '--x', 'lgip.inv');
    assert.equal(mixed.code, 2);
    assert.match(mixed.err, /other\.json: The reports with lgip\.inv are of different datasets\./);
  });
});
