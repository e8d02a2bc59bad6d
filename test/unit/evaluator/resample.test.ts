import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { ResampleFilter } from '../../../src/protocol/imageSpec';
import { resize } from '../../../src/evaluator/native/images/resample';
import { formulaPicture } from './formulaPicture';
import oracle from '../../oracle/evaluator/resample.json';

describe('resize', () => {
  for (const { from, to, filter, sha256, samples } of oracle.cases) {
    it(`equals Pillow to the byte: ${filter}, ${from.join('×')} to ${to.join('×')}`, () => {
      const made = resize(formulaPicture(from[0], from[1]), to[0], to[1], filter as ResampleFilter);
      assert.deepEqual(
        samples.map(([at]) => made.data[at]),
        samples.map(([, value]) => value),
      );
      assert.equal(createHash('sha256').update(made.data).digest('hex'), sha256);
    });
  }
});
