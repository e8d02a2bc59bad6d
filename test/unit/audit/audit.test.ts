import assert from 'node:assert/strict';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import type { AuditRequest } from '../../../src/audit/request';
import { runAudit } from '../../../src/audit/run';
import type { AuditEvent } from '../../../src/audit/events';
import { CaptiousError } from '../../../src/base/errors';
import { findSaid, say } from '../../../src/base/say';
import { saying } from '../../sentence';

const text = resolve('test/fixtures/models/bert-cls');
const clip = resolve('test/fixtures/models/clip');
const imageFolder = resolve('test/fixtures/models/pictures');

const header = 'filename\tcaption\tsecond positive\tnegative_caption\n';
const words = [
  'a red bus',
  'the bus is red',
  'a blue bus on the road',
  'two dogs and a cat',
  'one dog',
  'a man sits',
];

function triplets(count: number, image = (i: number) => `${i}.jpg`): string {
  const rows = Array.from({ length: count }, (_, i) => {
    const word = (shift: number) =>
      `${words[(i + shift) % words.length]} ${'far '.repeat((i * shift) % 5)}${i % 7}`;
    return `${image(i)}\t${word(0)}\t${word(1)}\t${word(2)}\n`;
  });
  return header + rows.join('');
}

describe('audit', function () {
  this.timeout(60_000);
  let folder: string;
  let file: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'captious-audit-'));
    file = join(folder, 'triplets.tsv');
  });
  afterEach(() => rm(folder, { recursive: true }));

  function audit(changes: Partial<AuditRequest> = {}): ReturnType<typeof runAudit> {
    return runAudit({
      dataset: file,
      probes: ['visla'],
      evaluators: [text],
      home: join(folder, 'home'),
      out: join(folder, 'out'),
      signal: new AbortController().signal,
      ...changes,
    });
  }

  async function everything(out: string): Promise<string> {
    const files = (await readdir(out)).sort();
    return (
      await Promise.all(files.map(async (name) => `${name}\n${await readFile(join(out, name), 'utf8')}`))
    ).join('');
  }

  it('writes a report and its rows per evaluator, and accounts for every entry of the file', async () => {
    await writeFile(file, `${triplets(4)}5.jpg\tonly two\tcells\n${triplets(2).slice(header.length)}`);
    const events: AuditEvent[] = [];
    const written = await audit({ evaluators: [text, clip], onEvent: (event) => events.push(event) });
    assert.deepEqual(
      written.map(({ path }) => path),
      ['visla.bert-cls.report.json', 'visla.clip.report.json'].map((name) => join(folder, 'out', name)),
    );
    for (const { path, report } of written) {
      assert.deepEqual(JSON.parse(await readFile(path, 'utf8')), JSON.parse(JSON.stringify(report)));
      assert.equal(report.dataset.examples, 6);
      assert.equal(report.dataset.skipped, 1);
      assert.deepEqual(
        report.dataset.leftOut.map(({ count, lines }) => [count, lines]),
        [[1, [6]]],
      );
      assert.equal(report.rowCount, 6);
      assert.match(report.versions['onnxruntime-node'], /^\d/);
      const rows = (await readFile(join(folder, 'out', report.rows), 'utf8')).trim().split('\n');
      assert.equal(rows.length, 6);
      assert.equal((JSON.parse(rows[4]) as { place: { line: number } }).place.line, 7);
    }
    const problems = events.filter((event) => event.type === 'problem');
    assert.equal(problems.length, 1);
    assert.deepEqual(
      written[1].report.warnings.flatMap((text) => findSaid(text, 'visla.tripletsWithoutImage') ?? []),
      [say('visla.tripletsWithoutImage', 6)],
    );
  });

  it('gives the same bytes for any batch size, thread count, other evaluators and store', async () => {
    await writeFile(
      file,
      triplets(60, (i) => ['small.png', 'tall.png', 'wide.png'][i % 3]),
    );
    const images = [imageFolder];
    const outs: string[] = [];
    const one = async (changes: Partial<AuditRequest>) => {
      const out = join(folder, `out${outs.length}`);
      await audit({ evaluators: [clip], images, out, ...changes });
      await rm(join(out, 'visla.bert-cls.report.json'), { force: true });
      await rm(join(out, 'visla.bert-cls.rows.jsonl'), { force: true });
      outs.push(await everything(out));
    };
    await one({ home: join(folder, 'a'), batchSize: 1, threads: 1 });
    await one({ home: join(folder, 'b'), batchSize: 7, threads: 2 });
    await one({ home: join(folder, 'c'), batchSize: 128 });
    await one({ home: join(folder, 'd'), evaluators: [text, clip] });
    await one({ home: join(folder, 'd') });
    assert.equal(new Set(outs).size, 1);
    assert.match(outs[0], /"id": "visla.i2t"/);
  });

  it('overwrites no report of another dataset or evaluator in the same folder', async () => {
    const again = join(folder, 'b', 'triplets.tsv');
    const third = join(folder, 'others.tsv');
    await mkdir(join(folder, 'b'));
    for (const [i, path] of [file, third, again].entries()) await writeFile(path, triplets(3 + i));
    const nameOf = async (changes: Partial<AuditRequest>) => basename((await audit(changes))[0].path);
    const names = [];
    for (const dataset of [file, third, again]) names.push(await nameOf({ dataset }));
    assert.deepEqual(names.slice(0, 2), ['visla.bert-cls.report.json', 'visla.bert-cls.others.report.json']);
    assert.match(names[2], /^visla\.bert-cls\.triplets\.report\.json$/);
    const copy = join(folder, 'bert-cls');
    await cp(text, copy, { recursive: true });
    await writeFile(join(copy, 'captious.json'), '{"text": {"maxLength": 9}}');
    names.push(await nameOf({ evaluators: [copy] }));
    assert.match(names[3], /^visla\.bert-cls-[\da-f]{8}\.report\.json$/);
    const before = await everything(join(folder, 'out'));
    for (const [i, dataset] of [file, third, again].entries())
      assert.equal(await nameOf({ dataset }), names[i]);
    assert.equal(await nameOf({ evaluators: [copy] }), names[3]);
    assert.equal(await everything(join(folder, 'out')), before);
  });

  it('says that it replaces a report with another seed', async () => {
    await writeFile(file, triplets(3));
    const notices = async (seed: number) => {
      const events: AuditEvent[] = [];
      await audit({ seed, onEvent: (event) => events.push(event) });
      return events.flatMap((event) => (event.type === 'notice' ? [event.message] : []));
    };
    assert.deepEqual(await notices(1), []);
    assert.deepEqual(await notices(1), []);
    assert.match((await notices(2)).join(), /visla\.bert-cls\.report\.json: .*A new report replaces it/);
    assert.equal((await readdir(join(folder, 'out'))).length, 2);
  });

  it('reads only up to the limit, and says so', async () => {
    await writeFile(file, triplets(10));
    const [{ report }] = await audit({ limit: 3 });
    assert.deepEqual([report.dataset.examples, report.limit], [3, 3]);
  });

  it('sends partial metrics with their number of examples, without affecting the report', async () => {
    await writeFile(file, triplets(600));
    const localized: Extract<AuditEvent, { type: 'partialMetrics' }>[] = [];
    const [{ path, report }] = await audit({
      onEvent: (event) => {
        if (event.type === 'partialMetrics') localized.push(event);
      },
    });
    assert.ok(localized.length > 0, 'no message arrived');
    const [{ probe, partialMetrics }] = localized;
    assert.deepEqual([probe, partialMetrics.length, partialMetrics[0].evaluator], ['visla', 1, 'bert-cls']);
    const { examples, metrics } = partialMetrics[0];
    assert.ok(examples > 0 && examples < 600, String(examples));
    const rows = (await readFile(path.replace('.report.json', '.rows.jsonl'), 'utf8'))
      .split('\n')
      .slice(0, examples)
      .map((line) => (JSON.parse(line) as { t2t: Record<'p1p2' | 'p1n' | 'p2n', number> }).t2t);
    const right = rows.filter(({ p1p2, p1n, p2n }) => p1p2 > p1n && p1p2 > p2n).length / examples;
    const figure = metrics.find(({ id }) => id === 'visla.t2t')!;
    assert.deepEqual([figure.n, figure.ci], [examples, undefined]);
    assert.ok(Math.abs(figure.value! - right) < 1e-12, `${figure.value} and ${right}`);
    const [alone] = await audit({ limit: examples, out: join(folder, 'part') });
    const final = alone.report.metrics.find(({ id, slice }) => id === 'visla.t2t' && slice === undefined)!;
    assert.deepEqual([final.value, final.n], [figure.value, figure.n]);
    assert.equal(report.dataset.examples, 600);
  });

  /** Cancels once this many examples are measured. */
  async function cancelAfter(examples: number, changes: Partial<AuditRequest>): Promise<void> {
    const controller = new AbortController();
    const running = audit({
      ...changes,
      signal: controller.signal,
      onEvent: (event) => {
        if (event.type !== 'progress' || event.progress.done === 0) return;
        if (event.progress.examples < examples) return;
        controller.abort();
      },
    });
    await assert.rejects(running, (error) => error instanceof CaptiousError && error.kind === 'interrupted');
  }

  it('leaves no files when cancelled at the start, and resumes from the store', async () => {
    await writeFile(file, triplets(3000));
    await cancelAfter(0, { evaluators: [clip], batchSize: 1 });
    assert.deepEqual(await readdir(join(folder, 'out')), []);
    let fromStore = 0;
    const [{ report }] = await audit({
      evaluators: [clip],
      onEvent: (event) => {
        if (event.type === 'progress') fromStore = event.progress.fromStore;
      },
    });
    assert.equal(report.dataset.examples, 3000);
    assert.ok(fromStore > 0, 'nothing was kept of the cancelled run');
  });

  it('rejects invalid requests before anything runs', async () => {
    await writeFile(file, triplets(2));
    await assert.rejects(audit({ probes: ['vsila'] }), saying('probe.unknown', 'vsila'));
    await assert.rejects(audit({ evaluators: ['no-such-model'] }), /no-such-model/);
    await assert.rejects(
      audit({ options: { visla: { colour: 'red' } } }),
      saying('probe.optionUnknown', 'visla', 'colour'),
    );
    await assert.rejects(audit({ dataset: join(folder, 'none.tsv') }));
    await assert.rejects(audit({ out: file }), saying('base.folderNotCreated'));
    await writeFile(file, '');
    await assert.rejects(audit(), saying('dataset.fileEmpty'));
  });

  it('says why every example was left out', async () => {
    await writeFile(join(folder, 'captions.jsonl'), '{"image":"a.jpg","caption":"a red bus"}\n');
    const [{ report }] = await audit({ dataset: join(folder, 'captions.jsonl') });
    assert.deepEqual([report.dataset.examples, report.dataset.skipped], [0, 1]);
    assert.deepEqual(report.dataset.leftOut[0].reason, say('visla.notTriplet'));
    assert.ok(report.metrics.every((metric) => metric.value === null && metric.n === 0));
    assert.ok(report.warnings.some((text) => findSaid(text, 'audit.nothingAudited') !== undefined));
  });
});
