import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { ResampleFilter } from '../../../../../src/protocol/imageSpec';
import { cropCentre } from '../../../../../src/evaluator/native/images/preprocess';
import { resize, resizePart } from '../../../../../src/evaluator/native/images/resample';
import { formulaImage } from '../../formulaImage';
import oracle from '../../../../oracle/evaluator/resample.json';

describe('resize', () => {
  for (const { from, to, filter, sha256, samples } of oracle.cases) {
    it(`equals Pillow to the byte: ${filter}, ${from.join('×')} to ${to.join('×')}`, () => {
      const made = resize(formulaImage(from[0], from[1]), to[0], to[1], filter as ResampleFilter);
      assert.deepEqual(
        samples.map(([at]) => made.data[at]),
        samples.map(([, value]) => value),
      );
      assert.equal(createHash('sha256').update(made.data).digest('hex'), sha256);
    });
  }
});

describe('a part of a resized image', () => {
  it('has the same bytes as the part of the whole, for both resamplers, filters and orders of passes', () => {
    for (const [width, height] of [
      [640, 480],
      [480, 640],
      [90, 700],
      [120, 100],
    ]) {
      const data = Uint8Array.from(
        { length: width * height * 3 },
        (_, i) => (i * 7919 + (i >> 5) * 31) % 256,
      );
      const scale = 224 / Math.min(width, height);
      const size = { width: Math.trunc(width * scale), height: Math.trunc(height * scale) };
      const part = { left: (size.width - 224) >> 1, top: (size.height - 224) >> 1, width: 224, height: 224 };
      for (const filter of ['bicubic', 'bilinear', 'lanczos'] as const) {
        for (const by of ['pillow', 'torchvision'] as const) {
          const whole = resize({ width, height, data }, size.width, size.height, filter, by);
          const own = resizePart({ width, height, data }, size, part, filter, by);
          assert.deepEqual(own, cropCentre(whole, part));
        }
      }
    }
  });
});
