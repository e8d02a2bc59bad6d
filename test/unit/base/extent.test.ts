import assert from 'node:assert/strict';
import { largest, smallest } from '../../../src/base/extent';

describe('extent of a list', () => {
  it('equals Math.max and Math.min, also for NaN, signed zeros and no values', () => {
    for (const values of [[], [3], [1, 3, 2], [NaN, 1], [1, NaN], [-0, 0], [-0], [Infinity, -Infinity]]) {
      assert.ok(Object.is(largest(values), Math.max(...values)), values.join());
      assert.ok(Object.is(smallest(values), Math.min(...values)), values.join());
    }
  });

  it('handles more values than a call takes arguments', () => {
    const many = Array.from({ length: 1_000_000 }, (_, i) => i);
    assert.equal(largest(many), 999_999);
    assert.equal(smallest(many), 0);
  });
});
