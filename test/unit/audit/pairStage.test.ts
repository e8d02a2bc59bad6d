import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Exclusions } from '../../../src/audit/exclusions';
import { PairStage } from '../../../src/audit/pairStage';
import { ProgressMeter } from '../../../src/audit/progress';
import { CaptiousError, cancelled } from '../../../src/base/errors';
import { createBench } from '../../../src/bench/createBench';
import { createImageFinder } from '../../../src/dataset/images/images';
import { openDataset } from '../../../src/dataset/open';
import { SeamMeter } from '../../../src/evaluator/native/seamMeter';
import { metricOf } from '../../../src/probe/metric';
import { AnswerCounts } from '../../../src/probe/refused/counts';
import { visla } from '../../../src/probe/visla/visla';
import { OutputFile } from '../../../src/report/output';
import { FakeEvaluator } from '../bench/fakeEvaluator';
import type { EvaluatorRun } from '../../../src/audit/scoring/pairRun';

const examples = 600;

describe('the stage of a run that scores pairs', () => {
  let folder: string;
  let dataset: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'captious-stage-'));
    dataset = join(folder, 'triplets.tsv');
    const lines = Array.from({ length: examples }, (_, i) =>
      [`${i}.jpg`, `A bus ${i}.`, `The bus ${i}.`, `A dog ${i}.`].join('\t'),
    );
    const head = 'filename\tcaption\tsecond positive\tnegative_caption';
    await writeFile(dataset, `${[head, ...lines].join('\n')}\n`);
  });
  afterEach(() => rm(folder, { recursive: true }));

  const textsOf = (evaluator: FakeEvaluator): number => evaluator.embedded.length;

  /** Runs a stage with an empty store. Resolves with what the next run finds: its examples, notices and findings. */
  async function run(evaluators: readonly FakeEvaluator[], signal = new AbortController().signal) {
    const out = join(folder, 'out');
    await mkdir(out, { recursive: true });
    const notices: string[] = [];
    const file = await openDataset(dataset);
    const bench = createBench({ batchSize: 8 });
    const context = { dataset: 'triplets', seed: 42, options: {} };
    const evaluatorRuns: EvaluatorRun[] = [];
    for (const [i, evaluator] of evaluators.entries())
      evaluatorRuns.push({
        ...{ evaluator, exclusions: new Exclusions(), answers: new AnswerCounts(), examples: 0 },
        rows: await OutputFile.create(join(out, `${i}.rows.jsonl`)),
        summary: visla.summary({ ...context, scores: ['text-text'], scale: evaluator.info.scale }),
      });
    const stage = new PairStage({
      ...{ probe: visla, dataset: file, datasetSha256: 'ab'.repeat(32), context, seeds: undefined, bench },
      ...{ evaluatorRuns, limit: Infinity, signal, out, images: [], map: undefined },
      seams: new SeamMeter(),
      finder: createImageFinder({ dataset: file, folders: [], signal }),
      meter: new ProgressMeter(1, undefined),
      onProblem: () => undefined,
      onPartialMetrics: () => undefined,
      onNotice: (message) => notices.push(message),
    });
    try {
      const findings = await stage.run();
      await stage.end();
      for (const { rows } of evaluatorRuns) await rows.discard();
      return { notices, evaluatorRuns, findings, error: undefined, isLeft: false };
    } catch (error) {
      const isLeft = await stage.stop(error);
      for (const { rows } of evaluatorRuns) await (isLeft ? rows.leave() : rows.discard());
      return { notices, evaluatorRuns, findings: undefined, error, isLeft };
    } finally {
      await bench.close();
    }
  }

  it('gives each evaluator its own findings, and leaves no checkpoint', async () => {
    const refuse = (text: string): boolean => text.startsWith('A dog 1');
    const two = [new FakeEvaluator(), new FakeEvaluator({ info: { textKey: 'other' }, refuse })];
    const { findings, evaluatorRuns } = await run(two);
    const counts = two.map((evaluator) => metricOf(findings!.get(evaluator)!.metrics, 'visla.t2t')!.n);
    assert.equal(counts[0], examples);
    assert.ok(counts[1] < examples && counts[1] > 0);
    assert.deepEqual(
      evaluatorRuns.map(({ examples: own }) => own),
      counts,
    );
    assert.deepEqual(await readdir(join(folder, 'out')), []);
  });

  it('resumes a cancelled run, and measures only the rest', async () => {
    const stop = new AbortController();
    const first = new FakeEvaluator({
      onBatch: (_, names) => {
        if (names.some((name) => name.includes('400'))) stop.abort(cancelled());
      },
    });
    const { error, isLeft } = await run([first], stop.signal);
    assert.ok(error instanceof CaptiousError && error.kind === 'interrupted');
    assert.equal(isLeft, true);
    const second = new FakeEvaluator();
    const { notices, findings } = await run([second]);
    assert.equal(notices.length, 1);
    assert.ok(textsOf(second) < 3 * examples, `${textsOf(second)} texts`);
    const whole = new FakeEvaluator();
    const again = await run([whole]);
    assert.equal(textsOf(whole), 3 * examples);
    assert.deepEqual(findings!.get(second), again.findings!.get(whole));
  });

  it('keeps nothing of a run that failed for another reason', async () => {
    const { error, isLeft } = await run([new FakeEvaluator({ crash: (batch) => batch === 40 })]);
    assert.ok(error instanceof CaptiousError && error.kind === 'evaluator');
    assert.equal(isLeft, false);
    assert.deepEqual(await readdir(join(folder, 'out')), []);
  });
});
