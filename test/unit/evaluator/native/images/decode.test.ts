import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { say, type Words } from '../../../../../src/base/say';
import { decode, whyUnreadable } from '../../../../../src/evaluator/native/images/decode';
import { aids } from '../../../../../src/evaluator/native/images/imageTools';
import type { Pixels } from '../../../../../src/perturb/image/pixels';
import oracle from '../../../../oracle/evaluator/decode.json';

const images = join(__dirname, '../../..', '..', 'fixtures', 'pictures');

function read(name: string): Promise<Pixels> {
  return decode({ name, path: join(images, name) });
}

function hash({ data }: Pixels): string {
  return createHash('sha256').update(data).digest('hex');
}

async function problemWith(name: string): Promise<Words> {
  return read(name).then(
    () => 'none',
    (error: unknown) => whyUnreadable(error),
  );
}

describe('decode', () => {
  for (const [name, expected] of Object.entries(oracle.pictures)) {
    if (name.endsWith('.avif')) continue;
    it(`reads ${name} as Pillow does, to the byte`, async () => {
      const pixels = await read(name);
      assert.deepEqual([pixels.width, pixels.height], [expected.width, expected.height]);
      assert.equal(hash(pixels), expected.sha256);
    });
  }

  it("reads an AVIF as Pillow does, up to another decoder's rounding", async () => {
    const { width, height, data } = await read('lossy.avif');
    const expected = oracle.pictures['lossy.avif'];
    assert.deepEqual([width, height], [expected.width, expected.height]);
    for (let channel = 0; channel < 3; channel++) {
      let sum = 0;
      for (let i = channel; i < data.length; i += 3) sum += data[i];
      assert.ok(Math.abs(sum / (width * height) - expected.mean[channel]) < 0.5);
    }
  });

  it('takes the upper eight of sixteen bits', async () => {
    assert.equal(hash(await read('deep.png')), oracle.deep);
  });

  it('reads an image from memory as from its file', async () => {
    const bytes = readFileSync(join(images, 'turned6.jpg'));
    assert.deepEqual(await decode({ name: 'row 1', bytes }), await read('turned6.jpg'));
  });

  it('says why an image cannot be read', async () => {
    const broken = await problemWith('broken-off.jpg');
    assert.ok(typeof broken !== 'string' && broken.code === 'native.notDecoded');
    assert.match(String(broken.values[0]), /end of JPEG/);
    assert.deepEqual(await problemWith('vast.png'), say('native.tooManyPixels', 100));
    assert.deepEqual(await problemWith('nowhere.jpg'), say('native.noSuchFile'));
    for (const name of ['text.jpg', 'bitmap.bmp', 'drawing.svg', 'drawing.png'])
      assert.deepEqual(await problemWith(name), say('native.notAnImage'));
  });

  it('names the image to mix in if that image cannot be read', async () => {
    const missing = aids.square({ path: '/nowhere/missing.png', sha256: '' }, 9);
    const problem = await missing.then(() => 'none', whyUnreadable);
    assert.deepEqual(problem, say('native.imageToMixIn', 'missing.png', say('native.noSuchFile')));
  });
});
