import assert from 'node:assert/strict';
import { join } from 'node:path';
import { gateFailures, parseGate } from '../../../../../src/report/gate';
import { readBoard } from '../../../../../src/report/board/board';
import { readEntries } from '../../../../../src/report/paper/entry';
import { figuresOf } from '../../../../../src/report/paper/figures/figures';
import { layoutsNamed } from '../../../../../src/report/paper/layouts/list';
import { methods } from '../../../../../src/report/paper/methods';
import { isNumber, type PaperCell } from '../../../../../src/report/paper/table';
import { readReport } from '../../../../../src/report/report';
import { scratchFolder } from '../../../dataset/support';
import { paperReport, vislaRows } from '../../paperReports';
import { balancedBenchmark, benchmarkReport, plantedBenchmark } from '../../plantedBenchmark';
import { saying } from '../../../../sentence';

describe('the table about benchmarks', function () {
  this.timeout(60_000);
  const scratch = scratchFolder();
  let paths: string[];
  const out = (): string => join(scratch.path, 'out');

  before(async () => {
    paths = [];
    for (const [name, text] of [
      ['planted.jsonl', plantedBenchmark()],
      ['balanced.jsonl', balancedBenchmark()],
    ])
      paths.push(await benchmarkReport(scratch.write(name, text), out(), join(scratch.path, 'home')));
  });

  const shown = (cell: PaperCell): string => (isNumber(cell) ? `${cell.best ? '*' : ''}${cell.shown}` : cell);

  it('has a row for each file, whose best model is bold if it is better than chance', async () => {
    const entries = await readEntries(paths);
    const [layout] = layoutsNamed('auto', entries);
    const { heads, rows, notes } = await layout.build(entries);
    assert.deepEqual(
      heads.at(-1)!.map(({ text }) => text),
      ['Order', 'Image', 'Short', 'Long', 'Freq.', 'TTR', 'Words', 'Pairs', 'LM', 'Left', 'Faulty'],
    );
    const cells = rows.map((row) => row.cells.map(shown));
    assert.deepEqual([rows[0].labels, cells[0].slice(0, 4)], [['planted'], ['87.5', '97.5', '87.5', '12.5']]);
    assert.deepEqual(
      cells[0].filter((cell) => cell.startsWith('*')),
      ['*97.5'],
    );
    assert.equal(heads.at(-1)![cells[0].indexOf('*97.5')].text, 'Pairs');
    assert.deepEqual([cells[0].at(-1), cells[1].filter((cell) => cell.startsWith('*'))], ['2', []]);
    assert.deepEqual(cells[1].slice(0, 2), ['100.0', '50.0']);
    assert.ok(!notes.some((note) => note.includes('do not count as right')));
    // The note explains the columns of the table, and no others.
    assert.equal(notes[0].includes('First:'), false);
    assert.match(notes[0], /^Short, Long: .* Freq[.]: .* TTR: .* Words, Pairs: .* LM: /);
  });

  it('has the slices of a single file', async () => {
    const entries = await readEntries([paths[0]]);
    const { rows } = await layoutsNamed('benchmark', entries)[0].build(entries);
    assert.deepEqual(
      rows.map(({ labels, cells }) => [labels[0], shown(cells[0])]),
      [
        ['planted', '87.5'],
        ['kind: add', '96.9'],
        ['kind: swap', '50.0'],
      ],
    );
  });

  it('has methods that name no evaluator and no tie that counts as wrong', async () => {
    const entries = await readEntries(paths);
    const text = methods(entries, false);
    assert.match(text, /^We checked planted \(40 examples, 0 left out; SHA-256 [0-9a-f]{64}\), balanced /);
    assert.ok(!/audited|Perturbations|do not count as right/.test(text), text);
  });

  it('has the charts of each file as figures', async () => {
    const names = figuresOf(await readEntries(paths)).map(({ name }) => name);
    assert.ok(names.includes('benchmark.planted.blind') && names.includes('benchmark.balanced.blind'));
  });

  it('leaves benchmarks out of boards, and says so', async () => {
    await assert.rejects(readBoard(out()), saying('board.onlyBenchmarks'));
    await paperReport(out(), {
      ...{ probe: 'visla', dataset: 'triplets', evaluator: 'clip', shift: 0 },
      rows: vislaRows([true, false]),
    });
    const { rows, notes } = await readBoard(out());
    assert.deepEqual(
      rows.map(({ evaluator }) => evaluator),
      ['clip'],
    );
    assert.match(JSON.stringify(notes), /board\.benchmarksLeftOut/);
  });

  it('has metrics that gates can name', async () => {
    const [planted, balanced] = await Promise.all(paths.map(readReport));
    const gate = parseGate('benchmark.blind.shorter > 0.6 || benchmark.equal > 1');
    assert.deepEqual(gateFailures(gate, [planted], 0).broken, ['blind']);
    assert.deepEqual(gateFailures(gate, [balanced], 0).broken, []);
  });
});
