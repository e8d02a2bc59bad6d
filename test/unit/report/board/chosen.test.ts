import assert from 'node:assert/strict';
import { copyFile, mkdir, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { english } from '../../../../src/base/english';
import { findSaid, inARow, isSaid, say } from '../../../../src/base/say';
import { newestIn } from '../../../../src/report/board/chosen';
import { boardOf } from '../../../../src/service/board';
import { sentence } from '../../../sentence';
import { captious } from '../../cli/captious';
import { paperReport } from '../paperReports';

describe('the chosen reports of a board', function () {
  this.timeout(60_000);
  let folder: string;
  let older: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'captious-chosen-'));
    const wanted = { probe: 'lgip', dataset: 'captions', evaluator: 'One' };
    older = await paperReport(folder, { ...wanted, shift: 0 });
    await copyFile(older, join(folder, 'a.report.json'));
    await utimes(older, 1000, 1000);
    await paperReport(folder, { ...wanted, evaluator: 'Two', shift: 9 });
    for (let i = 1; i <= 7; i++) await writeFile(join(folder, `broken${i}.report.json`), '{');
    await writeFile(join(folder, 'broken1.report.json'), '{"schema": 1}');
  });
  after(() => rm(folder, { recursive: true }));

  it('are the newest files, and the others are named with the reason, up to five', async () => {
    const { paths, notes: all, leftOut } = await newestIn(folder);
    const notes = inARow(all);
    assert.deepEqual(
      paths.map((path) => basename(path)),
      ['a.report.json', 'lgip.Two.captions.report.json'],
    );
    assert.equal(english(findSaid(notes, 'board.olderReports')!.values[0]), basename(older));
    const [unreadable] = findSaid(notes, 'board.unreadableReports')!.values;
    assert.ok(isSaid(unreadable));
    const [, ...named] = unreadable.values;
    assert.deepEqual(
      named
        .slice(0, -1)
        .map((one) => isSaid(one) && [one.values[0], isSaid(one.values[1]) && one.values[1].code]),
      [1, 2, 3, 4, 5].map((i) => [`broken${i}.report.json`, i === 1 ? 'report.invalid' : 'report.notJson']),
    );
    assert.deepEqual(named.at(-1), say('editor.further', 2));
    assert.ok(!english(unreadable).includes(folder));
    assert.deepEqual(
      leftOut.map(({ path }) => basename(path)),
      [basename(older), ...[1, 2, 3, 4, 5, 6, 7].map((i) => `broken${i}.report.json`)],
    );
  });

  it('are the same on the command line, which names what the page leaves out', async () => {
    const out = join(folder, 'out');
    const { code, out: said, err } = await captious(folder, 'board', folder, '--out', out, '--json');
    assert.equal(code, 0, err);
    const { leftOut } = JSON.parse(said) as { leftOut: { path: string; why: string }[] };
    assert.deepEqual(leftOut[0], {
      path: older,
      why: sentence('board.isOlder'),
    });
    assert.equal(leftOut.length, 8);
    const { rows, notes } = await boardOf({ type: 'folder', folder }, new AbortController().signal);
    assert.deepEqual(err.trim().split('\n').slice(0, 2).join(' '), english(notes!));
    const page = await readFile(join(out, 'index.html'), 'utf8');
    const cells = rows.flatMap(({ cells: own }) => own.filter((cell) => cell.type === 'value'));
    assert.deepEqual(
      [...page.matchAll(/data-value="([^"]+)"/g)].map(([, value]) => Number(value)),
      cells.map(({ value }) => value),
    );
    assert.ok(page.includes(basename(older)) && page.includes('broken5.report.json'));
  });

  it('fail with --strict', async () => {
    const strict = (from: string) =>
      captious(folder, 'board', from, '--out', join(folder, 'out'), '--strict');
    const broken = await strict(folder);
    assert.equal(broken.code, 2);
    assert.match(broken.err, /broken\d\.report\.json/);
    const twice = join(folder, 'twice');
    await mkdir(twice);
    for (const name of ['a', 'b']) await copyFile(older, join(twice, `${name}.report.json`));
    const { code, err } = await strict(twice);
    assert.equal(code, 2);
    assert.match(err, /a\.report\.json/);
    assert.match(err, /b\.report\.json/);
  });
});
