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
  it('answer what they were given, without what they do not know', () => {
    const shape = object({ name: text, tags: list(text), size: optional(count) });
    assert.deepEqual(shape({ name: 'a', tags: ['b'], secret: 1 }, ''), { name: 'a', tags: ['b'] });
  });

  it('name the place of what is wrong', () => {
    const shape = object({ rows: list(object({ n: count })) });
    assert.throws(() => shape({ rows: [{ n: 1 }, { n: -1 }] }, ''), {
      message: 'rows[1].n is not an integer of 0 or more.',
    });
  });

  it('take nothing from a prototype', () => {
    const shape = object({ toString: text });
    assert.throws(() => shape({}, ''), ShapeError);
    const polluted = JSON.parse('{"type":"a","__proto__":{"x":"y"}}') as unknown;
    assert.throws(() => union({ a: { x: text } })(polluted, ''), ShapeError);
  });

  it('refuse unknown members of a union', () => {
    const shape = union({ a: { x: count }, b: {} });
    assert.deepEqual(shape({ type: 'b' }, ''), { type: 'b' });
    for (const type of ['c', 'constructor', undefined, 7])
      assert.throws(() => shape({ type, x: 1 }, ''), ShapeError);
  });

  it('never let a value of another kind through', () => {
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
