import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { say } from '../../../../src/base/say';
import type { Selection } from '../../../../src/protocol/rows';
import { reportFiles } from '../../../../src/service/rows/rowFile';
import { Shelf } from '../../../../src/service/rows/shelf';
import { reportOf, writeReport } from '../../report/reportOf';

/** A row whose positives have this similarity. The similarity of the first positive and the negative is 0.5. */
function row(example: string, similarity: number, line: number): string {
  const words = { p1p2: 4, p1n: 1, p2n: 1 };
  const right = similarity > 0.5;
  const scores = { p1p2: similarity, p1n: 0.5, p2n: 0.1, right, tie: similarity === 0.5 };
  const place = { line, column: 1, offset: line * 10, length: 9 };
  const texts = { p1: `one ${example}`, p2: `a ${example}`, n: `no ${example}` };
  const common = { example, row: line, place, swapped: false, characters: words, words };
  return `${JSON.stringify({ ...common, ...texts, t2t: scores })}\n`;
}

describe('a report next to that of another evaluator', () => {
  let folder: string;
  let shelf: Shelf;
  let [first, second] = ['', ''];

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'captious-versus-'));
    shelf = new Shelf(reportFiles);
    const write = (name: string, rows: string[]) =>
      writeReport(folder, reportOf({ rows: `${name}.rows.jsonl` }), rows.join(''));
    first = await write('first', [
      row('cat', 0.9, 1),
      row('dog', 0.9, 2),
      row('cow', 0.1, 3),
      row('ox', 0.2, 4),
    ]);
    // The second report has another order, no cow, and an ant. The cat is a tie, which does not count as right.
    second = await write('second', [
      row('ox', 0.7, 4),
      row('dog', 0.8, 2),
      row('ant', 0.8, 5),
      row('cat', 0.5, 1),
    ]);
  });

  after(async () => {
    await shelf.close();
    await rm(folder, { recursive: true });
  });

  const against = (report: string, keep?: NonNullable<Selection['versus']>['keep']): Selection => ({
    ...{ text: '', facets: {}, sort: 'file' },
    versus: { report, ...(keep && { keep }) },
  });
  const linesOf = async (report: string, selection: Selection) =>
    (await shelf.answer('lines', { report, selection, offset: 0, limit: 9 })).lines;

  it('has the other result of each line, for any order of rows', async () => {
    const lines = await linesOf(first, against(second));
    assert.deepEqual(
      lines.map(({ before, score, beside }) => [before, score, beside?.score, beside?.verdict]),
      [
        ['a cat', 0.9, 0.5, 'tie'],
        ['a dog', 0.9, 0.8, 'right'],
        ['a cow', 0.1, undefined, undefined],
        ['a ox', 0.2, 0.7, 'right'],
      ],
    );
  });

  it('has the kind of the line in the other report, which may differ', async () => {
    const [right, secondLost] = [say('visla.right'), say('visla.secondAgainstNegative')];
    const lines = await linesOf(first, against(second));
    assert.deepEqual(
      lines.map(({ label, beside }) => [label, beside?.label]),
      [
        [right, say('visla.tiedComparison', secondLost)],
        [right, right],
        [say('visla.wrongComparison', say('visla.failedBothPositives')), undefined],
        [say('visla.wrongComparison', secondLost), right],
      ],
    );
  });

  it('has a scale for the changes of each report', async () => {
    const ask = { report: first, selection: against(second), offset: 0, limit: 1 };
    const { reach } = await shelf.answer('lines', ask);
    assert.deepEqual(
      reach.map((value) => value.toFixed(3)),
      ['0.400', '0.300'],
    );
  });

  it('keeps only lines that one evaluator gets right and the other wrong', async () => {
    const kept = async (report: string, selection: Selection) =>
      (await linesOf(report, selection)).map(({ before }) => before);
    assert.deepEqual(await kept(first, against(second, 'onlyFirst')), ['a cat']);
    assert.deepEqual(await kept(first, against(second, 'onlySecond')), ['a ox']);
    assert.deepEqual(await kept(first, against(second, 'both')), ['a dog']);
    assert.deepEqual(await kept(first, against(second, 'neither')), []);
    assert.deepEqual(await kept(second, against(first, 'onlyFirst')), ['a ox']);
  });

  it('counts the sides without the filter on sides, and charts both values', async () => {
    const ask = { report: first, selection: against(second, 'onlyFirst') };
    const { charts, sides } = await shelf.answer('charts', ask);
    assert.deepEqual(sides, { both: 1, onlyFirst: 1, onlySecond: 1, neither: 0 });
    const chart = charts.find(({ type }) => type === 'versus');
    assert.ok(chart?.type === 'versus');
    assert.deepEqual(
      chart.points.map(({ index, x, y, side }) => [index, x.toFixed(3), y.toFixed(3), side]),
      [[0, '0.400', '0.000', 'onlyFirst']],
    );
  });

  it('answers requests in both directions at the same time', async () => {
    const both = [
      [first, second],
      [second, first],
    ].flatMap(([own, other]) => Array.from({ length: 4 }, () => linesOf(own, against(other))));
    assert.deepEqual(
      (await Promise.all(both)).map(({ length }) => length),
      [4, 4, 4, 4, 4, 4, 4, 4],
    );
  });

  it('has no score of the other report if its comparison is of another text, but its lead and verdict', async () => {
    /** An image whose own caption scores 0.5, and the altered caption that its search returns first. */
    const search = (example: string, text: string, score: number) => {
      const place = { line: 1, column: 1, offset: 0, length: 9 };
      const list = {
        source: 'file',
        stressed: {},
        rsms: 1,
        first: [{ text, score, kind: 'altered', of: 'x' }],
      };
      const own = { kind: 'image', caption: 'a cat', score: 0.5, clean: {}, first: [], lists: [list] };
      return `${JSON.stringify({ example, row: 0, place, ...own })}\n`;
    };
    const write = (name: string, rows: string) =>
      writeReport(folder, reportOf({ probe: 'rococo', rows: `${name}.rows.jsonl` }), rows);
    const own = await write('own', search('same', 'a dog', 0.6) + search('different', 'a dog', 0.6));
    const other = await write('other', search('same', 'a dog', 0.7) + search('different', 'a cow', 0.8));
    const lines = await linesOf(own, against(other));
    assert.deepEqual(
      lines.map(({ after, score, beside }) => [after, score, beside?.score, beside?.delta?.toFixed(1)]),
      [
        ['a dog', 0.6, 0.7, '-0.2'],
        ['a dog', 0.6, undefined, '-0.3'],
      ],
    );
    assert.deepEqual(
      lines.map(({ beside }) => beside?.verdict),
      ['wrong', 'wrong'],
    );
  });
});
