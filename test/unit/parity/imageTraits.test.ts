import assert from 'node:assert/strict';
import sharp, { type Sharp } from 'sharp';
import { type ImageTrait, imageTraits } from '../../../src/parity/imageTraits';
import type { ImageSpec } from '../../../src/protocol/imageSpec';

const crop = { width: 32, height: 32 };
const spec: Pick<ImageSpec, 'resize' | 'crop'> = {
  resize: { rule: 'shortest', side: 32, filter: 'bicubic' },
  crop,
};

describe('traits of images', () => {
  const made = (width: number, height: number, channels: 3 | 4 = 3): Sharp =>
    sharp({ create: { width, height, channels, background: { r: 9, g: 9, b: 9, alpha: 0.5 } } });
  const traitsOf = async (image: Sharp): Promise<ImageTrait[]> =>
    imageTraits({ name: 'image', bytes: await image.toBuffer() }, spec);

  it('finds alpha channels and orientations in JPEG, PNG and WebP', async () => {
    assert.deepEqual(await traitsOf(made(40, 40).jpeg()), []);
    assert.deepEqual(await traitsOf(made(40, 40).withMetadata({ orientation: 6 }).jpeg()), ['turned']);
    assert.deepEqual(await traitsOf(made(40, 40).withMetadata({ orientation: 1 }).jpeg()), []);
    assert.deepEqual(await traitsOf(made(40, 40).png()), []);
    assert.deepEqual(await traitsOf(made(40, 40, 4).png()), ['alpha']);
    assert.deepEqual(await traitsOf(made(40, 40).withMetadata({ orientation: 3 }).png()), ['turned']);
    assert.deepEqual(await traitsOf(made(40, 40).webp()), []);
    assert.deepEqual(await traitsOf(made(40, 40, 4).webp()), ['alpha']);
    assert.deepEqual(await traitsOf(made(40, 40, 4).webp({ lossless: true })), ['alpha']);
    assert.deepEqual(await traitsOf(made(40, 40).withMetadata({ orientation: 8 }).webp()), ['turned']);
  });

  it('finds crops that start at half a pixel which programs round differently', async () => {
    // 47 − 32 = 15 pixels are cropped: 7 or 8 on the left. 45 − 32 = 13: 6 in all programs.
    for (const format of ['jpeg', 'png', 'webp'] as const) {
      assert.deepEqual(await traitsOf(made(47, 32)[format]()), ['halves']);
      assert.deepEqual(await traitsOf(made(64, 94)[format]()), ['halves']);
      assert.deepEqual(await traitsOf(made(45, 32)[format]()), []);
    }
  });

  it('finds nothing in damaged files', async () => {
    for (const bytes of [[], [0xff, 0xd8], [0x89, 0x50, 0x4e, 0x47]])
      assert.deepEqual(await imageTraits({ name: 'image', bytes: Uint8Array.from(bytes) }, spec), []);
    const whole = await made(40, 40, 4).png().toBuffer();
    for (let length = 0; length < 60; length++)
      await imageTraits({ name: 'image', bytes: whole.subarray(0, length) }, spec);
  });
});
