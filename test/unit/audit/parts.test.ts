import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { runAudit } from '../../../src/audit/run';
import { mergeShards } from '../../../src/audit/shard/merge';
import { runShard } from '../../../src/audit/shard/runShard';
import { CaptiousError } from '../../../src/base/errors';
import { exportReport } from '../../../src/report/export/export';
import { readReport, type Report } from '../../../src/report/report';
import { LeftOutRows } from '../../../src/report/rowChecks';
import { FakeEvaluator } from '../bench/fakeEvaluator';

interface Told {
  report: Report;
  path: string;
  rows: string[];
}

interface Placed {
  place: { line: number; part?: string };
}

describe('an audit of a dataset of several files', function () {
  this.timeout(120_000);
  let folder: string;
  let lines: string[];
  let whole: Told;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'captious-parts-'));
    lines = (await readFile('samples/captions.jsonl', 'utf8')).trim().split('\n').slice(0, 30);
    await writeFile(join(folder, 'whole.jsonl'), lines.join('\n'));
    await mkdir(join(folder, 'data'));
    for (const [name, from, to] of [
      ['part-2.jsonl', 7, 9],
      ['part-10.jsonl', 9, 30],
      ['part-1.jsonl', 0, 7],
    ] as const)
      await writeFile(join(folder, 'data', name), `${lines.slice(from, to).join('\n')}\n`);
    whole = await audit('whole.jsonl');
  });
  after(() => rm(folder, { recursive: true }));

  function request(dataset: string, out: string) {
    return {
      ...{ dataset: join(folder, dataset), probes: ['lgip'], images: [resolve('samples/images')] },
      ...{ evaluators: [new FakeEvaluator()], home: join(folder, 'home'), out: join(folder, out) },
      signal: new AbortController().signal,
    };
  }

  async function told(path: string): Promise<Told> {
    const report = await readReport(path);
    const rows = await readFile(join(path, '..', report.rows), 'utf8');
    return { report, path, rows: rows.trim().split('\n') };
  }

  async function audit(dataset: string, out = `out of ${dataset.replace(/\W/g, '-')}`): Promise<Told> {
    const [{ path }] = await runAudit(request(dataset, out));
    return told(path);
  }

  /** A report or row without what names or describes the files. */
  const withoutFiles = (text: string): unknown =>
    JSON.parse(text, (key, value: unknown) =>
      ['place', 'captionPlace', 'rowsSha256', 'sha256', 'path', 'rows'].includes(key) ? undefined : value,
    );

  function sameBesidesFiles(made: Told): void {
    assert.deepEqual(withoutFiles(JSON.stringify(made.report)), withoutFiles(JSON.stringify(whole.report)));
    assert.deepEqual(made.rows.map(withoutFiles), whole.rows.map(withoutFiles));
  }

  it('measures the same as of the file that concatenates them, and names file and line', async () => {
    assert.ok(whole.rows.length > 20);
    for (const dataset of ['data', 'data/part-*.jsonl', 'data/part-{1,2,10}.jsonl']) {
      const made = await audit(dataset);
      sameBesidesFiles(made);
      assert.equal(made.report.dataset.path, join(folder, dataset));
      for (const [i, row] of made.rows.entries()) {
        const { line, part } = (JSON.parse(row) as Placed).place;
        const number = (JSON.parse(whole.rows[i]) as Placed).place.line;
        const expected =
          number <= 7
            ? ['part-1.jsonl', number]
            : number <= 9
              ? ['part-2.jsonl', number - 7]
              : ['part-10.jsonl', number - 9];
        assert.deepEqual([part, line], expected);
      }
    }
  });

  it('resumes in the file in which it stopped', async () => {
    const controller = new AbortController();
    const stopped = runAudit({
      ...request('data', 'resumed'),
      signal: controller.signal,
      onEvent: (event) => {
        if (event.type === 'progress' && event.progress.examples >= 8) controller.abort();
      },
    });
    await assert.rejects(stopped, CaptiousError);
    sameBesidesFiles(await audit('data', 'resumed'));
  });

  it('is the same in shards', async () => {
    for (const index of [1, 2]) await runShard({ ...request('data', 'shards'), shard: { index, count: 2 } });
    const merged = {
      folders: [join(folder, 'shards')],
      out: join(folder, 'merged'),
      home: join(folder, 'home 2'),
    };
    const [{ path }] = await mergeShards({ ...merged, signal: new AbortController().signal });
    sameBesidesFiles(await told(path));
  });

  it('names and counts a missing file and broken rows', async () => {
    await mkdir(join(folder, 'broken'));
    await writeFile(join(folder, 'broken', '1.jsonl'), `${lines[0]}\n${lines[1]}\n`);
    await writeFile(join(folder, 'broken', '2.jsonl'), `${lines[2]}\n${lines[3]}\n{"image": 3\n`);
    const { report } = await audit('broken/{1..3}.jsonl');
    const { skipped, leftOut, examples } = report.dataset;
    assert.deepEqual([examples, skipped], [4, 2]);
    assert.deepEqual(
      leftOut.flatMap((one) => one.lines),
      ['2.jsonl:3'],
    );
    assert.ok(leftOut.some(({ reason }) => JSON.stringify(reason).includes('"3.jsonl"')));
  });

  it('stops if a file is added, removed or replaced during the run', async () => {
    const from = join(folder, 'data', 'part-2.jsonl');
    let moved: Promise<void> | undefined;
    const run = runAudit({
      ...request('data', 'changed'),
      onEvent: (event) => {
        if (event.type === 'progress') moved ??= rename(from, `${from}.away`);
      },
    });
    await assert.rejects(run, { kind: 'interrupted' });
    await moved;
    await rename(`${from}.away`, from);
  });

  it('names the file in SARIF and JUnit', async () => {
    const { path } = await audit('data/part-*.jsonl');
    for (const form of ['sarif', 'junit'] as const) {
      let text = '';
      for await (const piece of exportReport(path, form, new LeftOutRows())) text += String(piece);
      assert.match(text, /part-10\.jsonl/);
      assert.doesNotMatch(text, /(uri":|file=)"[^"]*(\*|%2A)[^"]*"[^}]*(region|line=)/);
    }
  });
});
