import assert from 'node:assert/strict';
import * as z from 'zod/mini';
import { faultIn, wholeNumber } from '../../../src/base/schema';

describe('the message of a schema', () => {
  it('asks for an integer only if the value must be an integer', () => {
    assert.match(faultIn(z.object({ n: wholeNumber }), { n: -1 })!, /n is not an integer of 0 or more\./);
    const atLeast = z.object({ n: z.number().check(z.minimum(0)) });
    assert.match(faultIn(atLeast, { n: -0.5 })!, /n is not a number of at least 0\./);
  });

  it('joins alternatives with "or"', () => {
    const either = z.object({ v: z.union([z.string(), z.number()]) });
    assert.match(faultIn(either, { v: null })!, /v is not a text or a number\./);
  });
});
