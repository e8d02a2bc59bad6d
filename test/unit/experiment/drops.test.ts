import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CaptiousError } from '../../../src/base/errors';
import { brokenThresholds } from '../../../src/experiment/finish';
import type { Group, Plan } from '../../../src/experiment/plan';
import { parseGate } from '../../../src/report/gate';
import { vislaRows } from '../report/paperReports';
import { reportOf, writeReport } from '../report/reportOf';
import type { Cell } from '../../../src/experiment/parts';

describe('a threshold on the drop of a series', () => {
  const folder = mkdtempSync(join(tmpdir(), 'captious-drops-'));
  after(() => rmSync(folder, { recursive: true }));

  const group: Group = { dataset: { path: 't.tsv', name: 't' }, out: folder, probes: ['visla'], images: [] };
  const images = 8;

  /** Of eight images, so many are right. */
  async function cellOf(evaluator: string, right: number, lost = 0): Promise<Cell> {
    const base = reportOf();
    const leftOut =
      lost === 0 ? [] : [{ reason: 'no score', count: lost, lines: [], unscored: true as const }];
    const report = await writeReport(
      folder,
      reportOf({
        evaluator: { ...base.evaluator, id: evaluator, sha256: evaluator },
        dataset: { ...base.dataset, examples: images, leftOut },
        metrics: [
          { id: 'visla.t2t', value: right / images, n: images },
          { id: 'visla.t2t.p1n', value: 1, n: images },
        ],
        rows: `visla.${evaluator}.rows.jsonl`,
      }),
      vislaRows(Array.from({ length: images }, (_, i) => i < right)),
    );
    return { group, probe: 'visla', evaluator, state: 'done', report };
  }

  const planOf = (gate: string, names: readonly string[]): Plan => ({
    ...{ file: 'captious.json', sha256: 'aa', out: folder, groups: [group], evaluators: [] },
    series:
      names.length === 0 ? [] : [names.map((ref, step) => ({ ref, step, path: ref, pattern: 'step_*' }))],
    ...{ options: {}, gates: [parseGate(gate)], allowLost: 0, outputs: [], settings: {} },
  });

  const broken = async (gate: string, names: readonly string[], cells: readonly Cell[]) =>
    (await brokenThresholds(planOf(gate, names), cells, { signal: new AbortController().signal })).map(
      ({ evaluator, unscored }) => (unscored === undefined ? evaluator : `${evaluator} ${unscored}`),
    );

  it('compares each checkpoint with the best before it, and leaves other evaluators out', async () => {
    const right = { a: 4, b: 6, c: 5, d: 3, e: 7 };
    const cells = await Promise.all(Object.entries(right).map(([name, n]) => cellOf(name, n)));
    const all = [...cells, await cellOf('other', 0)];
    const names = Object.keys(right);
    // The drops are 0, 0, 1/8, 3/8 and 0.
    assert.deepEqual(await broken('visla.t2t.drop > 0.1', names, all), ['c', 'd']);
    assert.deepEqual(await broken('visla.t2t.drop > 0.125', names, all), ['d']);
    assert.deepEqual(await broken('visla.t2t.drop >= 0.125 && visla.t2t >= 0.5', names, all), ['c']);
    assert.deepEqual(await broken('visla.t2t < 0.1', names, all), ['other']);
    const failed = all.map((cell): Cell => (cell.evaluator === 'b' ? { ...cell, state: 'failed' } : cell));
    assert.deepEqual(await broken('visla.t2t.drop > 0.1', names, failed), ['d']);
    assert.deepEqual(await broken('visla.t2t.drop > 0', ['a'], all), []);
  });

  it('leaves out a checkpoint that has lost examples, and names it', async () => {
    const cells = await Promise.all([cellOf('f', 8, 1), cellOf('g', 4), cellOf('h', 4)]);
    assert.deepEqual(await broken('visla.t2t.drop > 0', ['f', 'g', 'h'], cells), ['f 1']);
  });

  it('is a mistake without checkpoints, and with a metric that no report has', async () => {
    const cells = [await cellOf('i', 4)];
    const code = (wanted: string) => (error: unknown) => {
      assert.ok(error instanceof CaptiousError);
      assert.equal((error.what as { code?: string }).code, wanted);
      return true;
    };
    await assert.rejects(broken('visla.t2t.drop > 0', [], cells), code('experiment.dropWithoutSeries'));
    await assert.rejects(broken('visla.t2i.drop > 0', ['i'], cells), code('report.metricMissing'));
  });
});
