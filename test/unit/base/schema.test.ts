import assert from 'node:assert/strict';
import * as z from 'zod/mini';
import { inARow, say } from '../../../src/base/say';
import { faultIn, wholeNumber } from '../../../src/base/schema';

describe('the message of a schema', () => {
  it('asks for an integer only if the value must be an integer', () => {
    assert.deepEqual(
      faultIn(z.object({ n: wholeNumber }), { n: -1 }),
      say('base.shapeWrong', 'n', say('base.shapeCount')),
    );
    const atLeast = z.object({ n: z.number().check(z.minimum(0)) });
    assert.deepEqual(
      faultIn(atLeast, { n: -0.5 }),
      say('base.shapeWrong', 'n', say('base.shapeNumberFrom', 0)),
    );
  });

  it('joins alternatives with "or"', () => {
    const either = z.object({ v: z.union([z.string(), z.number()]) });
    const or = say('base.shapeOr', inARow([say('base.shapeText')], ', '), say('probe.numberExpected'));
    assert.deepEqual(faultIn(either, { v: null }), say('base.shapeWrong', 'v', or));
  });
});
