import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { metricOf } from '../../../src/probe/metric';
import { type Entry, readEntries } from '../../../src/report/paper/entry';
import { layoutsNamed } from '../../../src/report/paper/layouts/list';
import { isNumber, type PaperTable } from '../../../src/report/paper/table';
import { flatHeads } from '../../../src/report/paper/write/plain';
import { texTable } from '../../../src/report/paper/write/tex';
import { sentence } from '../../sentence';
import { paperReport } from './paperReports';

describe('columns of a paper’s tables', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'captious-columns-'));
  });
  after(() => rm(folder, { recursive: true }));

  const entriesOf = async (probe: string, evaluators: readonly string[]): Promise<Entry[]> =>
    readEntries(
      await Promise.all(
        evaluators.map((evaluator, i) =>
          paperReport(folder, { probe, dataset: 'columns', evaluator, shift: 50 * i }),
        ),
      ),
    );
  const built = (id: string, entries: readonly Entry[]): Promise<PaperTable> =>
    layoutsNamed(id, entries)[0].build(entries);
  const bold = ({ rows }: PaperTable) =>
    rows.flatMap(({ cells }) => cells).filter((cell) => isNumber(cell) && cell.best);

  it('without a paired test have no bold value, and the footnote names them', async () => {
    const entries = await entriesOf('lgip', ['A', 'B']);
    for (const { report } of entries) {
      report.evaluator.scale = { name: 'own', low: 0, high: 1 };
      // Without skill, errors are not compared at all.
      Object.assign(metricOf(report.metrics, 'lgip.pr')!, { value: 0.8, ci: [0.7, 0.9] });
    }
    for (const [id, names] of [
      ['lgip.table3', 'E sens comb, PR comb'],
      ['lgip.table4', 'E inv simple, E inv adv'],
      ['lgip.table5', 'Weak PR, Medium PR, Strong PR'],
    ]) {
      const table = await built(id, entries);
      assert.deepEqual(bold(table), [], id);
      const notes = table.notes.filter((note) => note.startsWith('Not tested'));
      assert.equal(notes.length, 1, id);
      assert.ok(notes[0].includes(`: ${names}.`), notes[0]);
      assert.ok(!table.notes.some((note) => /slice|median|ratio/i.test(note)), id);
    }
  });

  it('without a value in any report are left out, and so are comparisons of PRSM', async () => {
    const entries = await entriesOf('prsm', ['A', 'B']);
    for (const { report } of entries)
      report.metrics = report.metrics.filter(
        ({ id, slice }) => !id.includes('listwise') && slice!.set !== 'P1' && slice!.comparison !== 'p1-p2',
      );
    const { rows, notes, heads, ...rest } = await built('prsm.table1', entries);
    assert.ok(rows.every(({ cells }) => cells.every(isNumber)));
    assert.deepEqual(
      rows.map(({ labels }) => labels),
      ['A, columns', 'B, columns'].flatMap((name) => [
        [name, 'P2', 'p1-np'],
        ['', '', 'p1-p2-p3-np'],
        ['', 'P3', 'o-a1'],
        ...['o-a2', 'o-a12', 'o-a1-a2-a12'].map((comparison) => ['', '', comparison]),
      ]),
    );
    assert.ok(!flatHeads({ heads, rows, notes, ...rest }).some((head) => head.includes('Listwise')));
    assert.ok(notes.some((note) => /^Columns left out.*: Overall Listwise; /.test(note)));
    assert.ok(notes.some((note) => /^Comparisons left out.*: o-c1; o-c2; o-c1-c2; p1-p2\.$/.test(note)));
  });

  it('of PRSM are left out if the top list holds all images, and the footnote says so', async () => {
    const entries = await entriesOf('prsm', ['A', 'B']);
    const heads = async (): Promise<string[]> => flatHeads(await built('prsm.table1', entries));
    for (const { report } of entries.slice(0, 1))
      for (const metric of report.metrics) if (metric.id.endsWith('@1000')) metric.moot = true;
    assert.ok(
      (await heads()).some((head) => head.includes('Top 1000')),
      'one report has more images',
    );
    for (const { report } of entries)
      for (const metric of report.metrics) if (metric.id.endsWith('@1000')) metric.moot = true;
    assert.deepEqual(
      (await heads()).filter((head) => head.includes('Top')),
      ['Overall', 'gender: female', 'gender: male'].map((group) => `${group} · Top 100`),
    );
    const { notes } = await built('prsm.table1', entries);
    assert.ok(
      notes.some((note) => note.startsWith('Top 1000 is left out')),
      notes.join('\n'),
    );
    assert.equal(notes.filter((note) => note.endsWith(' queries.')).length, 3);
  });

  it('of a benchmark that names metrics after its files are the same for each file', async () => {
    const paths: string[] = [];
    for (const dataset of ['swap_obj', 'replace_att', 'add_att'])
      for (const evaluator of ['A', 'B'])
        paths.push(await paperReport(folder, { probe: 'sugarcrepe', dataset, evaluator, shift: 5 }));
    const entries = await readEntries(paths);
    const { rows, notes } = await layoutsNamed('auto', entries)[0].build(entries);
    assert.ok(rows.every(({ cells }) => cells.every(isNumber)));
    assert.ok(!notes.some((note) => note.startsWith('Columns left out')));
  });

  it('without intervals name distinct captions as the cause if images share them', async () => {
    const entries = await entriesOf('lgip', ['A', 'B']);
    const noteOf = async (texts: number | undefined): Promise<string | undefined> => {
      for (const { report } of entries)
        for (const metric of report.metrics) Object.assign(metric, { n: 40, images: 40, texts });
      const { notes } = await built('lgip.table2', entries);
      return notes.find((note) => note.includes('no interval'));
    };
    assert.equal(await noteOf(undefined), undefined);
    const texts = sentence('report.distinctCaptions');
    assert.ok((await noteOf(18))!.endsWith(`fewer than 20 ${texts}.`), await noteOf(18));
  });

  it('with long headings make a table as wide as the page', async () => {
    const entries = await entriesOf('visla', ['A', 'B']);
    const table = await built('visla.table2', entries);
    assert.match(texTable(table, 'ci'), /\\begin\{table\}/);
    const [heads] = table.heads.slice(-1);
    const long = heads.map((head) => ({ ...head, text: head.text.padEnd(70, 'x') }));
    assert.match(texTable({ ...table, heads: [long] }, 'ci'), /\\begin\{table\*\}/);
  });
});
