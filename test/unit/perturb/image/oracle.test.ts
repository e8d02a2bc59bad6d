import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { blur } from '../../../../src/perturb/image/blur';
import { nearestSet } from '../../../../src/perturb/image/distance';
import { bitmapOf, drawOutline, maskOf, unpackCounts } from '../../../../src/perturb/image/mask';
import { rotate } from '../../../../src/perturb/image/rotate';
import { seamsOf } from '../../../../src/perturb/image/seams';
import { applyTransforms, type Aids } from '../../../../src/perturb/transform';
import type { Pixels } from '../../../../src/perturb/image/pixels';

interface Oracle {
  pictures: {
    name: string;
    width: number;
    height: number;
    data: string;
    hflip: string;
    vflip: string;
    rotate: Record<string, string>;
    blur: Record<string, string>;
  }[];
  outlines: {
    name: string;
    width: number;
    height: number;
    polygons?: number[][];
    counts: number[];
    packed: string;
    mask: string;
  }[];
  distances: { width: number; height: number; mask: string; squared: number[] }[];
  moved: {
    dx: number;
    dy: number;
    width: number;
    height: number;
    source: string;
    before: string;
    after: string;
    background: number | null;
    seam: number | null;
    surroundings: number;
  }[];
}

const oracle = JSON.parse(
  readFileSync(join(__dirname, '../../../oracle/invariance/pictures.json'), 'utf8'),
) as Oracle;
const bytes = (packed: string): Uint8Array => new Uint8Array(Buffer.from(packed, 'base64'));
const aids: Aids = {
  resize: () => assert.fail('nothing is resized here'),
  blur: () => assert.fail('nothing is blurred here'),
  square: () => assert.fail('no other image is needed'),
};

/** The largest difference between two images, and how many values differ. */
function apart(a: Uint8Array, b: Uint8Array): { most: number; count: number } {
  assert.equal(a.length, b.length);
  let [most, count] = [0, 0];
  a.forEach((value, i) => {
    const away = Math.abs(value - b[i]);
    most = Math.max(most, away);
    if (away > 0) count++;
  });
  return { most, count };
}

describe('images against Pillow and SciPy', () => {
  for (const made of oracle.pictures) {
    const pixels: Pixels = { width: made.width, height: made.height, data: bytes(made.data) };

    it(`flips "${made.name}" as Pillow does, to the bit`, async () => {
      for (const op of ['hflip', 'vflip'] as const)
        assert.deepEqual((await applyTransforms(pixels, [{ op }], aids)).data, bytes(made[op]));
    });

    // Only exact half-way values may be rounded differently.
    it(`rotates "${made.name}" as SciPy does`, () => {
      for (const [degrees, expected] of Object.entries(made.rotate)) {
        const { most, count } = apart(rotate(pixels, Number(degrees)).data, bytes(expected));
        assert.ok(most <= 1 && count <= made.data.length / 100, `${degrees}°: ${count} by up to ${most}`);
      }
    });

    it(`blurs "${made.name}" as SciPy does`, () => {
      for (const [sigma, expected] of Object.entries(made.blur)) {
        const { most, count } = apart(blur(pixels, Number(sigma)).data, bytes(expected));
        assert.ok(most <= 1 && count <= made.data.length / 100, `σ ${sigma}: ${count} by up to ${most}`);
      }
    });
  }

  for (const { name, width, height, polygons, counts, packed, mask } of oracle.outlines) {
    it(`draws the outline "${name}" identically from polygons, runs and text`, () => {
      const expected = bytes(mask);
      assert.deepEqual(unpackCounts(packed), counts);
      assert.deepEqual(drawOutline({ width, height, counts }, width, height).data, expected);
      assert.deepEqual(drawOutline({ width, height, counts: packed }, width, height).data, expected);
      if (polygons !== undefined) assert.deepEqual(drawOutline({ polygons }, width, height).data, expected);
      assert.deepEqual(bitmapOf(maskOf({ width, height, data: expected })).data, expected);
    });
  }

  it("finds each pixel's nearest set pixel and its distance", () => {
    for (const { width, height, mask, squared } of oracle.distances) {
      const data = bytes(mask);
      const nearest = nearestSet({ width, height, data });
      assert.deepEqual([...nearest.squared], squared);
      nearest.index.forEach((at, i) => {
        assert.equal(data[at], 1);
        const across = (at % width) - (i % width);
        const down = Math.floor(at / width) - Math.floor(i / width);
        assert.equal(across * across + down * down, squared[i]);
      });
    }
  });

  it('measures the seams of a move', () => {
    for (const one of oracle.moved) {
      const { dx, dy, width, height, source, before, after, background, seam, surroundings } = one;
      const mask = maskOf({ width, height, data: bytes(source) });
      const found = seamsOf(
        { width, height, data: bytes(before) },
        { width, height, data: bytes(after) },
        { mask, dx, dy },
      );
      assert.ok(background !== null && found.background !== null);
      assert.ok(Math.abs(found.background - background) <= 1e-12 * background);
      assert.ok(seam !== null && found.seam !== null);
      assert.ok(Math.abs(found.seam - seam) <= 1e-12 * seam, `${found.seam} and ${seam}`);
      assert.ok(Math.abs(found.surroundings! - surroundings) <= 1e-9 * surroundings);
    }
  });
});
