import { saying } from '../../../sentence';
import assert from 'node:assert/strict';
import { fillHole, fills } from '../../../../src/perturb/image/fill';
import {
  areaOf,
  type Bitmap,
  boxOf,
  drawOutline,
  emptyBitmap,
  maskOf,
} from '../../../../src/perturb/image/mask';
import { holeOf, moveObject } from '../../../../src/perturb/image/move';
import { seamsOf } from '../../../../src/perturb/image/seams';
import { shadeOf, surroundingsOf } from '../../../../src/perturb/image/surroundings';
import type { Pixels } from '../../../../src/perturb/image/pixels';

const width = 64;
const height = 48;

/** Grey stripes with a red disc, in a Buffer, because decoded pixels may be a Buffer. */
function scene(): { pixels: Pixels; object: Bitmap } {
  const object = emptyBitmap(width, height);
  const data = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * width + x;
      const inside = (x - 20) ** 2 + (y - 24) ** 2 < 81;
      if (inside) object.data[at] = 1;
      const grey = Math.floor(x / 4) % 2 === 0 ? 90 : 150;
      data.set(inside ? [220, 20, 20] : [grey, grey, grey], at * 3);
    }
  }
  return { pixels: { width, height, data }, object };
}

const pixel = ({ data }: Pixels, x: number, y: number): number[] => [
  ...data.subarray((y * width + x) * 3, (y * width + x) * 3 + 3),
];

describe('moving an object', () => {
  for (const fill of fills) {
    it(`moves it whole, and leaves the background and the original unchanged (${fill})`, () => {
      const { pixels, object } = scene();
      const before = Uint8Array.from(pixels.data);
      const move = { mask: maskOf(object), dx: 25, dy: 3, fill, feather: 0 };
      const moved = moveObject(pixels, move);
      assert.deepEqual(Uint8Array.from(pixels.data), before);
      assert.deepEqual(pixel(moved, 45, 27), [220, 20, 20]);
      assert.equal(seamsOf(pixels, moved, move).background, 0);
      const hole = pixel(moved, 20, 24);
      assert.deepEqual(fill === 'none' ? hole : [], fill === 'none' ? [0, 0, 0] : []);
      if (fill !== 'none') {
        assert.ok(
          hole.every((value) => value >= 89 && value <= 151),
          `the hole shows what is around: ${hole.join()}`,
        );
      }
    });
  }

  it('continues texture with inpaint, and blends it with blur', () => {
    const { pixels, object } = scene();
    const spread = (fill: 'blur' | 'inpaint'): number => {
      const { data } = fillHole(pixels, object, fill);
      const row = Array.from({ length: 17 }, (_, i) => data[(24 * width + 12 + i) * 3]);
      return Math.max(...row) - Math.min(...row);
    };
    assert.ok(spread('inpaint') > spread('blur') + 10, `${spread('inpaint')} and ${spread('blur')}`);
  });

  it('continues stripes with patches, where the mirrored texture breaks them', () => {
    // Diagonal stripes of three colours. A mirrored texture reverses the direction of the stripes.
    const side = 96;
    const data = Uint8Array.from({ length: side * side * 3 }, (_, i) => {
      const [p, c] = [Math.floor(i / 3), i % 3];
      const stripe = Math.floor(((p % side) + 2 * Math.floor(p / side)) / 6) % 3;
      return stripe === c ? 200 : 40;
    });
    const striped = { width: side, height: side, data };
    const hole = { ...striped, data: new Uint8Array(side * side) };
    for (let y = 36; y < 60; y++) hole.data.fill(1, y * side + 36, y * side + 60);
    const cut = {
      ...striped,
      data: data.map((value, i) => (hole.data[Math.floor(i / 3)] === 1 ? 255 : value)),
    };
    const error = (fill: 'inpaint' | 'patches'): number => {
      const filled = fillHole(cut, hole, fill);
      let sum = 0;
      for (let i = 0; i < data.length; i++) {
        if (hole.data[Math.floor(i / 3)] === 0) assert.equal(filled.data[i], data[i]);
        else sum += Math.abs(filled.data[i] - data[i]);
      }
      return sum / (24 * 24 * 3);
    };
    assert.ok(error('patches') < 0.25 * error('inpaint'), `${error('patches')} and ${error('inpaint')}`);
    const [first, second] = [fillHole(cut, hole, 'patches'), fillHole(cut, hole, 'patches')];
    assert.deepEqual(first.data, second.data);
  });

  it('covers the shadow of an object with patches only, and mirrors if too little is known', () => {
    const { object } = scene();
    const [patches, mirrored] = [holeOf(object, 'patches'), holeOf(object, 'inpaint')];
    assert.ok(areaOf(patches) > areaOf(mirrored) && areaOf(mirrored) > areaOf(object));
    assert.ok(mirrored.data.every((value, i) => value <= patches.data[i]));
    const [all, down] = [boxOf(patches)!, boxOf(object)!];
    assert.ok(all.bottom - down.bottom > down.top - all.top, 'more below than above');
    const { pixels } = scene();
    const most = { width, height, data: new Uint8Array(width * height).fill(1) };
    most.data.fill(0, 0, width);
    assert.deepEqual(fillHole(pixels, most, 'patches'), fillHole(pixels, most, 'inpaint'));
  });

  it('makes no patches where the surroundings vary more than allowed', () => {
    const { pixels, object } = scene();
    const hole = holeOf(object, 'patches');
    const around = surroundingsOf(pixels, hole)!;
    // The stripes have the values 90 and 150, about equally often, so their standard deviation is about 30.
    assert.ok(Math.abs(around - 30 / 255) < 0.005, String(around));
    const move = { mask: maskOf(object), dx: 25, dy: 3, feather: 0 };
    const moved = (plain: number) => moveObject(pixels, { ...move, fill: 'patches', plain });
    assert.deepEqual(moved(around + 1e-9), moveObject(pixels, { ...move, fill: 'patches' }));
    const blurred = fillHole(pixels, hole, 'blur');
    assert.deepEqual(pixel(moved(around - 1e-9), 20, 24), pixel(blurred, 20, 24));
  });

  it('finds a shadow that leaves the object in one direction, and none in a gradual change', () => {
    const { object } = scene();
    const hole = holeOf(object, 'patches');
    const { right, top, bottom } = boxOf(hole)!;
    const shaded = (dark: number) =>
      Uint8Array.from({ length: width * height * 3 }, (_, i) => {
        const [x, y] = [Math.floor(i / 3) % width, Math.floor(i / 3 / width)];
        const isShadow = x >= right && Math.abs(y - (top + bottom) / 2) < 4;
        return 100 + x + y - (isShadow ? dark : 0);
      });
    const shade = (dark: number) => shadeOf({ width, height, data: shaded(dark) }, hole)!;
    assert.ok(shade(0) < 1e-9);
    assert.ok(shade(60) > 0.1 && shade(60) < 60 / 255 + 0.02, String(shade(60)));
    assert.ok(shade(-60) < shade(60) / 2, 'a lighter side is no shadow');
  });

  it('ignores a gradual change of the surroundings', () => {
    const { object } = scene();
    const data = Uint8Array.from({ length: width * height * 3 }, (_, i) => {
      const at = Math.floor(i / 3);
      return 20 + 2 * (at % width) + Math.floor(at / width);
    });
    assert.ok(surroundingsOf({ width, height, data }, object)! < 1e-9);
    const all = { width, height, data: new Uint8Array(width * height).fill(1) };
    assert.equal(surroundingsOf({ width, height, data }, all), null);
  });

  it('fades the edge over the given number of pixels only', () => {
    const { pixels, object } = scene();
    const mask = maskOf(object);
    const hard = moveObject(pixels, { mask, dx: 25, dy: 0, fill: 'none', feather: 0 });
    const soft = moveObject(pixels, { mask, dx: 25, dy: 0, fill: 'none', feather: 3 });
    // From the disc's left edge inwards, the opacity is 0.25, 0.5, 0.75 and then 1.
    const reds = [36, 37, 38, 39, 40].map((x) => pixel(soft, x + 1, 24)[0]);
    const under = [37, 38, 39, 40, 41].map((x) => pixel(pixels, x, 24)[0]);
    assert.deepEqual(
      reds.slice(0, 4),
      [0.25, 0.5, 0.75, 1].map((share, i) => Math.round(share * 220 + (1 - share) * under[i])),
    );
    assert.deepEqual(pixel(soft, 45, 24), pixel(hard, 45, 24));
    assert.deepEqual(pixel(soft, 60, 24), pixel(hard, 60, 24));
  });

  it('rejects a mask drawn on an image of another size', () => {
    const { pixels } = scene();
    const mask = maskOf(drawOutline({ polygons: [[1, 1, 5, 1, 5, 5]] }, 10, 10));
    assert.throws(() => moveObject(pixels, { mask, dx: 1, dy: 1, fill: 'none', feather: 0 }), /10×10.*64×48/);
  });

  it('fills a hole of the whole image with black', () => {
    const { pixels } = scene();
    const all = { width, height, data: new Uint8Array(width * height).fill(1) };
    for (const fill of fills) assert.ok(fillHole(pixels, all, fill).data.every((value) => value === 0));
  });

  it('says what is wrong with run lengths', () => {
    const draw = (counts: number[] | string): unknown => drawOutline({ width: 4, height: 3, counts }, 4, 3);
    assert.throws(() => draw([1, 20]), saying('perturb.runsMisfit'));
    assert.throws(() => draw([1, -2, 3]), saying('perturb.runsMisfit'));
    assert.throws(() => draw('\u0001'), saying('perturb.runsInvalid'));
    assert.throws(
      () => drawOutline({ width: 5, height: 3, counts: [0] }, 4, 3),
      saying('perturb.outlineOfOtherSize', 5, 3, 4, 3),
    );
  });
});
