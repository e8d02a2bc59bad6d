import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { english } from '../../../src/base/english';
import { boardOf, exportBoard } from '../../../src/service/board';
import { boardTable } from '../../../src/protocol/board';
import { writeBoard } from '../../../src/report/board/board';
import { paperReport, vislaRows } from '../report/paperReports';

describe('the board of the editor', () => {
  const { signal } = new AbortController();
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'captious-editor-board-'));
    const visla = { probe: 'visla', dataset: 'triplets', rows: vislaRows([true, false]) };
    await paperReport(folder, { ...visla, evaluator: 'One', shift: 0 });
    await paperReport(folder, { ...visla, evaluator: 'Two', shift: 90, examples: 5 });
    await paperReport(folder, { probe: 'lgip', dataset: 'captions', evaluator: 'Two', shift: 0 });
  });
  after(() => rm(folder, { recursive: true }));

  it('has the values, intervals and missing cells of the page of the command line', async () => {
    const table = await boardOf(folder, signal);
    assert.deepEqual(boardTable(JSON.parse(JSON.stringify(table)), ''), table);
    const out = join(folder, 'cli');
    await writeBoard(folder, out);
    const page = await readFile(join(out, 'index.html'), 'utf8');
    const cells = [...page.matchAll(/<td class="n" data-value="([^"]*)"(?: title="([^"]*)")?>(.*?)<\/td>/g)];
    const own = table.rows.flatMap((row) => row.cells);
    assert.equal(own.length, 4);
    assert.equal(cells.length, own.length);
    for (const [i, cell] of own.entries()) {
      const [, value, title, content] = cells[i];
      if (cell.type === 'missing') assert.equal(title, english(cell.why));
      else {
        assert.equal(Number(value), cell.value);
        assert.ok(content.includes(`>${cell.text}</a>`) && content.includes(cell.interval));
        assert.ok(content.includes(`n = ${cell.n}<`));
        assert.equal(basename(cell.report).split('.')[1], table.rows[i >> 1].evaluator);
      }
    }
    assert.deepEqual(
      own.map((cell) => (cell.type === 'missing' ? 'missing' : cell.interval === '' ? 'few' : 'interval')),
      ['interval', 'few', 'missing', 'interval'],
    );
    assert.deepEqual([table.reports, table.notes !== undefined], [3, true]);
  });

  it('exports the files of the command line, byte for byte', async () => {
    const all = await writeBoard(folder, join(folder, 'all'));
    const found: string[] = [];
    for (const form of ['html', 'mteb'] as const) {
      const out = join(folder, form);
      const { files } = await exportBoard({ folder, out, form }, signal);
      assert.ok(files.length > 2);
      for (const file of files) {
        const name = relative(out, file);
        assert.equal(name.startsWith('results'), form === 'mteb');
        assert.deepEqual(await readFile(file), await readFile(join(folder, 'all', name)));
        found.push(name);
      }
    }
    assert.deepEqual(found.sort(), all.map((file) => relative(join(folder, 'all'), file)).sort());
    await assert.rejects(exportBoard({ folder, out: folder, form: 'html' }, AbortSignal.abort()), /ancel/);
  });

  it('says what is wrong with a folder', async () => {
    await assert.rejects(boardOf(join(folder, 'none'), signal), /cannot be read/);
    await assert.rejects(boardOf(join(folder, 'all/results'), signal), /no reports/);
  });
});
