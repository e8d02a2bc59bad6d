import assert from 'node:assert/strict';
import fc from 'fast-check';
import { quickTest } from '../../../src/base/quickTest';
import { parsed } from '../../../src/base/schema';
import { views } from '../../../src/probe/generated/views';
import { reportFileSchema } from '../../../src/report/reportShape';
import * as z from 'zod/mini';
import { altered } from '../../faults/fuzz/mutate';
import { reportSeeds, rowSeeds } from '../../faults/fuzz/messages';

describe('quick tests of schemas', () => {
  const schemas = [...views.map(({ rows }) => rows.row.schema), reportFileSchema];

  it('agree with the schema itself', () => {
    const seeds = [...rowSeeds, ...reportSeeds];
    for (const seed of seeds)
      assert.ok(
        schemas.some((schema) => quickTest(schema)(seed)),
        JSON.stringify(seed),
      );
    for (const schema of schemas) {
      const test = quickTest(schema);
      fc.assert(
        fc.property(fc.oneof(altered(seeds), fc.anything()), (value) => {
          assert.equal(test(value), z.safeParse(schema, value).success);
        }),
      );
    }
  });

  it('apply limits, and leave unsupported parts to the schema', () => {
    const share = quickTest(z.number().check(z.minimum(0), z.lt(1)));
    assert.deepEqual([0, 0.5, 1, -1, NaN, Infinity, '0'].map(share), [
      true,
      true,
      ...Array<boolean>(5).fill(false),
    ]);
    const date = quickTest(z.object({ day: z.iso.date() }));
    assert.deepEqual([{ day: '2026-01-31' }, { day: '2026-02-31' }].map(date), [true, false]);
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
