import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  count,
  list,
  object,
  optional,
  pair,
  record,
  ShapeError,
  text,
  union,
} from '../../../src/base/shape';

describe('shapes', () => {
  it('return their input without unknown keys', () => {
    const shape = object({ name: text, tags: list(text), size: optional(count) });
    assert.deepEqual(shape({ name: 'a', tags: ['b'], secret: 1 }, ''), { name: 'a', tags: ['b'] });
  });

  it('name the invalid place', () => {
    const shape = object({ rows: list(object({ n: count })) });
    assert.throws(() => shape({ rows: [{ n: 1 }, { n: -1 }] }, ''), {
      message: 'rows[1].n is not an integer of 0 or more.',
    });
  });

  it('read nothing from a prototype', () => {
    const shape = object({ toString: text });
    assert.throws(() => shape({}, ''), ShapeError);
    const polluted = JSON.parse('{"type":"a","__proto__":{"x":"y"}}') as unknown;
    assert.throws(() => union({ a: { x: text } })(polluted, ''), ShapeError);
  });

  it('reject unknown members of a union', () => {
    const shape = union({ a: { x: count }, b: {} });
    assert.deepEqual(shape({ type: 'b' }, ''), { type: 'b' });
    for (const type of ['c', 'constructor', undefined, 7])
      assert.throws(() => shape({ type, x: 1 }, ''), ShapeError);
  });

  it('never accept a value of another type', () => {
    const shape = record(pair(count, text));
    fc.assert(
      fc.property(fc.anything(), (value) => {
        try {
          const answer = shape(value, '');
          for (const [first, second] of Object.values(answer)) {
            assert.ok(Number.isSafeInteger(first) && first >= 0);
            assert.equal(typeof second, 'string');
          }
        } catch (error) {
          assert.ok(error instanceof ShapeError);
        }
      }),
    );
  });
});
