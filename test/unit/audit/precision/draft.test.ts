import assert from 'node:assert/strict';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { AuditRequest } from '../../../../src/audit/request';
import { runAudit } from '../../../../src/audit/run';
import { CaptiousError } from '../../../../src/base/errors';
import { isSaid, type Said, say } from '../../../../src/base/say';
import { measuredWords } from '../../../../src/audit/precision/measure';
import type { Row } from '../../../../src/probe/metric';
import type { VislaRow } from '../../../../src/probe/visla/row';
import { viewFor } from '../../../../src/probe/views';
import { markdown } from '../../../../src/report/export/markdown';
import { readReport } from '../../../../src/report/report';
import { html } from '../../../../src/report/export/html';
import { LeftOutRows } from '../../../../src/report/rowChecks';
import { viewOf } from '../../../../src/service/panelReport';
import { median } from '../../../../src/stats/summary';
import { sentence } from '../../../sentence';
import { captious } from '../../cli/captious';
import type { WrittenReport } from '../../../../src/audit/output/writtenReport';

const model = resolve('test/fixtures/models/clip-two-graphs');
const only8 = resolve('test/fixtures/models/odd-int8');
const words = [
  'a red bus',
  'two dogs run',
  'one cat on a sofa',
  'a man rides a horse',
  'the blue bus',
  'fog',
];

describe('an audit in lower precision', function () {
  this.timeout(120_000);
  let folder: string;
  let file: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'captious-draft-'));
    file = join(folder, 'triplets.tsv');
    const word = (i: number): string => words[i % words.length];
    const lines = Array.from(
      { length: 24 },
      (_, i) => `${i}.jpg\t${word(i)} ${i}\t${word(i + 1)} ${i % 5}\t${word(i + 2)} ${i % 7}\n`,
    );
    await writeFile(file, `filename\tcaption\tsecond positive\tnegative_caption\n${lines.join('')}`);
  });
  after(() => rm(folder, { recursive: true }));

  const audit = (name: string, changes: Partial<AuditRequest> = {}): Promise<WrittenReport[]> =>
    runAudit({
      ...{ dataset: file, probes: ['visla'], evaluators: [model], spread: false },
      ...{ home: join(folder, 'home'), out: join(folder, name) },
      signal: new AbortController().signal,
      ...changes,
    });
  const jsonLines = async <T>(name: string): Promise<T[]> => {
    const text = await readFile(name, 'utf8');
    return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as T]));
  };
  const rowsOf = ({ path, report }: WrittenReport): Promise<Row[]> =>
    jsonLines(join(path, '..', report.rows));
  const drafts = (warnings: readonly unknown[]): unknown[] =>
    warnings.filter((one) => isSaid(one) && one.code.startsWith('draft.'));

  it('is a draft, with the differences that two whole audits have', async () => {
    const [exact] = await audit('exact');
    const [draft] = await audit('half', { precision: 'float16' });
    assert.equal(draft.report.evaluator.draft, true);
    const view = viewFor('visla').rows;
    const facts = await Promise.all(
      [draft, exact].map(async (one) => (await rowsOf(one)).map((row) => view.facts(row)[0])),
    );
    const changes = facts[0].map(({ delta }, i) => Math.abs(delta! - facts[1][i].delta!));
    const right = facts.map((own) => own.filter(({ verdict }) => verdict === 'right').length);
    const same = facts[0].filter(({ verdict }, i) => verdict === facts[1][i].verdict).length;
    const found = draft.report.draft!;
    assert.deepEqual(found, {
      ...{ examples: 24, lines: 24 },
      changes: { median: median(changes), largest: Math.max(...changes) },
      decisions: { same, changed: 24 - same },
      right: { draft: right[0], exact: right[1] },
    });
    assert.ok(found.changes.largest > 0);
    assert.deepEqual(drafts(draft.report.warnings), [measuredWords('float16', found)]);
    assert.equal(draft.report.confirmed, undefined);
  });

  it('leaves a report in float32 unmarked, and also one of a folder with no other graphs', async () => {
    const [exact] = await audit('plain');
    const [low] = await audit('low', { evaluators: [only8], precision: 'int8' });
    for (const { report } of [exact, low]) {
      assert.equal('draft' in report || 'confirmed' in report || 'draft' in report.evaluator, false);
      assert.deepEqual(drafts(report.warnings), []);
      assert.equal(viewOf('a', report, []).draft, undefined);
    }
  });

  it('is marked in the panel, in Markdown and on pages', async () => {
    const [{ path, report }] = await audit('marked', { precision: 'float16' });
    const mark = sentence('draft.marked', report.evaluator.name);
    assert.equal(viewOf('a', report, []).draft, 'float16');
    assert.ok(markdown(report).split('\n')[0].endsWith(mark));
    async function* rows(): AsyncGenerator<Row> {
      yield* await rowsOf({ path, report });
    }
    assert.ok((await html(path, report, rows, new LeftOutRows())).includes(mark));
  });

  it('is marked by the command line, which confirms its rows', async () => {
    const out = join(folder, 'cli');
    const args = ['audit', file, '--probe', 'visla', '--evaluator', model, '--no-spread', '--out', out];
    const home = join(folder, 'home');
    const ended = await captious(home, ...args, '--precision', 'float16', '--confirm');
    assert.equal(ended.code, 0, ended.err);
    assert.ok(ended.out.includes(sentence('draft.marked', 'clip-two-graphs')), ended.out);
    const plain = await captious(home, ...args);
    assert.equal(plain.code, 0, plain.err);
    assert.ok(!plain.out.includes(sentence('draft.marked', 'clip-two-graphs')));
    assert.equal((await captious(home, ...args, '--confirm')).code, 2);
    assert.equal(
      (await captious(home, ...args, '--precision', 'fp16', '--confirm', '--workers', '2')).code,
      2,
    );
  });

  it('confirms in float32 what a whole audit in float32 says', async () => {
    const [exact] = await audit('exact2');
    const [{ path, report }] = await audit('confirmed', { precision: 'float16', confirm: true });
    const { file: name, ...counts } = report.confirmed!;
    type Line = Record<'draft' | 'exact', { delta: number; verdict: string }> & {
      row: number;
      kept: boolean;
    };
    const lines = await jsonLines<Line>(join(path, '..', name));
    assert.equal(lines.length, counts.kept + counts.changed);
    assert.equal(counts.lost, 0);
    assert.ok(lines.length > 0);
    const view = viewFor('visla').rows;
    const all = new Map((await rowsOf(exact)).map((row) => [row.row, view.facts(row as VislaRow)[0]]));
    for (const line of lines) {
      const { delta, verdict } = all.get(line.row)!;
      assert.deepEqual(line.exact, { delta, verdict });
      assert.equal(line.kept, line.draft.verdict === verdict);
    }
    const { worst, close, kept, changed } = counts;
    assert.deepEqual(
      drafts(report.warnings).at(-1),
      say('draft.confirmed', lines.length, worst, close, kept, changed, 0),
    );
    // A later draft without a confirmation must not keep the file.
    await audit('confirmed', { precision: 'float16' });
    await assert.rejects(readFile(join(path, '..', name)), { code: 'ENOENT' });
  });

  it('refuses to confirm without float32 graphs, or a probe that needs all examples, before anything is scored', async () => {
    await assert.rejects(
      audit('none', { evaluators: [only8], precision: 'int8', confirm: true }),
      (error) =>
        error instanceof CaptiousError &&
        error.at === only8 &&
        isSaid(error.what) &&
        error.what.code === 'draft.noFloat32' &&
        error.remedy === sentence('draft.saveFloat32'),
    );
    await assert.rejects(
      audit('joint', { probes: ['prsm'], precision: 'float16', confirm: true }),
      (error) =>
        error instanceof CaptiousError && isSaid(error.what) && error.what.code === 'audit.jointProbe',
    );
  });

  it('says why a probe of all examples together is not measured', async () => {
    const captions = join(folder, 'captions.jsonl');
    const images = resolve('test/fixtures/models/pictures');
    const entries = ['wide.png', 'tall.png', 'small.png'].map((image, i) =>
      JSON.stringify({ image, caption: words[i] }),
    );
    await writeFile(captions, `${entries.join('\n')}\n`);
    const asked = { dataset: captions, probes: ['prsm'], images: [images], precision: 'float16' };
    const [{ report }] = await audit('gallery', asked);
    assert.equal(report.draft, undefined);
    assert.deepEqual(drafts(report.warnings), [say('draft.jointProbe', 'float16')]);
  });

  it('has the mark also after a merge of shards, which cannot measure it', async () => {
    const out = join(folder, 'merged');
    const args = ['audit', file, '--probe', 'visla', '--evaluator', model, '--no-spread', '--out', out];
    const ended = await captious(join(folder, 'home'), ...args, '--precision', 'fp16', '--workers', '2');
    assert.equal(ended.code, 0, ended.err);
    const report = await readReport(join(out, 'visla.clip-two-graphs.report.json'));
    assert.equal(report.evaluator.draft, true);
    assert.equal(report.draft, undefined);
    assert.deepEqual(drafts(report.warnings), [say('draft.ofShards', 'float16')]);
  });

  it('is still written if the float32 graph is damaged, and says so', async () => {
    const damaged = join(folder, 'damaged');
    await cp(model, damaged, { recursive: true });
    const graph = join(damaged, 'onnx', 'text_model.onnx');
    const [{ report: before }] = await audit('whole', { evaluators: [damaged], precision: 'float16' });
    assert.ok(before.draft !== undefined);
    const bytes = await readFile(graph);
    // The names of inputs stay readable, but the weights are cut.
    await writeFile(graph, bytes.subarray(0, bytes.length >> 1));
    const [{ report }] = await audit('half-read', { evaluators: [damaged], precision: 'float16' });
    assert.equal(report.draft, undefined);
    assert.deepEqual(report.metrics, before.metrics);
    const [note] = drafts(report.warnings) as Said[];
    assert.deepEqual([note.code, note.values[0]], ['draft.notMeasured', 'float16']);
  });
});
