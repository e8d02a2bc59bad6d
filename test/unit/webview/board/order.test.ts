import assert from 'node:assert/strict';
import type { BoardTable } from '../../../../src/protocol/board';
import { nextSorting, orderOf } from '../../../../webview/board/order';

const value = (number: number) => ({
  ...{ type: 'value' as const, value: number, text: `${number}`, interval: '', n: 40, report: '' },
});
const missing = { type: 'missing' as const, why: 'none' };

describe('the order of the board', () => {
  const table: BoardTable = {
    reports: 5,
    columns: [
      { key: 'pr', title: 'LGIP', dataset: 'a', metric: 'lgip.pr', names: ['PR'], better: 'higher' },
      {
        key: 'rsms',
        title: 'RoCOCO',
        dataset: 'a',
        metric: 'rococo.i2t.rsms',
        names: ['RSMS'],
        better: 'lower',
      },
    ],
    rows: [
      { evaluator: 'b', kind: 'k', cells: [value(0.2), missing] },
      { evaluator: 'c', kind: 'k', cells: [missing, value(0.4)] },
      { evaluator: 'a', kind: 'k', cells: [value(0.9), value(0.1)] },
    ],
  };

  it('keeps the order of the reports until a column is selected', () => {
    assert.deepEqual(orderOf(table, undefined), [0, 1, 2]);
    // The column comes from an earlier table and is missing in this one.
    assert.deepEqual(orderOf(table, { column: 'gone', up: true }), [0, 1, 2]);
  });

  it('shows the best values first, then the worst, and missing values last in both', () => {
    const first = nextSorting(table, 0, undefined);
    assert.deepEqual(first, { column: 'pr', up: false });
    assert.deepEqual(orderOf(table, first), [2, 0, 1]);
    const second = nextSorting(table, 0, first);
    assert.deepEqual(orderOf(table, second), [0, 2, 1]);
    const lower = nextSorting(table, 1, second);
    assert.deepEqual(lower, { column: 'rsms', up: true });
    assert.deepEqual(orderOf(table, lower), [2, 1, 0]);
    assert.deepEqual(orderOf(table, nextSorting(table, 1, lower)), [1, 2, 0]);
  });

  it('sorts by the name of the evaluator', () => {
    const first = nextSorting(table, -1, undefined);
    assert.deepEqual(orderOf(table, first), [2, 0, 1]);
    assert.deepEqual(orderOf(table, nextSorting(table, -1, first)), [1, 0, 2]);
  });
});
