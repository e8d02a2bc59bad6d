import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { boardTrends } from '../../../src/protocol/board';
import { trendsOf } from '../../../src/service/trends';
import { vislaRows } from '../report/paperReports';
import { reportOf, writeReport } from '../report/reportOf';

describe('the trends of the board', () => {
  const folder = mkdtempSync(join(tmpdir(), 'captious-trends-'));
  after(() => rmSync(folder, { recursive: true }));
  const images = 40;

  async function checkpoint(
    pattern: string | undefined,
    step: number,
    right: number,
    seed = 42,
  ): Promise<void> {
    const { evaluator } = reportOf();
    const id = pattern === undefined ? `step_${step}` : `${pattern.replace(/\W/g, '')}${step}`;
    const report = reportOf({
      ...{ seed, evaluator: { ...evaluator, id, sha256: id }, rows: `visla.${id}.rows.jsonl` },
      ...(pattern === undefined ? {} : { checkpoint: { pattern, step } }),
      metrics: [{ id: 'visla.t2t', value: right / images, n: images }],
    });
    await writeReport(folder, report, vislaRows(Array.from({ length: images }, (_, i) => i < right)));
  }

  it('are one for each pattern, in the order of the steps, with the values of the rows', async () => {
    await checkpoint('./a_*', 10, 30);
    await checkpoint('./a_*', 9, 10);
    await checkpoint('./a_*', 100, 29);
    // One checkpoint is no series, and those of two seeds are none, either.
    await checkpoint('./b_*', 1, 5);
    await checkpoint('./c_*', 1, 5);
    await checkpoint('./c_*', 2, 5, 7);
    // A callback in Python says the step in the id of the evaluator only.
    await checkpoint(undefined, 20, 8);
    await checkpoint(undefined, 3, 4);
    const found = await trendsOf(folder, new AbortController().signal);
    assert.deepEqual(boardTrends(JSON.parse(JSON.stringify(found)), ''), found);
    assert.deepEqual(
      found.trends.map(({ series, metric, best }) => [series, metric, best]),
      [
        ['./a_*', 'visla.t2t', 10],
        ['step_*', 'visla.t2t', 20],
      ],
    );
    assert.deepEqual(
      found.trends[1].steps.map(({ step, value }) => [step, value]),
      [
        [3, 0.1],
        [20, 0.2],
      ],
    );
    const [{ steps }] = found.trends;
    assert.deepEqual(
      steps.map(({ step, value, verdict, inBest, report }) => [
        step,
        value,
        verdict,
        inBest,
        basename(report),
      ]),
      [
        [9, 0.25, undefined, false, 'visla.a_9.report.json'],
        [10, 0.75, 'better', true, 'visla.a_10.report.json'],
        [100, 0.725, undefined, true, 'visla.a_100.report.json'],
      ],
    );
    for (const { value, band } of steps) assert.ok(band!.low < value && value < band!.high);
    const [{ key, metrics }] = found.trends;
    assert.ok(metrics.includes('visla.t2t') && metrics.length > 1);
    const other = metrics.find((id) => id !== 'visla.t2t')!;
    const shown = async (metric: string) =>
      (await trendsOf(folder, new AbortController().signal, [{ key, metric }])).trends[0];
    assert.deepEqual([(await shown(other)).metric, (await shown(other)).metrics], [other, metrics]);
    // A metric that these reports lack, such as one chosen for an earlier version of them.
    assert.deepEqual(await shown('visla.none'), found.trends[0]);
    assert.deepEqual(
      found.missing.map(({ series }) => series),
      ['./c_*'],
    );
    assert.ok(JSON.stringify(found.missing[0].why).includes('"report.optionDiffers"'));
  });
});
