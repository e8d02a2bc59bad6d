import assert from 'node:assert/strict';
import { FlatTable } from '../../../../src/dataset/arrow/flatTable';
import { FlatWriter } from '../../../../src/report/table/flatWriter';

describe('FlatWriter', () => {
  it('writes what FlatTable reads', () => {
    const many = Array.from({ length: 500 }, (_, i) => i * 2 ** 33);
    const bytes = FlatWriter.root([
      { short: -4 },
      { byte: 200 },
      undefined,
      { long: 2 ** 40 },
      { text: 'né\u{1f600}' },
      { table: [{ text: '' }, { table: [] }] },
      { tables: [[{ long: -1 }], [], [{ byte: 7 }]] },
      { longs: many, width: 2 },
      { tables: [] },
    ]);
    const table = FlatTable.root(bytes);
    assert.equal(table.short(0), -4);
    assert.equal(table.byte(1), 200);
    assert.equal(table.byte(2, 9), 9);
    assert.equal(table.long(3), 2 ** 40);
    assert.equal(table.text(4), 'né\u{1f600}');
    assert.equal(table.table(5)?.text(0), '');
    assert.notEqual(table.table(5)?.table(1), undefined);
    const inner = table.tables(6);
    assert.deepEqual([inner.length, inner[0].long(0), inner[2].byte(0)], [3, -1, 7]);
    assert.deepEqual(table.longs(7, 2), many);
    assert.deepEqual(table.tables(8), []);
    assert.equal(bytes.length % 8, 0);
  });
});
