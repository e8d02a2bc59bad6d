import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Exclusions } from '../../../../src/audit/exclusions';
import { importLog } from '../../../../src/audit/imported/run';
import { openReports } from '../../../../src/audit/benchmark/reports';
import { runBenchmark } from '../../../../src/audit/benchmark/run';
import { writeReport } from '../../../../src/audit/output/writeReport';
import { CaptiousError } from '../../../../src/base/errors';
import type { Evaluator } from '../../../../src/evaluator/evaluator';
import { metricOf } from '../../../../src/probe/metric';
import { sugarcrepe } from '../../../../src/probe/sugarcrepe/sugarcrepe';
import { OutputFile } from '../../../../src/report/output';
import type { Report } from '../../../../src/report/report';
import { scratchFolder } from '../../dataset/support';

const scratch = scratchFolder();
const { signal } = new AbortController();
const home = (): string => join(scratch.path, 'home');

const captions = Array.from({ length: 40 }, (_, i) => ({
  ...{ id: `q${i}`, image: `${i}.jpg` },
  ...{ caption: `a dog sees ${i} cats`, negative: `a cat sees ${i} dogs` },
}));
const linesOf = (rows: readonly object[]): string => rows.map((row) => JSON.stringify(row)).join('\n');

/** A report as an audit of `sugarcrepe` writes it, of an evaluator that is right about some examples. */
async function audited(
  name: string,
  isRight: (i: number) => boolean,
  { folder = 'reports', dataset, n = captions.length }: { folder?: string; dataset: string; n?: number },
): Promise<string> {
  const out = join(scratch.path, folder);
  mkdirSync(out, { recursive: true });
  const rows = await OutputFile.create(join(out, `${name}.tmp`));
  for (const [i, { id, image, caption, negative }] of captions.slice(0, n).entries()) {
    const right = isRight(i);
    const withImage = { caption: right ? 1 : 0, negative: 0.5, right, tie: false };
    await rows.line({ example: id, row: i, image, caption, negative, i2t: withImage });
  }
  const sha256 = createHash('sha256').update(name).digest('hex');
  const evaluator: Evaluator = {
    info: {
      ...{ id: name, name, kind: 'scores', scores: [], notes: [], prefix: '', sha256 },
      ...{ precision: 'float32', provider: 'cpu', scale: { name: 'own' } },
    },
    close: async () => undefined,
  };
  const written = await writeReport(
    {
      ...{ probe: sugarcrepe, options: {}, images: undefined, bench: { cutTexts: () => 0 }, out },
      ...{ dataset: { path: dataset, format: 'pairs' }, partly: { count: 0, first: [] } },
      onEvent: () => undefined,
    },
    name,
    { evaluator, rows, exclusions: new Exclusions(), examples: n },
    { metrics: [], warnings: [] },
    createHash('sha256').update(readFileSync(dataset)).digest('hex'),
    42,
  );
  return written.path;
}

async function checked(
  dataset: string,
  paths: readonly string[],
  out: string,
  subset?: string,
): Promise<Report> {
  const reports = await openReports(paths, [dataset], { home: home(), signal });
  const request = { dataset, reports, out: join(scratch.path, out), home: home(), seed: 42, signal };
  return (await runBenchmark({ ...request, ...(subset === undefined ? {} : { subset }) })).report;
}

async function refusal(
  run: Promise<unknown>,
): Promise<[at: string | undefined, what: string, remedy: string]> {
  const error = await run.then(
    () => assert.fail('nothing was thrown'),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof CaptiousError, String(error));
  const { what, details } = error;
  return [error.at, (what as { code: string }).code, (details.remedy as { code: string }).code];
}

const codes = ({ warnings }: Report): string[] => warnings.map((own) => (own as { code: string }).code);

describe('reports of audited evaluators', () => {
  it('are joined to the items of their dataset, from files and folders', async () => {
    const dataset = scratch.write('data.jsonl', linesOf(captions));
    const other = scratch.write('other.jsonl', linesOf(captions.slice(1)));
    await audited('good', (i) => i >= 4, { dataset });
    await audited('bad', (i) => i % 2 === 0, { dataset });
    await audited('elsewhere', () => true, { dataset: other });
    const part = await audited('part', () => true, { dataset, folder: 'more', n: 30 });
    const report = await checked(dataset, [join(scratch.path, 'reports'), part], 'out');
    const accuracy = (evaluator: string) => metricOf(report.metrics, 'benchmark.accuracy', { evaluator })!;
    assert.deepEqual(
      ['good', 'bad', 'part'].map((name) => [accuracy(name).value, accuracy(name).n, accuracy(name).chance]),
      [
        [0.9, 40, 0.5],
        [0.5, 40, 0.5],
        [1, 30, 0.5],
      ],
    );
    assert.equal(metricOf(report.metrics, 'benchmark.accuracy', { evaluator: 'elsewhere' }), undefined);
    assert.deepEqual(
      codes(report).filter((code) => /other|Answered/.test(code)),
      ['benchmark.otherReports', 'benchmark.itemsAnswered'],
    );
    const twice = await checked(dataset, [join(scratch.path, 'reports'), part, part], 'twice');
    assert.ok(codes(twice).includes('benchmark.sameEvaluator'));
  });

  it('are refused if they are of another dataset or probe, or have too few items', async () => {
    const dataset = scratch.write('data.jsonl', linesOf(captions));
    const other = scratch.write('other.jsonl', linesOf(captions.slice(1)));
    const elsewhere = await audited('elsewhere', () => true, { dataset: other, folder: 'a' });
    assert.deepEqual(await refusal(checked(dataset, [elsewhere], 'out')), [
      ...[elsewhere, 'benchmark.otherDataset', 'benchmark.auditFirst'],
    ]);
    const few = await audited('few', () => true, { dataset, folder: 'b', n: 19 });
    assert.deepEqual(await refusal(checked(dataset, [few], 'out')), [
      ...[few, 'benchmark.fewJoined', 'benchmark.auditWithImages'],
    ]);
    const folder = join(scratch.path, 'a');
    assert.deepEqual(await refusal(checked(dataset, [folder], 'out')), [
      ...[folder, 'benchmark.noReports', 'benchmark.auditFirst'],
    ]);
    const [own] = [
      (await runBenchmark({ dataset, out: join(scratch.path, 'c'), home: home(), seed: 1, signal })).path,
    ];
    assert.deepEqual(await refusal(checked(dataset, [own], 'out')), [
      ...[own, 'benchmark.otherProbe', 'benchmark.auditWith'],
    ]);
  });

  it('may be imported logs, whose sample ids are those of the examples', async () => {
    const dataset = scratch.write('data.jsonl', linesOf(captions));
    const log = scratch.write(
      'm_samples_pairs.jsonl',
      linesOf(
        captions.map(({ id }, i) => ({
          doc_id: id,
          doc: {},
          target: 'A',
          resps: [],
          acc: i < 30 ? 1 : 0,
          long: i,
        })),
      ),
    );
    const { path } = await importLog({
      log,
      model: 'm',
      out: join(scratch.path, 'logs'),
      home: home(),
      signal,
    });
    const report = await checked(dataset, [path], 'out');
    assert.equal(metricOf(report.metrics, 'benchmark.accuracy', { evaluator: 'm' })!.value, 0.75);
    assert.ok(codes(report).includes('benchmark.joinedById'));
    const both = openReports([path], [dataset, log], { home: home(), signal });
    assert.deepEqual((await refusal(both)).slice(1), [
      'benchmark.importedWithSeveral',
      'benchmark.checkOneFile',
    ]);
    const reports = await openReports([path], [dataset], { home: home(), signal, score: 'long' });
    const request = { dataset, reports, out: join(scratch.path, 'out'), home: home(), seed: 42, signal };
    assert.deepEqual(await refusal(runBenchmark(request)), [
      path,
      'benchmark.scoreUnclear',
      'benchmark.nameScore',
    ]);
  });

  it('choose examples that keep the order, whose ids are written', async () => {
    const dataset = scratch.write('data.jsonl', linesOf(captions));
    for (let e = 0; e < 8; e++)
      await audited(`e${e}`, (i) => (i * 7) % 40 < 8 + 4 * e, { dataset, folder: 'eight' });
    const file = join(scratch.path, 'subset.txt');
    const report = await checked(dataset, [join(scratch.path, 'eight')], 'out', file);
    assert.equal(metricOf(report.metrics, 'benchmark.subset.size')!.value, 20);
    const ids = readFileSync(file, 'utf8').trim().split('\n');
    assert.equal(new Set(ids).size, 20);
    assert.ok(ids.every((id) => captions.some((own) => own.id === id)));
    const few = await refusal(
      checked(dataset, [join(scratch.path, 'eight', 'sugarcrepe.e0.report.json')], 'one', file),
    );
    assert.deepEqual(few, [file, 'benchmark.noSubset', 'benchmark.moreEvaluators']);
  });
});
