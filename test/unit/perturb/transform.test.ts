import assert from 'node:assert/strict';
import { Random } from '../../../src/base/random';
import { blur } from '../../../src/perturb/image/blur';
import { type Aids, applyTransforms } from '../../../src/perturb/transform';
import type { Pixels } from '../../../src/perturb/image/pixels';

const side = 40;
const other = { path: 'other', sha256: 'ab'.repeat(32) };

function noise(seed: string, width: number, height: number): Pixels {
  const random = new Random(seed);
  return { width, height, data: Uint8Array.from({ length: width * height * 3 }, () => random.below(256)) };
}

/** The tests have no resampling, so `resize` accepts only images that already have the right size. */
const aids: Aids = {
  resize: (pixels, width, height) => {
    assert.deepEqual([width, height], [pixels.width, pixels.height]);
    return pixels;
  },
  blur: () => assert.fail('nothing is blurred here'),
  square: (ref) => {
    assert.equal(ref, other);
    return Promise.resolve(noise('other', side, side));
  },
};

describe('image transforms', () => {
  const image = noise('one', side, side);
  const kite = noise('other', side, side);

  it('crop: a box, black beyond the edges, corners rounded as in Python', async () => {
    const cropped = (x: number, y: number, width: number, height: number) =>
      applyTransforms(image, [{ op: 'crop', x, y, width, height }], aids);
    const pixel = ({ data, width }: Pixels, x: number, y: number) => [
      ...data.subarray((y * width + x) * 3).subarray(0, 3),
    ];
    const inside = await cropped(3, 5, 7, 4);
    assert.deepEqual([inside.width, inside.height], [7, 4]);
    for (let y = 0; y < 4; y++)
      for (let x = 0; x < 7; x++) assert.deepEqual(pixel(inside, x, y), pixel(image, 3 + x, 5 + y));
    const beyond = await cropped(-2, side - 1, 4, 3);
    assert.deepEqual(
      [beyond.width, beyond.height, pixel(beyond, 0, 0), pixel(beyond, 2, 1)],
      [4, 3, [0, 0, 0], [0, 0, 0]],
    );
    assert.deepEqual(pixel(beyond, 3, 0), pixel(image, 1, side - 1));
    // Halves round to even: round(2.5) is 2 and round(5.5) is 6.
    const rounded = await cropped(2.5, 0, 3, 1);
    assert.deepEqual([rounded.width, pixel(rounded, 0, 0)], [4, pixel(image, 2, 0)]);
    await assert.rejects(cropped(1, 1, 0.2, 5), /contains no pixel/);
    await assert.rejects(cropped(0, 0, 1e6, 1e6), /crop box is too large/);
  });

  it('mix: the weighted mean of both images, rounded', async () => {
    for (const lambda of [0.9, 0.8, 0.7, 0.6]) {
      const made = await applyTransforms(image, [{ op: 'mix', other, side, lambda }], aids);
      for (let i = 0; i < made.data.length; i++) {
        const exact =
          (Math.round(lambda * 10) * image.data[i] + Math.round(10 - lambda * 10) * kite.data[i]) / 10;
        assert.ok(Math.abs(made.data[i] - exact) <= 0.5 + 1e-9, `${made.data[i]} for ${exact}`);
      }
    }
  });

  it('patch: a box with sides √(1 − λ) around its centre, clipped at the edge', async () => {
    for (const [lambda, x, y] of [
      [0.9, 20, 20],
      [0.8, 0, 39],
      [0.6, 39, 3],
    ] as const) {
      const made = await applyTransforms(image, [{ op: 'patch', other, side, lambda, x, y }], aids);
      const half = Math.floor(Math.floor(side * Math.sqrt(1 - lambda)) / 2);
      let inside = 0;
      for (let row = 0; row < side; row++) {
        for (let column = 0; column < side; column++) {
          const within = column >= x - half && column < x + half && row >= y - half && row < y + half;
          inside += Number(within);
          const at = (row * side + column) * 3;
          const from = within ? kite : image;
          assert.deepEqual(made.data.subarray(at, at + 3), from.data.subarray(at, at + 3));
        }
      }
      if (x === 20)
        assert.ok(Math.abs(inside / side ** 2 - (1 - lambda)) < 0.02, 'the box has the area it should');
      else assert.ok(inside < (1 - lambda) * side ** 2);
    }
  });

  it('blank: sixteen cells cover the image, each once', async () => {
    const odd = noise('odd', 41, 38);
    const blanked = new Uint8Array(odd.data.length);
    for (let cell = 0; cell < 16; cell++) {
      const made = await applyTransforms(
        odd,
        [{ op: 'blank', columns: 4, rows: 4, column: cell % 4, row: Math.floor(cell / 4) }],
        aids,
      );
      for (let i = 0; i < odd.data.length; i++) {
        if (made.data[i] !== odd.data[i]) {
          assert.equal(made.data[i], 0);
          blanked[i]++;
        }
      }
    }
    for (let i = 0; i < odd.data.length; i++) assert.equal(blanked[i], odd.data[i] === 0 ? 0 : 1);
  });

  it('blank: grey, the mean colour or a blur replace the cell and nothing else', async () => {
    const odd = noise('odd', 41, 38);
    const cell = { columns: 5, rows: 4, column: 3, row: 1 };
    const isInside = (x: number, y: number): boolean => x >= 25 && x < 33 && y >= 10 && y < 19;
    const means = [0, 1, 2].map((channel) => {
      const own = odd.data.filter((_, i) => i % 3 === channel);
      return Math.round(own.reduce((sum, value) => sum + value, 0) / own.length);
    });
    const whole = blur(odd, 2);
    const expected = {
      grey: () => 128,
      mean: (at: number) => means[at % 3],
      blur: (at: number) => whole.data[at],
    };
    for (const fill of ['grey', 'mean', 'blur'] as const) {
      const made = await applyTransforms(odd, [{ op: 'blank', ...cell, fill }], { ...aids, blur });
      for (let y = 0; y < odd.height; y++)
        for (let x = 0; x < odd.width; x++)
          for (let at = (y * odd.width + x) * 3; at < (y * odd.width + x) * 3 + 3; at++)
            assert.equal(made.data[at], isInside(x, y) ? expected[fill](at) : odd.data[at], fill);
    }
  });

  it('blank and patch: do not modify a Buffer, whose slices share its memory', async () => {
    const data = Buffer.from(image.data);
    const decoded = { ...image, data };
    const cell = { columns: 4, rows: 4, column: 1, row: 1 };
    await applyTransforms(decoded, [{ op: 'blank', ...cell, fill: 'grey' }], aids);
    await applyTransforms(decoded, [{ op: 'patch', other, side, lambda: 0.5, x: 9, y: 9 }], aids);
    assert.ok(data.equals(image.data));
  });

  it('do not modify their input, and can be chained', async () => {
    const before = image.data.slice();
    const twice = await applyTransforms(image, [{ op: 'hflip' }, { op: 'hflip' }], aids);
    await applyTransforms(image, [{ op: 'patch', other, side, lambda: 0.5, x: 9, y: 9 }], aids);
    assert.deepEqual(twice.data, image.data);
    assert.deepEqual(image.data, before);
    const flipped = await applyTransforms(image, [{ op: 'vflip' }, { op: 'hflip' }], aids);
    assert.deepEqual(flipped.data.subarray(0, 3), image.data.subarray(-3));
  });
});
