import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { ResampleFilter } from '../../../src/protocol/imageSpec';
import { resize } from '../../../src/evaluator/native/images/resample';
import type { Pixels } from '../../../src/perturb/picture/pixels';
import oracle from '../../oracle/evaluator/resample.json';

/** The same picture that resample.py makes. */
function picture(width: number, height: number): Pixels {
  const data = new Uint8Array(width * height * 3);
  let state = 12345 + width * 1000 + height;
  for (let i = 0; i < data.length; i++) {
    state = (state * 16807) % 2147483647;
    data[i] = (state >> 8) & 255;
  }
  for (let y = 0; y < height; y++) {
    for (let x = width >> 1; x < width; x++) {
      data.fill(((x * 3 + y * 5) >> 1) & 255, (y * width + x) * 3, (y * width + x) * 3 + 3);
    }
  }
  return { width, height, data };
}

describe('resize', () => {
  for (const { from, to, filter, sha256, samples } of oracle.cases) {
    it(`equals Pillow to the byte: ${filter}, ${from.join('×')} to ${to.join('×')}`, () => {
      const made = resize(picture(from[0], from[1]), to[0], to[1], filter as ResampleFilter);
      assert.deepEqual(
        samples.map(([at]) => made.data[at]),
        samples.map(([, value]) => value),
      );
      assert.equal(createHash('sha256').update(made.data).digest('hex'), sha256);
    });
  }
});
