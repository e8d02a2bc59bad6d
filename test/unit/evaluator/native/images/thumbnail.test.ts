import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { thumbnail } from '../../../../../src/evaluator/native/images/thumbnail';

/** The test image is half black and half white, because JPEG compression preserves both colours. */
describe('a thumbnail for the panel', () => {
  let folder: string;
  let path: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'captious-thumbnail-'));
    path = join(folder, 'halves.png');
    const [width, height] = [80, 40];
    const data = Buffer.alloc(width * height * 3);
    for (let i = 0; i < width * height; i++) data.fill(i % width < width / 2 ? 0 : 255, i * 3, i * 3 + 3);
    await sharp(data, { raw: { width, height, channels: 3 } })
      .png()
      .toFile(path);
  });

  after(() => rm(folder, { recursive: true }));

  async function ends(jpeg: Uint8Array): Promise<{ size: number[]; left: number; right: number }> {
    const { data, info } = await sharp(jpeg).greyscale().raw().toBuffer({ resolveWithObject: true });
    return { size: [info.width, info.height], left: data[2], right: data[info.width - 3] };
  }

  it('is no larger than requested, and unchanged', async () => {
    const { size, left, right } = await ends(await thumbnail({ source: { name: 'halves', path }, side: 20 }));
    assert.deepEqual(size, [20, 10]);
    assert.ok(left < 30 && right > 225);
  });

  it('shows a transform as an evaluator sees it', async () => {
    const source = { name: 'halves', path };
    const { size, left, right } = await ends(
      await thumbnail({ source, side: 20, transforms: [{ op: 'hflip' }] }),
    );
    assert.deepEqual(size, [20, 10]);
    assert.ok(left > 225 && right < 30);
  });
});
