import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { decode } from '../../../../../src/evaluator/native/images/decode';
import { decoded, squareOf } from '../../../../../src/evaluator/native/images/decoded';
import { resize } from '../../../../../src/evaluator/native/images/resample';
import { cleanUp, scratch } from '../../fixtures';

describe('decoded images', () => {
  let folder: string;
  before(() => (folder = scratch()));
  after(cleanUp);

  async function image(name: string, grey: number, width = 40): Promise<{ name: string; path: string }> {
    const path = join(folder, name);
    const create = { width, height: 30, channels: 3, background: { r: grey, g: grey, b: 9 } } as const;
    writeFileSync(path, await sharp({ create }).png().toBuffer());
    return { name, path };
  }

  it('equal the file, and squares equal its resized pixels', async () => {
    const source = await image('one.png', 77);
    const pixels = await decode(source);
    assert.deepEqual(await decoded(source), pixels);
    assert.deepEqual(await squareOf(source, 16), resize(pixels, 16, 16, 'bicubic'));
    assert.equal(await decoded(source), await decoded(source), 'decoded once');
  });

  it('follow a file that was replaced', async () => {
    const before = await squareOf(await image('two.png', 10), 16);
    const after = await squareOf(await image('two.png', 11), 16);
    assert.equal(before.data[0], 10);
    assert.equal(after.data[0], 11);
  });

  it('leave the cache when there are too many', async () => {
    const first = await image('first.png', 1, 4000);
    const kept = await decoded(first);
    for (let i = 0; i < 50; i++) await decoded(await image(`many-${i}.png`, i, 4000));
    assert.notEqual(await decoded(first), kept);
    assert.deepEqual(await decoded(first), kept);
  });

  it('report a missing file', async () => {
    await assert.rejects(decoded({ name: 'none.png', path: join(folder, 'none.png') }), /missing/);
  });
});
