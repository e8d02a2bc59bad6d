import assert from 'node:assert/strict';
import { copyFile, mkdir, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import type { CaptiousError } from '../../../src/base/errors';
import { findSaid, say } from '../../../src/base/say';
import { english } from '../../../src/base/english';
import { boardOf, exportBoard } from '../../../src/service/board';
import { boardTable } from '../../../src/protocol/board';
import { writeBoard } from '../../../src/report/board/board';
import { paperReport, vislaRows } from '../report/paperReports';
import { saying } from '../../sentence';

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
    const table = await boardOf({ type: 'folder', folder }, signal);
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
      const { files } = await exportBoard({ from: { type: 'folder', folder }, out, form }, signal);
      assert.ok(files.length > 2);
      for (const file of files) {
        const name = relative(out, file);
        assert.equal(name.startsWith('results'), form === 'mteb');
        assert.deepEqual(await readFile(file), await readFile(join(folder, 'all', name)));
        found.push(name);
      }
    }
    assert.deepEqual(found.sort(), all.map((file) => relative(join(folder, 'all'), file)).sort());
    await assert.rejects(
      exportBoard({ from: { type: 'folder', folder }, out: folder, form: 'html' }, AbortSignal.abort()),
      /ancel/,
    );
  });

  it('shows the newest of several reports of one evaluator, probe and dataset in a folder', async () => {
    const own = join(folder, 'twice');
    await mkdir(own);
    const wanted = { probe: 'lgip', dataset: 'captions', evaluator: 'One' };
    const older = await paperReport(own, { ...wanted, shift: 0 });
    const newer = join(own, 'a.report.json');
    await copyFile(older, newer);
    for (const [old, now] of [
      [older, newer],
      [newer, older],
    ]) {
      await utimes(old, 1000, 1000);
      await utimes(now, 2000, 2000);
      const { rows, notes } = await boardOf({ type: 'folder', folder: own }, signal);
      const [[cell]] = rows.map(({ cells }) => cells);
      assert.equal(cell.type === 'value' && cell.report, now);
      const [names] = findSaid(notes!, 'board.olderReports')!.values;
      assert.equal(english(names), basename(old));
    }
  });

  it('says what is wrong with a folder', async () => {
    await assert.rejects(boardOf({ type: 'folder', folder: join(folder, 'none') }, signal), {
      what: say('board.folderUnreadable'),
    });
    await assert.rejects(boardOf({ type: 'folder', folder: join(folder, 'all/results') }, signal), {
      what: say('board.noReportsInFolder'),
    });
  });

  it('shows the newest of the runs of an evaluator, probe and dataset, and names what it leaves out', async () => {
    const paths: string[] = [];
    for (const at of ['1', '2', '3']) {
      await mkdir(join(folder, 'runs', at), { recursive: true });
      const wanted = { probe: 'lgip', dataset: 'captions', evaluator: at === '3' ? 'Two' : 'One' };
      paths.push(await paperReport(join(folder, 'runs', at), { ...wanted, shift: 100 * Number(at) }));
    }
    await writeFile(join(folder, 'broken.report.json'), '{');
    // Copies of a dataset are one.
    const copy = JSON.parse(await readFile(paths[2], 'utf8')) as { dataset: { path: string } };
    copy.dataset.path = `/elsewhere/${basename(copy.dataset.path)}`;
    await writeFile(join(folder, 'runs', 'copy.report.json'), JSON.stringify(copy));
    const all = [...paths, join(folder, 'broken.report.json'), join(folder, 'runs', 'copy.report.json')];
    // The order of the list says nothing, because the times do.
    const reports = all.map((path, at) => ({ path, at })).reverse();
    const table = await boardOf({ type: 'runs', reports }, signal);
    assert.deepEqual(
      table.rows.map(({ evaluator, cells }) => [
        evaluator,
        ...cells.map((cell) => cell.type === 'value' && all.indexOf(cell.report)),
      ]),
      [
        ['One', 1],
        ['Two', 4],
      ],
    );
    assert.deepEqual(findSaid(table.notes!, 'board.olderRuns')?.values, ['2']);
    assert.equal(findSaid(table.notes!, 'board.datasetVersions'), undefined);
    const [unreadable] = findSaid(table.notes!, 'board.unreadableReports')!.values;
    const [name, why] = findSaid(unreadable, 'probe.nameWithDetail')!.values;
    assert.match(english(name), /^[^/ ]+\/broken\.report\.json$/);
    assert.match(english(findSaid(why, 'report.notJson')!.values[0]), /^[^()/]+$/);
    const broken = [{ path: join(folder, 'broken.report.json'), at: 1 }];
    await assert.rejects(boardOf({ type: 'runs', reports: broken }, signal), saying('report.notJson'));
    // Reports of several folders have equal file names, and yet a page each.
    const same = paths.map((path) => ({ path, at: paths.indexOf(path) }));
    const { files } = await exportBoard(
      { from: { type: 'runs', reports: same.slice(1) }, out: join(folder, 'of runs'), form: 'html' },
      signal,
    );
    assert.equal(new Set(files).size, 3);
    await assert.rejects(boardOf({ type: 'runs', reports: [] }, signal), (error: CaptiousError) => {
      return findSaid(error.words, 'board.noReportsOfRuns') !== undefined;
    });
  });

  it('has the runs on each version of a dataset that is the newest of an evaluator', async () => {
    const versions: [evaluator: string, version: string][] = [
      ['One', 'a'],
      ['Two', 'b'],
      ['One', 'b'],
      ['One', 'c'],
    ];
    const all: string[] = [];
    for (const [i, [evaluator, version]] of versions.entries()) {
      const own = join(folder, 'versions', String(i));
      await mkdir(own, { recursive: true });
      const path = await paperReport(own, { probe: 'lgip', dataset: 'captions', evaluator, shift: 100 * i });
      const report = JSON.parse(await readFile(path, 'utf8')) as {
        dataset: { sha256: string; path: string };
      };
      Object.assign(report.dataset, { sha256: version.repeat(64), path: '/data/captions.json' });
      await writeFile(path, JSON.stringify(report));
      all.push(path);
    }
    const table = await boardOf({ type: 'runs', reports: all.map((path, at) => ({ path, at })) }, signal);
    assert.deepEqual(
      table.rows.map(({ cells }) => cells.map((cell) => cell.type === 'value' && all.indexOf(cell.report))),
      [
        [1, false],
        [2, 3],
      ],
    );
    assert.deepEqual(findSaid(table.notes!, 'board.olderRuns')?.values, ['1']);
    assert.ok(english(findSaid(table.notes!, 'board.datasetVersions')!).includes('captions.json'));
  });
});
