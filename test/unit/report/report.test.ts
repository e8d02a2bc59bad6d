import { english } from '../../../src/base/english';
import assert from 'node:assert/strict';
import { say } from '../../../src/base/say';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { lineUpReports } from '../../../src/report/lineUp';
import { csv } from '../../../src/report/export/csv';
import { markdown } from '../../../src/report/export/markdown';
import { markdownText } from '../../../src/base/text/markdown';
import { ownerToken, thisOwner } from '../../../src/base/files/owner';
import { OutputFile, removeStaleParts } from '../../../src/report/output';
import { LeftOutRows } from '../../../src/report/rowChecks';
import { readReport, type Report } from '../../../src/report/report';
import { readRows } from '../../../src/report/rows';
import type { Row } from '../../../src/probe/metric';
import { reportOf, writeReport } from './reportOf';
import { saying, sentence } from '../../sentence';

describe('report', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'captious-report-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('reads back as written', async () => {
    const path = join(folder, 'a.report.json');
    const report = reportOf({ metrics: [{ id: 'visla.t2t', value: 0.5, n: 2, ties: 0, ci: [0.1, 0.9] }] });
    await writeFile(path, JSON.stringify(report));
    assert.deepEqual(await readReport(path), report);
  });

  it('names the file and its error', async () => {
    const path = join(folder, 'a.report.json');
    const wrong: [unknown, RegExp][] = [
      ['{"schema":', saying('report.notJson', sentence('base.jsonEnds'))],
      [[], /not an object/],
      [{ ...reportOf(), schema: 'captious/report@9' }, /schema is not one of captious\/report@2/],
      [{ ...reportOf(), rows: '../../etc/passwd' }, /in the same folder/],
      [{ ...reportOf(), metrics: [{ id: 'x', value: '0.5', n: 1 }] }, /metrics\[0\]\.value/],
      [{ ...reportOf(), metrics: [{ id: 'x', value: 1, n: 1, ci: [1] }] }, /metrics\[0\]\.ci/],
      [{ ...reportOf(), options: { a: { b: 1 } } }, /options\.a/],
      [{ ...reportOf(), dataset: null }, /dataset/],
    ];
    for (const [value, message] of wrong) {
      await writeFile(path, typeof value === 'string' ? value : JSON.stringify(value));
      await assert.rejects(readReport(path), (error: Error & { at?: string }) => {
        assert.match(error.message, message);
        assert.equal(error.at, path);
        return true;
      });
    }
    await assert.rejects(readReport(join(folder, 'none.json')), saying('report.unreadable'));
  });

  it('leaves out invalid rows with their lines, for every probe', async () => {
    const wrong = { example: 'x', row: 0 };
    for (const probe of ['lgip', 'visla', 'sugarcrepe', 'winoground', 'rococo', 'prsm', 'invariance']) {
      const report = reportOf({ probe });
      const text = `${JSON.stringify(wrong)}\n{"example":\n{"example":"1","row":0,"image":3}\n`;
      const path = await writeReport(folder, report, text);
      const leftOut = new LeftOutRows();
      for await (const row of readRows(path, await readReport(path), leftOut)) assert.fail(row.example);
      assert.deepEqual(
        leftOut.first.map(({ line }) => line),
        [1, 2, 3],
        probe,
      );
      assert.match(english(leftOut.first[0].why), / is not /);
    }
  });

  it('reads the rows of a probe named like a property of every object', async () => {
    const path = await writeReport(folder, reportOf({ probe: 'constructor' }), '{"example":"1","row":0}\n');
    const rows: Row[] = [];
    for await (const row of readRows(path, await readReport(path), new LeftOutRows())) rows.push(row);
    assert.deepEqual(rows, [{ example: '1', row: 0 }]);
  });

  it('reads only the rows that match its hash', async () => {
    const lines = ['{"example":"1","row":0}\n', '{"example":"2","row":1}\n'];
    const path = await writeReport(folder, reportOf({ probe: 'new' }), lines.join(''));
    const report = await readReport(path);
    const file = join(folder, report.rows);
    const read = async (of: Report): Promise<void> => {
      for await (const row of readRows(path, of, new LeftOutRows())) assert.ok(row.example);
    };
    await read(report);
    await assert.rejects(read({ ...report, rowCount: 3 }), saying('report.rowCountDiffers', 3, 2));
    for (const text of ['', lines[0], lines.join('').replace('2', '3')]) {
      await writeFile(file, text);
      await assert.rejects(read(report), saying('report.rowsFileChanged'));
    }
    await rm(file);
    await assert.rejects(read(report), saying('editor.reportRowsUnreadable'));
  });
});

describe('output file', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'captious-output-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('appears only when complete, and returns its hash', async () => {
    const path = join(folder, 'rows.jsonl');
    const file = await OutputFile.create(path);
    for (let i = 0; i < 20_000; i++) await file.line({ i, text: 'é😀' });
    assert.equal((await readdir(folder)).includes('rows.jsonl'), false);
    const sha256 = await file.finish();
    const written = await readFile(path);
    assert.equal(sha256, createHash('sha256').update(written).digest('hex'));
    assert.equal(written.toString().split('\n').length, 20_001);
    assert.equal(file.lines, 20_000);
    assert.deepEqual(await readdir(folder), ['rows.jsonl']);
  });

  it('leaves no files when discarded, and removes those of ended processes', async () => {
    const file = await OutputFile.create(join(folder, 'a'));
    await file.line(1);
    await file.discard();
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    const dead = ownerToken({ ...thisOwner(), pid });
    await writeFile(join(folder, `.b.${dead}.part`), 'x');
    const alive = await OutputFile.create(join(folder, 'c'));
    await removeStaleParts(folder);
    assert.deepEqual(await readdir(folder), [basename(alive.temporary)]);
    await writeFile(join(folder, `.d.${dead}.part`), 'x');
    await removeStaleParts(folder, new Set([`.d.${dead}.part`]));
    assert.deepEqual((await readdir(folder)).sort(), [basename(alive.temporary), `.d.${dead}.part`].sort());
    await removeStaleParts(folder);
    await alive.discard();
  });

  it('names a folder that cannot be written', async () => {
    await assert.rejects(
      OutputFile.create(join(folder, 'no', 'such', 'file')),
      saying('base.fileNotWritable'),
    );
  });
});

async function text(pieces: AsyncIterable<string>): Promise<string> {
  let out = '';
  for await (const piece of pieces) out += piece;
  return out;
}

describe('export', () => {
  it('writes nested rows as columns, quotes cells as needed, and disarms formulas', async () => {
    const rows = [
      { example: '1', row: 0, t2t: { p1n: 0.5, right: true }, p1: 'a "b", c' },
      { example: '=1+1', row: 1, p1: 'line\nbreak', list: [1, 2] },
    ];
    const out = await text(
      csv(async function* () {
        yield* rows;
      }),
    );
    assert.equal(
      out,
      'example,row,t2t.p1n,t2t.right,p1,list\r\n1,0,0.5,true,"a ""b"", c",\r\n\'=1+1,1,,,"line\nbreak","[1,2]"\r\n',
    );
  });

  it('writes one line for each variant, and one for a row without any', async () => {
    const out = await text(
      csv(async function* () {
        const shared = { place: undefined, text: 'a red bus' };
        yield {
          ...{ example: 'a', row: 0, ...shared },
          variants: [
            { text: 'a blue bus', delta: 0.1 },
            { text: 'a green bus', delta: -0.2 },
          ],
        };
        yield { example: 'b', row: 1, ...shared, variants: [] };
      }),
    );
    assert.deepEqual(out.split('\r\n'), [
      'example,row,text,variant.text,variant.delta,variants',
      'a,0,a red bus,a blue bus,0.1,',
      'a,0,a red bus,a green bus,-0.2,',
      'b,1,a red bus,,,[]',
      '',
    ]);
  });

  it('keeps integers, including negative ones', async () => {
    const out = await text(
      csv(async function* () {
        yield { example: 'a', row: 0, delta: -0.1, exact: 0.1 + 0.2 };
      }),
    );
    assert.equal(out.split('\r\n')[1], 'a,0,-0.1,0.30000000000000004');
  });

  it('writes Markdown that captions and names cannot break out of', () => {
    const report = reportOf({
      metrics: [
        { id: 'a|b', value: null, n: 0, note: 'No examples.' },
        { id: 'visla.t2t', value: 0.58890021, n: 973, ties: 2, ci: [0.5567, 0.6191] },
      ],
      warnings: ['<script>alert(1)</script>'],
    });
    const out = markdown(report);
    assert.match(out, /\| a\\\|b \| – \|/);
    const title = markdownText(
      `${sentence('visla.captionsAlone')}: ${sentence('visla.accuracy')}, visla.t2t`,
    );
    assert.ok(out.includes(`| ${title} | 0.5889 | [0.5567, 0.6191] | 973 | 2 |`), out);
    assert.doesNotMatch(out, /<script>/);
  });

  it('writes Markdown in which no text can start a new line', () => {
    const evil = 'a\n# b\r\n<img src=x>\u2028## c\u0085- zz `';
    const base = reportOf();
    const out = markdown(
      reportOf({
        probe: evil,
        dataset: {
          ...base.dataset,
          path: evil,
          format: evil,
          leftOut: [{ reason: evil, count: 1, lines: [] }],
        },
        evaluator: { ...base.evaluator, name: evil, id: evil, notes: [evil] },
        options: { [evil]: evil },
        claims: [{ text: evil, rule: evil }],
        metrics: [{ id: evil, value: 1, n: 1, note: evil, slice: { [evil]: evil } }],
        warnings: [evil],
        versions: { [evil]: evil },
      }),
    );
    assert.doesNotMatch(out, /[\r\u2028\u0085]/);
    for (const line of out.split('\n')) {
      assert.doesNotMatch(line, /^(<|# b|## c|- zz)/);
      // Outside code, every `<` must be escaped.
      assert.doesNotMatch(line.replace(/`[^`]*`/, ''), /(?<!\\)</);
    }
  });
});

describe('compare', () => {
  it('lines up metrics by id and slice, and lists other differences', () => {
    const a = reportOf({
      metrics: [
        { id: 'm', value: 0.5, n: 1 },
        { id: 'm', value: 0.2, n: 1, slice: { type: 'colour' } },
        { id: 'only a', value: 1, n: 1 },
      ],
    });
    const b = reportOf({
      seed: 7,
      metrics: [
        { id: 'm', value: 0.3, n: 1, slice: { type: 'colour' } },
        { id: 'm', value: null, n: 0 },
        { id: 'only b', value: 2, n: 1 },
      ],
    });
    const { metrics, differences } = lineUpReports([a, b]);
    assert.deepEqual(
      metrics.map(({ name, values }) => [name, ...values.map((metric) => metric?.value)]),
      [
        ['m', 0.5, null],
        ['m (type: colour)', 0.2, 0.3],
        ['only a', 1, undefined],
        ['only b', undefined, 2],
      ],
    );
    assert.deepEqual(differences, [say('report.differSeeds', 42, 7)]);
    assert.throws(() => lineUpReports([a, reportOf({ probe: 'lgip' })]), /visla.*lgip/);
  });
});
