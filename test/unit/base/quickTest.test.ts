import assert from 'node:assert/strict';
import fc from 'fast-check';
import { between, quickTest } from '../../../src/base/quickTest';
import { parsed } from '../../../src/base/schema';
import { views } from '../../../src/probe/generated/views';
import * as z from 'zod/mini';
import { altered } from '../../faults/fuzz/mutate';
import { rowSeeds } from '../../faults/fuzz/messages';

describe('quick tests of schemas', () => {
  const checks = views.map(({ rows }) => rows.row);

  it('agree with the schema of each row, and its rule', () => {
    for (const seed of rowSeeds)
      assert.ok(
        checks.some(({ fits }) => fits(seed)),
        JSON.stringify(seed),
      );
    for (const { schema, fits } of checks)
      fc.assert(
        fc.property(fc.oneof(altered(rowSeeds), fc.anything()), (value) => {
          assert.equal(fits(value), z.safeParse(schema, value).success);
        }),
      );
  });

  it('apply each kind of check', () => {
    const values = [
      ...[undefined, null, true, 'a', 'b', 'c', 0, 0.5, 1, 2, -1, NaN, Infinity, 2 ** 53],
      ...[
        [],
        [0],
        [0, 'a'],
        [0, 'a', 0],
        ['a', 0],
        {},
        { a: 1 },
        { a: undefined },
        { a: 'a', b: 1 },
        { b: 1 },
      ],
    ];
    for (const schema of [
      z.number().check(z.minimum(0), z.maximum(1)),
      between(z.number(), 0, 1),
      between(z.int(), 1),
      between(z.int(), 1).check(z.maximum(1)),
      z.int(),
      z.nullable(z.int().check(z.minimum(0))),
      z.literal('a'),
      z.enum(['a', 'b']),
      z.union([z.literal('a'), z.boolean(), z.number()]),
      z.tuple([z.number(), z.string()]),
      z.readonly(z.array(z.number())),
      z.record(z.string(), z.number()),
      z.object({ a: z.number(), b: z.optional(z.number()) }),
      z.discriminatedUnion('a', [z.object({ a: z.literal('a') }), z.object({ a: z.literal('b') })]),
    ]) {
      const test = quickTest<z.ZodMiniType>(schema);
      for (const value of values)
        assert.equal(test(value), z.safeParse(schema, value).success, JSON.stringify([schema, value]));
    }
  });

  it('leave to zod what they do not know', () => {
    const text = z.string().check(z.minLength(1));
    for (const schema of [z.iso.date(), text, z.number().check(z.lt(1)), z.array(text).check(z.maxLength(1))])
      for (const value of ['', 'a', '2020-01-01', 0, 1, NaN, [], [''], ['a'], ['a', 'b']])
        assert.equal(quickTest<z.ZodMiniType>(schema)(value), z.safeParse(schema, value).success);
  });

  it('name the invalid place', () => {
    const schema = z.object({ list: z.array(z.object({ n: z.number() })) });
    assert.throws(
      () => parsed(schema, { list: [{ n: 1 }, { n: 'x' }] }),
      /^ShapeError: list\[1\]\.n is not a number\.$/,
    );
    assert.throws(() => parsed(schema, 5), /The value is not an object\./);
  });
});
