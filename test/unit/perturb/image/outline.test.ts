import assert from 'node:assert/strict';
import { Random } from '../../../../src/base/random';
import { type Mask, maskOf } from '../../../../src/perturb/image/mask';
import { outlineOf } from '../../../../src/perturb/image/outline';

const square: Mask = { width: 4, height: 4, runs: [5, 2, 2, 2] };

describe('the outline of a mask', () => {
  it('traces a square once', () => {
    assert.equal(outlineOf(square), 'M1 1H3M1 3H3M1 1V3M3 1V3');
  });

  it('closes at the edge of the image', () => {
    assert.equal(outlineOf({ width: 2, height: 1, runs: [0, 2] }), 'M0 0H2M0 1H2M0 0V1M2 0V1');
  });

  it('separates inside from outside by the number of crossings', () => {
    const [width, height] = [23, 17];
    const random = new Random(7, 'outline');
    const data = Uint8Array.from({ length: width * height }, () => (random.uniform() < 0.4 ? 1 : 0));
    const path = outlineOf(maskOf({ width, height, data }));
    const walls = [...path.matchAll(/M(\d+) (\d+)V(\d+)/g)].map((match) => match.slice(1).map(Number));
    const floors = [...path.matchAll(/M(\d+) (\d+)H(\d+)/g)].map((match) => match.slice(1).map(Number));
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const left = walls.filter(([at, from, to]) => at <= x && from <= y && y < to).length;
        const above = floors.filter(([from, at, to]) => at <= y && from <= x && x < to).length;
        assert.deepEqual([left % 2, above % 2], [data[y * width + x], data[y * width + x]]);
      }
    }
  });
});
