import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runBenchmark } from '../../../../src/audit/benchmark/run';
import { metricOf } from '../../../../src/probe/metric';
import { worstFaults } from '../../../../src/report/export/faults';
import { html } from '../../../../src/report/export/html';
import { type Report, readReport } from '../../../../src/report/report';
import { readRows } from '../../../../src/report/rows';
import { LeftOutRows } from '../../../../src/report/rowChecks';
import type { BenchmarkRow } from '../../../../src/probe/benchmark/row';
import { drawing } from './drawing';
import { needSharedData, scratchFolder, sharedData } from '../../dataset/support';
import { sentence } from '../../../sentence';

const scratch = scratchFolder();
const { signal } = new AbortController();

async function reportOf(dataset: string, name = 'out'): Promise<{ report: Report; path: string }> {
  const out = join(scratch.path, name);
  return runBenchmark({ dataset, out, home: join(scratch.path, 'home'), seed: 42, signal });
}

const pairs = [
  { image: '1.jpg', caption: 'a dog chases a cat', negative: 'a cat chases a dog', kind: 'swap' },
  { image: '2.jpg', caption: 'a red bus', negative: 'a blue bus', kind: 'replace' },
  { image: '3.jpg', caption: 'two cups', negative: 'three cups', kind: 'replace' },
  { image: '4.jpg', caption: 'three cups', negative: 'two cups', kind: 'replace' },
  { image: '5.jpg', caption: 'a man rides a horse', negative: 'a horse rides a man', kind: 'swap' },
  { image: '6.jpg', caption: 'an old car', negative: 'a new car', kind: 'replace' },
];

describe('the report about a benchmark', () => {
  it('has ceilings, slices, verdicts and a row for each item', async () => {
    const file = scratch.write('pairs.jsonl', pairs.map((pair) => JSON.stringify(pair)).join('\n'));
    const { path } = await reportOf(file);
    const report = await readReport(path);
    assert.deepEqual([report.probe, report.rowCount, report.dataset.examples], ['benchmark', 6, 6]);
    const order = metricOf(report.metrics, 'benchmark.orderBlind.ceiling')!;
    assert.deepEqual([order.value, order.n, order.ties, order.chance], [5 / 6, 6, 2, 0.5]);
    const image = metricOf(report.metrics, 'benchmark.imageBlind.ceiling')!;
    assert.deepEqual([image.value, image.n, image.ties], [5 / 6, 6, 2]);
    const swap = metricOf(report.metrics, order.id, { kind: 'swap' })!;
    assert.deepEqual([swap.value, swap.n], [0.5, 2]);
    assert.deepEqual(
      report.claims.map(({ text }) => (typeof text === 'string' ? text : text.code)),
      ['benchmark.orderBlindClaim', 'benchmark.imageBlindClaim'],
    );
    const rows: BenchmarkRow[] = [];
    for await (const row of readRows(path, report, new LeftOutRows())) rows.push(row as BenchmarkRow);
    assert.deepEqual(
      rows.map(({ credits }) => [credits.orderBlind, credits.imageBlind]),
      [
        [0.5, 1],
        [1, 1],
        [1, 0.5],
        [1, 0.5],
        [0.5, 1],
        [1, 1],
      ],
    );
    const lines = readFileSync(path.replace('report.json', 'rows.jsonl'), 'utf8');
    const again = await reportOf(file, 'again');
    assert.equal(readFileSync(again.path.replace('report.json', 'rows.jsonl'), 'utf8'), lines);
  });

  it('counts missing and corrupt images, and faults in the rows', async () => {
    const folder = join(scratch.path, 'missing images');
    const images = join(folder, 'images');
    mkdirSync(images, { recursive: true });
    const file = join(folder, 'missing.jsonl');
    writeFileSync(file, pairs.map((pair) => JSON.stringify(pair)).join('\n'));
    writeFileSync(join(images, '2.jpg'), 'an image');
    await drawing(images, '5.jpg', 1);
    const request = { dataset: file, home: join(scratch.path, 'home'), seed: 42, signal };
    const out = join(scratch.path, 'missing');
    const { report, path } = await runBenchmark({ ...request, out, images: [images] });
    assert.equal(metricOf(report.metrics, 'benchmark.missingImages')!.value, 4);
    assert.equal(metricOf(report.metrics, 'benchmark.corruptImages')!.value, 1);
    const faults: unknown[] = [];
    for await (const row of readRows(path, report, new LeftOutRows()))
      faults.push((row as BenchmarkRow).faults);
    const missing = ['missingImage'];
    assert.deepEqual(faults, [missing, ['corruptImage'], missing, missing, undefined, missing]);
    request.dataset = join(scratch.path, 'missing.jsonl');
    copyFileSync(file, request.dataset);
    const without = await runBenchmark({ ...request, out: join(scratch.path, 'without') });
    assert.equal(metricOf(without.report.metrics, 'benchmark.missingImages'), undefined);
  });

  it('leaves out examples without a choice, with the reason', async () => {
    const file = scratch.write(
      'captions.jsonl',
      pairs.map(({ image, caption }) => JSON.stringify({ image, caption })).join('\n'),
    );
    const { report } = await reportOf(file, 'captions');
    assert.deepEqual([report.dataset.examples, report.dataset.skipped, report.rowCount], [0, 6, 0]);
    assert.deepEqual(
      report.dataset.leftOut.map(({ reason }) => (typeof reason === 'string' ? reason : reason.code)),
      ['choice.notChoice'],
    );
  });
});

describe('SugarCrepe', () => {
  // Counted with Python in the published files: sorted(re.findall("[a-z0-9']+", caption.lower())), and len(caption.split()).
  const counts = {
    add_att: [692, 0, 682, 8],
    replace_obj: [1652, 0, 128, 1210],
    swap_obj: [245, 164, 18, 221],
  } as const;

  before(function () {
    needSharedData(this);
  });

  for (const [name, [n, ties, shorter, asLong]] of Object.entries(counts))
    it(`has ${ties} of ${n} ties without word order in ${name}`, async () => {
      const { report } = await reportOf(join(sharedData, 'sugar-crepe', `${name}.json`), name);
      const { value, ...order } = metricOf(report.metrics, 'benchmark.orderBlind.ceiling')!;
      assert.deepEqual([order.n, order.ties], [n, ties]);
      assert.ok(Math.abs(value! - (1 - ties / 2 / n)) < 1e-12);
      assert.equal(metricOf(report.metrics, 'benchmark.imageBlind.ceiling')!.value, 1);
      const blind = metricOf(report.metrics, 'benchmark.blind.shorter')!;
      assert.equal(blind.ties, asLong);
      assert.ok(Math.abs(blind.value! - (shorter + asLong / 2) / n) < 1e-12);
    });
});

describe('the language model without images', () => {
  before(function () {
    needSharedData(this);
  });

  // By a second implementation in Python, with the same folds: the number of right answers, and of ties, which it found
  // from means that are rounded to 12 decimals.
  for (const [name, n, right, ties] of [
    ['swap_obj', 245, 133, 58],
    ['replace_obj', 1652, 1086, 74],
  ] as const)
    it(`has ${ties} ties in ${name}`, async () => {
      const { report } = await reportOf(join(sharedData, 'sugar-crepe', `${name}.json`), `${name} lm`);
      const blind = metricOf(report.metrics, 'benchmark.blind.lm')!;
      assert.deepEqual([blind.n, blind.ties, blind.value], [n, ties, right / n]);
    });
});

describe('exports of a report about a benchmark', () => {
  it('name the faults of the rows, and have the metrics', async () => {
    const lines = [...pairs, pairs[0]].map((pair) => JSON.stringify(pair));
    const file = scratch.write('again.jsonl', lines.join('\n'));
    const { path, report } = await reportOf(file, 'exports');
    const rows = () => readRows(path, report, new LeftOutRows());
    const page = await html(path, report, rows, new LeftOutRows());
    assert.ok(page.includes(sentence('benchmark.duplicate')));
    assert.ok(page.includes('Benchmark'));
    const faults = await worstFaults('benchmark', rows(), 10);
    assert.equal(faults.worst.length, 1);
  });
});
