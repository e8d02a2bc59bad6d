import assert from 'node:assert/strict';
import { join } from 'node:path';
import { Child } from '../../../src/base/childProcess';
import { CaptiousError } from '../../../src/base/errors';
import { baselines } from '../../../src/probe/benchmark/blind/baselines';
import { fromRunner, type FromRunner, runnerRequests } from '../../../src/protocol/runner';
import { readReport } from '../../../src/report/report';
import { scratchFolder } from '../dataset/support';
import { plantedBenchmark } from '../report/plantedBenchmark';

/** Runs the process of a run as the editor does. */
describe('a check of a benchmark in the process of a run', function () {
  this.timeout(60_000);
  const scratch = scratchFolder();

  async function check(dataset: string): Promise<FromRunner[]> {
    const heard: FromRunner[] = [];
    const child = new Child({
      script: join(__dirname, '../../../dist/runner.js'),
      requests: runnerRequests,
      serve: () => Promise.reject(new Error('It asks for nothing.')),
      onMessage: (value) => heard.push(fromRunner(value, '')),
      lost: () => new Error('The process ended early.'),
      onExit: () => undefined,
    });
    const order = { dataset, probes: ['benchmark'], evaluators: [], images: [], seed: 42 };
    const folders = { out: join(scratch.path, 'out'), home: join(scratch.path, 'home') };
    await child.calls.ask('audit', { order: { ...order, ...folders } });
    return heard;
  }

  it('announces its start, its progress and its report', async () => {
    const heard = await check(scratch.write('planted.jsonl', plantedBenchmark()));
    const [started] = heard;
    assert.deepEqual(started.type === 'started' && started.probe.id, 'benchmark');
    const fractions = heard.flatMap((one) => (one.type === 'progress' ? [one.progress.fraction] : []));
    assert.deepEqual(
      fractions,
      baselines.map((_, i) => i / baselines.length),
    );
    const paths = heard.flatMap((one) => (one.type === 'report' ? [one.path] : []));
    assert.equal(paths.length, 1);
    assert.deepEqual((await readReport(paths[0])).rowCount, 40);
  });

  it('refuses a file without wrong captions with the error of the command line', async () => {
    const plain = scratch.write('plain.jsonl', '{"image": "1.jpg", "caption": "a dog"}');
    await assert.rejects(
      check(plain),
      (error) =>
        error instanceof CaptiousError &&
        typeof error.what === 'object' &&
        error.what.code === 'audit.noneAuditedReasons',
    );
  });
});
