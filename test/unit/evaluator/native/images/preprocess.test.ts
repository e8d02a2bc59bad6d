import assert from 'node:assert/strict';
import type { ImageSpec } from '../../../../../src/protocol/imageSpec';
import { cropCentre, preprocess, targetSize } from '../../../../../src/evaluator/native/images/preprocess';
import type { Pixels } from '../../../../../src/perturb/image/pixels';

/** An image in which red is a pixel's column, green its row, and blue 7. */
function numbered(width: number, height: number): Pixels {
  const data = new Uint8Array(width * height * 3);
  for (let i = 0; i < width * height; i++) data.set([i % width, Math.floor(i / width), 7], i * 3);
  return { width, height, data };
}

const plain: ImageSpec = {
  resize: undefined,
  crop: undefined,
  rescale: 1,
  mean: [0, 0, 0],
  std: [1, 1, 1],
  order: 'rgb',
  layout: 'channels-first',
  width: 2,
  height: 2,
};

describe('preprocess', () => {
  it('resizes the shorter side and truncates the longer one to an integer', () => {
    const rule = { rule: 'shortest', side: 224, filter: 'bicubic' } as const;
    assert.deepEqual(targetSize({ width: 640, height: 480 }, rule), { width: 298, height: 224 });
    assert.deepEqual(targetSize({ width: 480, height: 640 }, rule), { width: 224, height: 298 });
    assert.deepEqual(targetSize({ width: 100, height: 100 }, rule), { width: 224, height: 224 });
    assert.deepEqual(targetSize({ width: 1000, height: 100 }, { ...rule, longest: 500 }), {
      width: 500,
      height: 50,
    });
  });

  it('crops about the centre, with the odd pixel at the right and bottom', () => {
    const { data } = cropCentre(numbered(5, 7), { width: 2, height: 4 });
    assert.deepEqual([...data.subarray(0, 6)], [1, 1, 7, 2, 1, 7]);
    assert.deepEqual([...data.subarray(-3)], [2, 4, 7]);
  });

  it('surrounds an image that is too small with black', () => {
    const { data } = cropCentre(numbered(1, 2), { width: 4, height: 5 });
    const filled = [...data].flatMap((value, i) => (value === 7 ? [Math.floor(i / 3)] : []));
    // If the padding is odd, the extra pixel is at the left and top, as in transformers.
    assert.deepEqual(filled, [2 * 4 + 2, 3 * 4 + 2]);
    assert.equal(
      data.reduce((sum, value) => sum + value, 0),
      7 + 7 + 1,
    );
  });

  it("scales and normalises each channel, in the graph's layout", () => {
    const spec: ImageSpec = { ...plain, rescale: 0.5, mean: [0.5, 0, 1], std: [2, 1, 0.25] };
    assert.deepEqual(
      [...preprocess(numbered(2, 2), spec)],
      [-0.25, 0, -0.25, 0, 0, 0, 0.5, 0.5, 10, 10, 10, 10],
    );
    assert.deepEqual(
      [...preprocess(numbered(2, 2), { ...spec, layout: 'channels-last' })],
      [-0.25, 0, 10, 0, 0, 10, -0.25, 0.5, 10, 0, 0.5, 10],
    );
  });

  it('puts blue first for Caffe models, with the means in that order', () => {
    const spec: ImageSpec = { ...plain, mean: [7, 1, 0], order: 'bgr' };
    assert.deepEqual([...preprocess(numbered(2, 2), spec)], [0, 0, 0, 0, -1, -1, 0, 0, 0, 1, 0, 1]);
  });
});
