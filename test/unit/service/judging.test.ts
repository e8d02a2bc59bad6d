import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CaptiousError } from '../../../src/base/errors';
import { escapeXml } from '../../../src/base/xml';
import { atOnce } from '../../../src/base/turns/steps';
import { wholeMetric } from '../../../src/probe/view';
import type { LgipRow } from '../../../src/probe/lgip/row';
import { exportReport } from '../../../src/report/export/export';
import type { Judgments } from '../../../src/report/export/judgments';
import { LeftOutRows } from '../../../src/report/rowChecks';
import { judgedParts } from '../../../src/service/judging/export';
import { judgedIn } from '../../../src/service/judging/judged';
import { judgeLine } from '../../../src/service/judging/judge';
import { withJudgments } from '../../../src/service/judging/lines';
import { reportFilesReadOnly } from '../../../src/service/rows/rowFile';
import { Shelf } from '../../../src/service/rows/shelf';
import { CheckSession } from '../../../src/sessions/check';
import { lgipSummaryOf } from '../../../src/sessions/lgip/without';
import { reportOf, writeReport } from '../report/reportOf';

const oracle: LgipRow[] = readFileSync(join(__dirname, '../../oracle/lgip/rows.jsonl'), 'utf8')
  .trimEnd()
  .split('\n')
  .slice(0, 8)
  .map((line) => JSON.parse(line) as LgipRow);

/** A caption of an image, with one flip that scores higher. */
function wrong(example: string, caption: number, text: string, flip: string): LgipRow {
  const at = flip.split(' ').findIndex((word, i) => word !== text.split(' ')[i]);
  const start = flip.split(' ').slice(0, at).join(' ').length + 1;
  const span: [number, number] = [start, start + flip.split(' ')[at].length];
  return {
    ...{ example, row: 0, image: `${example}.jpg`, caption, field: 'caption', text, words: 5 },
    ...{ outcome: 'perturbed', score: 0.2 },
    variants: [
      {
        text: flip,
        family: 'flip',
        kind: 'color',
        rule: 'r',
        score: 0.3,
        delta: 0.1,
        gap: -0.1,
        span,
        was: span,
      },
    ],
  };
}

describe('judgments beside a report', () => {
  let folder: string;
  let shelf: Shelf;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'captious-judging-'));
    shelf = new Shelf(reportFilesReadOnly);
  });

  afterEach(async () => {
    await shelf.close();
    await rm(folder, { recursive: true, force: true });
  });

  const metricsOf = (rows: readonly LgipRow[]) => {
    const summary = lgipSummaryOf({ options: {}, scores: ['image-text', 'text-text'] });
    for (const row of rows) summary.add(row);
    return atOnce(summary.finish()).metrics;
  };

  function lgipReport(rows: readonly LgipRow[]): Promise<string> {
    const own = reportOf({ probe: 'lgip', rows: 'lgip.tiny.rows.jsonl', metrics: metricsOf(rows) });
    own.evaluator = { ...own.evaluator, scores: ['image-text', 'text-text'] };
    return writeReport(folder, own, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  }

  it('are kept in the format of the human check, and leave the report as it was', async () => {
    const report = await lgipReport(oracle);
    const before = await readFile(report, 'utf8');
    assert.equal(await judgedIn(report), null);
    const ask = { report, index: 1, judge: 'Ann' };
    const [first] = (await judgeLine({ ...ask, index: 0 }, shelf)) ?? [];
    assert.deepEqual([first.index, first.votes, first.own], [0, [], undefined]);
    const lines = (await judgeLine({ ...ask, pick: 'rejected' }, shelf)) ?? [];
    assert.equal(lines[1].own, 'rejected');
    assert.deepEqual(lines[1].votes, [{ judge: 'Ann', picked: 'rejected' }]);
    const [name] = (await readdir(folder)).filter((file) => file.endsWith('.check.json'));
    assert.match(name, /^lgip\.tiny\..*\.judged-[0-9a-f]{8}\.check\.json$/);
    const session = CheckSession.parse(await readFile(join(folder, name), 'utf8'), name);
    assert.equal(session.annotator, 'Ann');
    assert.equal(session.items.length, 1);
    assert.equal(session.isOpen(session.items[0]), false);
    assert.equal(await readFile(report, 'utf8'), before);
  });

  it('can be confirmed, taken back, and made by several people', async () => {
    const report = await lgipReport(oracle);
    const pick = (judge: string, to: 'rejected' | 'valid' | 'open') =>
      judgeLine({ report, index: 0, judge, pick: to }, shelf);
    await Promise.all([pick('Ann', 'valid'), pick('Bo', 'rejected')]);
    const votes = async () => (await judgeLine({ report, index: 0, judge: 'Cy' }, shelf))![0].votes;
    assert.deepEqual(await votes(), [
      { judge: 'Ann', picked: 'valid' },
      { judge: 'Bo', picked: 'rejected' },
    ]);
    assert.deepEqual((await judgedIn(report))?.judges, [
      { name: 'Ann', rejected: 0, valid: 1 },
      { name: 'Bo', rejected: 1, valid: 0 },
    ]);
    await pick('Bo', 'open');
    assert.deepEqual(await votes(), [{ judge: 'Ann', picked: 'valid' }]);
    await pick('Ann', 'open');
    assert.equal(await judgedIn(report), null);
  });

  it('mark the lines of the list, by what most people say', async () => {
    const report = await lgipReport(oracle);
    const pick = (index: number, judge: string, to: 'rejected' | 'valid' | 'open') =>
      judgeLine({ report, index, judge, pick: to }, shelf);
    const marked = async () => {
      const selection = { text: '', facets: {}, sort: 'worst' } as const;
      const { lines } = await shelf.answer('lines', { report, selection, offset: 0, limit: 1000 });
      const found = await withJudgments(report, lines, shelf);
      assert.deepEqual(
        found.map(({ index }) => index),
        lines.map(({ index }) => index),
      );
      return Object.fromEntries(
        found.flatMap(({ index, judged }) => (judged === undefined ? [] : [[index, judged]])),
      );
    };
    assert.deepEqual(await marked(), {});
    await pick(1, 'Ann', 'rejected');
    await pick(4, 'Ann', 'valid');
    assert.deepEqual(await marked(), { 1: 'rejected', 4: 'valid' });
    await pick(1, 'Bo', 'valid');
    await pick(1, 'Cy', 'valid');
    await pick(4, 'Ann', 'open');
    assert.deepEqual(await marked(), { 1: 'valid' });
    const [file] = (await readdir(folder)).filter((name) => name.endsWith('.check.json'));
    await writeFile(join(folder, file), '{');
    assert.deepEqual(await marked(), {}, 'the list stays, because another request names the damaged file');
  });

  it('give the metrics of the remaining rows by the same estimator', async () => {
    const report = await lgipReport(oracle);
    const all = oracle.flatMap((row) => row.variants);
    const at = all.findIndex(({ family, gap }) => family === 'flip' && (gap ?? 0) < 0);
    assert.ok(at >= 0);
    await judgeLine({ report, index: at, judge: 'Ann', pick: 'rejected' }, shelf);
    const judged = await judgedIn(report);
    assert.equal(judged?.rejected, 1);
    const rest = oracle.map((row) => ({
      ...row,
      variants: row.variants.filter((variant) => variant !== all[at]),
    }));
    const expected = wholeMetric(metricsOf(rest), 'lgip.pr')!;
    const shown = judged.metrics.find(({ id }) => id === 'lgip.pr')!;
    assert.deepEqual(shown.rest, {
      ...{ value: expected.value, n: expected.n },
      ...(expected.ci && { ci: [...expected.ci] }),
    });
    const before = wholeMetric(metricsOf(oracle), 'lgip.pr')!;
    assert.equal(shown.all.value, before.value);
    assert.ok(shown.rest.value! > shown.all.value!, 'a rejected failure raises the share of flips caught');
  });

  it('a valid failure stays in the metrics', async () => {
    const report = await lgipReport(oracle);
    await judgeLine({ report, index: 0, judge: 'Ann', pick: 'valid' }, shelf);
    const judged = await judgedIn(report);
    assert.equal(judged?.rejected, 0);
    for (const { all, rest } of judged.metrics) assert.deepEqual(rest, all);
  });

  it('suggest a flip that another caption of the image supports, and no other', async () => {
    const rows = [
      wrong('a', 0, 'a blue truck by dogs', 'a red truck by dogs'),
      wrong('a', 1, 'one red truck is parked', 'one green truck is parked'),
      wrong('b', 0, 'a black truck in the sun', 'a red truck in the sun'),
    ];
    const report = await lgipReport(rows);
    const perhaps = async (index: number) => (await judgeLine({ report, index }, shelf))![0].perhaps;
    assert.deepEqual(await perhaps(0), { word: 'red', caption: 'one red truck is parked' });
    assert.equal(await perhaps(1), undefined);
    assert.equal(await perhaps(2), undefined);
  });

  it('suggest none for the words of a rewording that is flipped, too', async () => {
    const [flipped] = wrong('c', 0, 'two white roses in a vase', 'two purple roses in a vase').variants;
    const text = 'There are two purple roses in a vase';
    const at = text.indexOf('purple');
    const row = wrong('c', 0, 'two white roses in a vase', 'two purple roses in a vase');
    const other = wrong('c', 1, 'there is a vase of roses', 'there is a cup of roses');
    const reworded: typeof row = { ...row, variants: [{ ...flipped, text, span: [at, at + 6] }] };
    const report = await lgipReport([reworded, other]);
    assert.equal((await judgeLine({ report, index: 0 }, shelf))![0].perhaps, undefined);
  });

  it('are named by exports as CSV, JSON and HTML, and by no export without them', async () => {
    const report = await lgipReport(oracle);
    const exported = async (form: string) => {
      const parts = { judged: await judgedParts(report) };
      const pieces: string[] = [];
      for await (const piece of exportReport(report, form, new LeftOutRows(), parts))
        pieces.push(String(piece));
      return pieces.join('');
    };
    assert.equal(await judgedParts(report), undefined);
    assert.ok(!(await exported('csv')).includes('judged.rejected'));
    await judgeLine({ report, index: 1, judge: 'Ann', pick: 'rejected' }, shelf);
    const { text } = oracle.flatMap((row) => row.variants)[1];
    const [head, ...lines] = (await exported('csv')).split('\r\n');
    assert.ok(head.split(',').includes('judged.rejected'));
    const named = lines.filter((line) => line.includes('Ann'));
    assert.equal(named.length, 1);
    assert.ok(named[0].includes(text));
    const { judgments } = JSON.parse(await exported('json')) as { judgments: Judgments };
    assert.deepEqual(
      judgments.variants.map(({ changed, votes }) => [changed, votes]),
      [[text, [{ judge: 'Ann', picked: 'rejected' }]]],
    );
    assert.equal(judgments.rejected, 1);
    assert.ok((await exported('html')).includes(`<td>${escapeXml(text)}</td><td>Ann</td>`));
  });

  it('name the file if it is damaged, for every reader of it', async () => {
    const report = await lgipReport([wrong('a', 0, 'a red bus stops here', 'a blue bus stops here')]);
    await judgeLine({ report, index: 0, pick: 'rejected', judge: 'Ann' }, shelf);
    const file = (await readdir(folder)).find((name) => name.endsWith('.check.json'))!;
    await writeFile(join(folder, file), '{');
    const named = (error: CaptiousError): boolean => String(error.at).endsWith(file);
    await assert.rejects(judgeLine({ report, index: 0 }, shelf), named);
    await assert.rejects(judgedIn(report), named);
    await assert.rejects(judgedParts(report), named);
  });

  it('other rows under the same name have no judgments, and other probes cannot be judged', async () => {
    const report = await lgipReport(oracle);
    await judgeLine({ report, index: 0, judge: 'Ann', pick: 'valid' }, shelf);
    await lgipReport(oracle.slice(1));
    assert.equal(await judgedIn(report), null);
    const other = await writeReport(folder, reportOf({ probe: 'visla' }), '');
    assert.equal(await judgedIn(other), null);
  });
});
