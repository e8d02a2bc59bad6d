import assert from 'node:assert/strict';
import { LongColumn } from '../../../../src/base/files/longColumn';
import { Random } from '../../../../src/base/random';

describe('LongColumn', () => {
  for (const count of [0, 1, 4095, 4096, 4097, 50_000])
    it(`returns all values in order: ${count}`, () => {
      const random = new Random('long column');
      const values = Float64Array.from({ length: count }, () => random.uniform() - 0.5);
      const [column, other] = [new LongColumn(Float64Array), new LongColumn(Float64Array)];
      for (const value of values) {
        column.push(value);
        other.push(-value);
        assert.equal(column.last, value);
      }
      assert.equal(column.length, count);
      assert.deepEqual(column.all(), values);
      assert.deepEqual(
        other.all(),
        values.map((value) => -value),
      );
      column.push(7);
      assert.deepEqual(column.all().subarray(0, count), values);
      assert.equal(column.all()[count], 7);
    });

  it('increments the last value, at the borders of blocks too', () => {
    const column = new LongColumn(Uint8Array);
    for (let i = 0; i < 100_000; i++) {
      column.push(i % 200);
      column.increment();
    }
    assert.deepEqual(
      column.all(),
      Uint8Array.from({ length: 100_000 }, (_, i) => (i % 200) + 1),
    );
  });

  it('takes constant memory however many values it has', () => {
    const column = new LongColumn(Float64Array);
    const before = process.memoryUsage().arrayBuffers;
    for (let i = 0; i < 5_000_000; i++) column.push(i);
    const grown = process.memoryUsage().arrayBuffers - before;
    assert.ok(grown < 4 << 20, `${grown} bytes for 40 MB of values`);
    const all = column.all();
    for (let i = 0; i < 5_000_000; i += 977) assert.equal(all[i], i);
  });
});
