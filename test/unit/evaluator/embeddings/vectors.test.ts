import assert from 'node:assert/strict';
import { Random } from '../../../../src/base/random';
import { acrossRowByRow, downRowByRow, tableFor } from '../../../../src/evaluator/native/images/resample';
import { blurInVectors } from '../../../../src/evaluator/native/images/vectorBlur';
import { acrossInVectors, downInVectors } from '../../../../src/evaluator/native/images/vectorResample';
import { blur } from '../../../../src/perturb/image/blur';
import type { Pixels } from '../../../../src/perturb/image/pixels';

const random = new Random('vectors');

/** Noise with many values of 0 and 255, so that the sums of a filter often leave the range of a byte. */
function noise(width: number, height: number): Pixels {
  const value = (): number => Math.min(255, Math.max(0, random.below(512) - 128));
  return { width, height, data: Uint8Array.from({ length: width * height * 3 }, value) };
}

function assertSame(vectors: Uint8Array, plain: Uint8Array, what: string): void {
  assert.equal(Buffer.compare(vectors, plain), 0, what);
}

describe('loops in vectors', () => {
  for (const [width, height] of [
    [1, 1],
    [2, 5],
    [7, 3],
    [64, 64],
    [33, 200],
    [201, 140],
    [1001, 3],
  ])
    it(`blur ${width}×${height} pixels like the plain loop, to the byte`, () => {
      const pixels = noise(width, height);
      for (const sigma of [0.1, 0.3, 1, 2, 7])
        assertSame(blurInVectors(pixels, sigma).data, blur(pixels, sigma).data, `sigma ${sigma}`);
    });

  for (const [from, to] of [
    [
      [320, 240],
      [298, 224],
    ],
    [
      [100, 90],
      [224, 201],
    ],
    [
      [5, 7],
      [3, 2],
    ],
    [
      [1, 1],
      [9, 9],
    ],
    [
      [3000, 50],
      [20, 40],
    ],
    [
      [20, 3000],
      [40, 7],
    ],
  ])
    it(`resize ${from.join('×')} to ${to.join('×')} pixels like the plain loop, to the byte`, () => {
      const pixels = noise(from[0], from[1]);
      for (const filter of ['box', 'bilinear', 'hamming', 'bicubic', 'lanczos'] as const)
        for (const by of ['pillow', 'torchvision'] as const) {
          const [columns, rows] = [0, 1].map((side) => tableFor(from[side], to[side], filter, by));
          const [left, top] = to.map((size) => size >> 2);
          const part = { left, width: to[0] - left, from: from[1] >> 3, to: from[1] };
          const [across, acrossPlain] = [0, 1].map(() => new Uint8Array(part.width * from[1] * 3));
          assert.ok(acrossInVectors(pixels, columns, part, across));
          acrossRowByRow(pixels, columns, part.left, part.width, part, acrossPlain);
          assertSame(across, acrossPlain, `${filter} across, ${by}`);
          const [down, downPlain] = [0, 1].map(() => new Uint8Array(from[0] * (to[1] - top) * 3));
          assert.ok(downInVectors(pixels, rows, top, down));
          downRowByRow(pixels, rows, top, downPlain);
          assertSame(down, downPlain, `${filter} down, ${by}`);
        }
    });

  it('leave rows that exceed their memory to the plain loop', () => {
    const pixels = noise(500_000, 2);
    const table = tableFor(pixels.height, 1, 'lanczos', 'pillow');
    assert.equal(downInVectors(pixels, table, 0, new Uint8Array(500_000 * 3)), false);
    assertSame(blurInVectors(pixels, 0.3).data, blur(pixels, 0.3).data, 'blur');
  });
});
