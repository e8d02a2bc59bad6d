import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { say } from '../../../src/base/say';
import { boardTrends } from '../../../src/protocol/board';
import type { Report } from '../../../src/report/report';
import { trendsOf } from '../../../src/service/trends';
import { vislaRows } from '../report/paperReports';
import { reportOf, writeReport } from '../report/reportOf';

const truncated = { text: say('audit.tooManyTruncated', 61), rule: '' };

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
    const found = await trendsOf({ type: 'folder', folder }, new AbortController().signal);
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
      (await trendsOf({ type: 'folder', folder }, new AbortController().signal, [{ key, metric }])).trends[0];
    assert.deepEqual([(await shown(other)).metric, (await shown(other)).metrics], [other, metrics]);
    // A metric that these reports lack, such as one chosen for an earlier version of them.
    assert.deepEqual(await shown('visla.none'), found.trends[0]);
    assert.deepEqual(
      found.missing.map(({ series }) => series),
      ['./c_*'],
    );
    assert.ok(JSON.stringify(found.missing[0].why).includes('"report.optionDiffers"'));
  });

  describe('of runs of one evaluator', () => {
    const { signal } = new AbortController();
    const times = [3000, 1000, 2000];

    /** A run of an evaluator that changed, in a folder of its own as in the editor. */
    async function run(
      at: number,
      right: number,
      { seed = 42, sha256 = `at ${at}`, claims = [] as Report['claims'] } = {},
    ): Promise<string> {
      const own = join(folder, 'runs', String(at));
      await mkdir(own, { recursive: true });
      const base = reportOf();
      const report = reportOf({
        ...{ claims, seed, evaluator: { ...base.evaluator, id: 'mine', name: 'Mine', sha256 } },
        metrics: [
          {
            id: 'visla.t2t',
            value: right / images,
            n: images,
            ci: [right / images - 0.1, right / images + 0.1],
          },
        ],
      });
      return writeReport(own, report, vislaRows(Array.from({ length: images }, (_, i) => i < right)));
    }

    it('are in the order of time and tested if only the evaluator differs', async () => {
      const right = [29, 10, 30];
      const paths: string[] = [];
      for (const [i, at] of times.entries()) paths.push(await run(at, right[i]));
      const reports = paths.map((path, i) => ({ path, at: times[i] }));
      const found = await trendsOf({ type: 'runs', reports }, signal);
      assert.deepEqual(boardTrends(JSON.parse(JSON.stringify(found)), ''), found);
      const [{ series, ofRuns, best, steps }] = found.trends;
      assert.deepEqual([found.trends.length, series, ofRuns, best], [1, 'Mine', { of: 3 }, 2]);
      assert.deepEqual(
        steps.map(({ step, at, value, verdict, report }) => [step, at, value, verdict, report]),
        [
          [1, 1000, 0.25, undefined, paths[1]],
          [2, 2000, 0.75, 'better', paths[2]],
          [3, 3000, 0.725, undefined, paths[0]],
        ],
      );
      for (const { value, band } of steps) assert.ok(band!.low < value && value < band!.high);
      // A run alone has no trend, and in a folder nothing says in which order reports were written.
      assert.deepEqual((await trendsOf({ type: 'runs', reports: reports.slice(1, 2) }, signal)).trends, []);
      const inFolder = { type: 'folder', folder: dirname(paths[0]) } as const;
      assert.deepEqual((await trendsOf(inFolder, signal)).trends, []);
    });

    it('have the intervals of the reports and no verdict if a setting differs', async () => {
      const reports = [
        { path: await run(10, 10), at: 10 },
        { path: await run(20, 30, { seed: 7 }), at: 20 },
      ];
      const [{ ofRuns, best, steps, metric }] = (await trendsOf({ type: 'runs', reports }, signal)).trends;
      assert.ok(JSON.stringify(ofRuns?.untested).includes('"report.optionDiffers"'));
      assert.deepEqual([metric, best], ['visla.t2t', undefined]);
      assert.deepEqual(
        steps.map(({ value, band, verdict, inBest, at }) => [value, band, verdict, inBest, at]),
        [
          [0.25, { low: 0.15, high: 0.35 }, undefined, false, 10],
          [0.75, { low: 0.65, high: 0.85 }, undefined, false, 20],
        ],
      );
    });

    it('say of which runs the report has no verdict', async () => {
      const reports = [
        { path: await run(30, 10, { claims: [truncated] }), at: 30 },
        { path: await run(40, 30), at: 40 },
      ];
      const found = await trendsOf({ type: 'runs', reports }, signal);
      assert.deepEqual(boardTrends(JSON.parse(JSON.stringify(found)), ''), found);
      assert.deepEqual(
        found.trends[0].steps.map(({ doubt }) => doubt),
        [say('probe.noVerdictTruncated', 61), undefined],
      );
    });

    it('are the newest of many', async () => {
      const reports = [];
      for (let at = 1; at <= 23; at++) reports.push({ path: await run(at, 10 + at), at });
      const [{ ofRuns, steps }] = (await trendsOf({ type: 'runs', reports }, signal)).trends;
      assert.deepEqual([ofRuns?.of, steps.length, steps[0].step, steps.at(-1)!.step], [23, 20, 4, 23]);
    });
  });
});
