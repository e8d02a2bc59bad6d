import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { metricNames } from '../../../../src/probe/metricNames';
import { rococoView } from '../../../../src/probe/rococo/view';
import { readBoard, writeBoard } from '../../../../src/report/board/board';
import { reportOf, writeReport } from '../reportOf';
import { paperReport, vislaRows } from '../paperReports';
import { saying, sentence } from '../../../sentence';

const right = Array.from({ length: 40 }, (_, i) => i % 3 > 0);

describe('the board', () => {
  let folder: string;
  let out: string;
  let files: string[];
  let index: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'captious-board-'));
    out = join(folder, 'board');
    for (const [i, evaluator] of ['CLIP <b>', 'Gemma'].entries()) {
      await paperReport(folder, {
        probe: 'visla',
        dataset: 'triplets',
        evaluator,
        shift: 9 * i,
        rows: vislaRows(right),
      });
      if (i === 0) await paperReport(folder, { probe: 'lgip', dataset: 'captions', evaluator, shift: 0 });
    }
    files = (await writeBoard(folder, out)).map((path) => relative(out, path).replaceAll('\\', '/'));
    index = await readFile(join(out, 'index.html'), 'utf8');
  });
  after(() => rm(folder, { recursive: true }));

  it('has a row for each evaluator and a column for each probe and dataset, with intervals', () => {
    const rows = index.split('<tbody>')[1].match(/<tr>.*?<\/tr>/gs) ?? [];
    assert.equal(rows.length, 2);
    for (const row of rows) assert.equal(row.match(/<td/g)?.length, 2);
    const values = [...index.matchAll(/data-value="([^"]*)"/g)].map(([, value]) => value);
    assert.equal(values.filter((value) => value === '').length, 1);
    assert.equal(index.match(/<small>\[0\.\d{4}, 0\.\d{4}\]<\/small>/g)?.length, 3);
    assert.ok(index.includes('CLIP &lt;b&gt;') && !index.includes('CLIP <b>'));
  });

  it('links every value to a page that was written, with the failures behind it', async () => {
    const links = [...index.matchAll(/href="([^"#]*)#failures"/g)].map(([, link]) => decodeURI(link));
    assert.equal(links.length, 3);
    for (const link of links) {
      assert.ok(files.includes(link), link);
      const page = await readFile(join(out, link), 'utf8');
      assert.match(page, /id="failures"/);
    }
    const visla = await readFile(
      join(
        out,
        links.find((link) => link.includes('visla'))!,
      ),
      'utf8',
    );
    assert.ok(visla.includes(sentence('export.failuresAllListed', 14, 14, 40)));
  });

  it('runs no script but its own, and shows no path', () => {
    const script = /<script>(.*?)<\/script>/s.exec(index)![1];
    const hash = createHash('sha256').update(script).digest('base64');
    assert.ok(index.includes(`script-src 'sha256-${hash}'`));
    assert.ok(!index.includes('/home/jane') && !index.includes(folder));
  });

  it('writes results in mteb’s form', async () => {
    const name = files.find((file) => /results\/Gemma\/[0-9a-f]{40}\/visla\.triplets\.json$/.test(file));
    assert.ok(name !== undefined, files.join(' '));
    const result = JSON.parse(await readFile(join(out, name), 'utf8')) as {
      task_name: string;
      scores: { test: Record<string, unknown>[] };
    };
    assert.equal(result.task_name, 'visla.triplets');
    const [scores] = result.scores.test;
    assert.equal(scores.main_score, scores['visla.t2t']);
    assert.deepEqual([scores.hf_subset, scores.languages], ['default', ['eng-Latn']]);
    assert.ok(files.includes(name.replace(/[^/]+$/, 'model_meta.json')));
  });

  it('keeps evaluators and datasets apart whose names are not Latin or differ in case', async () => {
    const own = join(folder, 'names');
    await mkdir(own);
    const evaluators = ['模型', '評価', 'Gemma', 'gemma', 'a/b', 'a__b'];
    const datasets = ['数据', '字幕'];
    for (const [i, evaluator] of evaluators.entries())
      for (const dataset of datasets)
        await paperReport(own, { probe: 'visla', dataset, evaluator, shift: i, rows: vislaRows(right) });
    const written = (await writeBoard(own, join(own, 'out'), { to: ['mteb'] })).map((path) =>
      path.toLowerCase(),
    );
    assert.equal(new Set(written).size, written.length);
    assert.equal(written.filter((path) => !path.endsWith('model_meta.json')).length, 12);
    assert.ok(written.some((path) => path.includes('/results/a__b/')));
  });

  it('tells datasets of one name apart by their files or folders, and names every metric', async () => {
    const own = join(folder, 'alike');
    await mkdir(own);
    const metrics = [{ id: 'rococo.i2t.dropRate', value: 0.2, n: 26, ci: [0.1, 0.3] as [number, number] }];
    const base = reportOf({ probe: 'rococo', metrics, options: { captions: 'all' } });
    for (const [i, path] of [
      '/w/a/c.json',
      '/w/a/c.jsonl',
      '/w/b/c.json',
      '/x/y/b/c.json',
      '/x/d.json',
    ].entries()) {
      const dataset = { ...base.dataset, path, sha256: String(i).repeat(64) };
      await writeReport(own, { ...base, dataset, rows: `r${i}.rows.jsonl` }, '');
    }
    const { columns } = await readBoard(own);
    assert.deepEqual(
      columns.map(({ dataset }) => dataset),
      ['a/c.json', 'c.jsonl', 'c (3)', 'c (4)', 'd'],
    );
    const name = metricNames(rococoView, metrics)('rococo.i2t.dropRate');
    assert.notEqual(name, 'rococo.i2t.dropRate');
    assert.deepEqual(columns[0].names, [name]);
  });

  it('says what is wrong with a folder', async () => {
    await assert.rejects(writeBoard(join(folder, 'none'), out), saying('board.folderUnreadable'));
    await assert.rejects(writeBoard(join(out, 'results'), out), saying('board.noReportsInFolder'));
  });
});
