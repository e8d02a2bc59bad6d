import { say, type Words } from '../../../src/base/say';
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isForFitting } from '../../../src/probe/invariance/calibration/calibrate';
import type { InvarianceRow } from '../../../src/probe/invariance/row';
import { clusterOf } from '../../../src/probe/metric';
import { readEntries } from '../../../src/report/paper/entry';
import { layoutsNamed } from '../../../src/report/paper/layouts/list';
import { writePaper } from '../../../src/report/paper/paper';
import { isNumber, type PaperTable } from '../../../src/report/paper/table';
import { paperReport } from '../../unit/report/paperReports';

const base = say('evaluator.calibratedScores', 'CLIP', 0.4, 'shrink', 'vflip');
const fitted = say(
  'calibrate.fitted',
  9,
  '/home/ann/a (copy), seed 1, share 0; b.json',
  'uniform',
  0.01,
  42,
  0.5,
  9,
  'x',
  0.2,
  0.1,
);

describe('tables of a paper before and after calibration', () => {
  let folder: string;
  let rows: InvarianceRow[];
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'captious-calibrated-paper-'));
    const text = await readFile('test/oracle/invariance/rows.jsonl', 'utf8');
    rows = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as InvarianceRow);
  });
  after(() => rm(folder, { recursive: true }));

  /** Two reports; the changes of some images are larger after calibration. */
  async function reports(notes: readonly Words[], isLarger: (isDev: boolean) => boolean): Promise<string[]> {
    const after = rows.map((row) => {
      if (!isLarger(isForFitting(clusterOf(row), { seed: 42, dev: 0.5 }))) return row;
      const variants = row.variants.map((one) => {
        const delta = 3 * one.delta;
        const change = one.change === null ? null : 3 * one.change;
        return { ...one, delta, change, score: one.against + delta };
      });
      return { ...row, variants };
    });
    const text = (of: InvarianceRow[]) => of.map((row) => `${JSON.stringify(row)}\n`).join('');
    const same = { probe: 'invariance', dataset: 'generic', shift: 0 };
    return [
      await paperReport(folder, { ...same, evaluator: 'CLIP', rows: text(rows) }),
      await paperReport(folder, { ...same, evaluator: 'Calibrated', notes, rows: text(after) }),
    ];
  }
  async function table(id: string, ...of: Parameters<typeof reports>) {
    const entries = await readEntries(await reports(...of));
    return layoutsNamed(id, entries)[0].build(entries);
  }
  /** The values before and after calibration. */
  const cellsOf = (made: PaperTable) =>
    made.rows.flatMap(({ cells }) =>
      cells.map((cell) => {
        assert.ok(isNumber(cell) && cell.after !== undefined);
        return [cell.metric.value, cell.after.metric.value];
      }),
    );

  for (const id of ['invariance.table14', 'invariance.table15', 'invariance.table16'])
    it(`${id} leaves out the images that served to fit the correction`, async () => {
      const plain = await table(id, [base, fitted], () => false);
      const onFitted = await table(id, [base, fitted], (isDev) => isDev);
      const onOthers = await table(id, [base, fitted], (isDev) => !isDev);
      assert.ok(cellsOf(plain).flat().every(Number.isFinite));
      assert.deepEqual(cellsOf(onFitted), cellsOf(plain));
      assert.notDeepEqual(cellsOf(onOthers), cellsOf(plain));
      const unknown = await table(id, [base], () => false);
      assert.notDeepEqual(unknown.notes, plain.notes);
    });

  it('are written with the methods of both reports', async () => {
    const paths = await reports([base, fitted], () => true);
    const out = join(folder, 'paper');
    for (const layout of ['invariance.table14', 'invariance.table15', 'invariance.table16'])
      await writePaper({ ...{ reports: paths, layout, to: 'tex', spread: 'ci' }, out });
    const methods = await readFile(join(out, 'methods.tex'), 'utf8');
    for (const evaluator of ['CLIP', 'Calibrated']) assert.ok(methods.includes(evaluator), methods);
  });
});
