import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Fingerprints } from '../../../../src/base/files/fingerprints';
import { createImageFinder } from '../../../../src/dataset/images/images';
import { decode } from '../../../../src/evaluator/native/images/decode';
import { zipOf } from '../../base/files/zips';
import { scratchFolder } from '../support';
import type { FoundImage } from '../../../../src/dataset/images/foundImage';

const scratch = scratchFolder();

/** Writes an archive whose files have their own names as bytes, or the given ones. */
function writeZip(path: string, names: readonly string[], bytes?: Buffer): string {
  const file = join(scratch.path, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, zipOf(names.map((name) => ({ name, text: bytes ?? name }))));
  return file;
}

async function find(
  folder: string,
  folders: readonly string[],
  names: readonly string[],
): Promise<FoundImage[]> {
  const finder = createImageFinder({
    dataset: {
      path: join(scratch.path, folder, 'data.json'),
      async *read() {
        for (const name of names) yield await Promise.resolve({ images: [{ name }] });
      },
    },
    folders,
  });
  const found: FoundImage[] = [];
  for (const name of names) found.push(await finder.find(name));
  return found;
}

const shown = (found: readonly FoundImage[]): string[] =>
  found.map((one) => (one.ok ? one.path.slice(scratch.path.length + 1).replaceAll('\\', '/') : one.reason));

describe('images in archives', () => {
  it('finds them by path, by name and by the number of COCO', async () => {
    writeZip('coco/val2014.zip', ['val2014/COCO_val2014_000000000042.jpg', 'val2014/']);
    writeZip('coco/images.zip', ['a.jpg', 'deep/b.jpg', '__MACOSX/._a.jpg']);
    assert.deepEqual(
      shown(
        await find(
          'coco',
          [],
          ['a.jpg', 'deep/b.jpg', 'val2014/COCO_val2014_000000000042.jpg', '42', 'none.jpg'],
        ),
      ),
      [
        'coco/images.zip/a.jpg',
        'coco/images.zip/deep/b.jpg',
        'coco/val2014.zip/val2014/COCO_val2014_000000000042.jpg',
        'coco/val2014.zip/val2014/COCO_val2014_000000000042.jpg',
        'missing',
      ],
    );
    assert.deepEqual(shown(await find('coco', [], ['images/a.jpg'])), ['coco/images.zip/a.jpg']);
  });

  it("treats an archive's name as a folder that can contradict", async () => {
    writeZip('two/dogs.zip', ['1.jpg']);
    writeZip('two/cats.zip', ['1.jpg', '2.jpg']);
    assert.deepEqual(shown(await find('two', [], ['dogs/1.jpg', 'cats/1.jpg', 'dogs/2.jpg'])), [
      'two/dogs.zip/1.jpg',
      'two/cats.zip/1.jpg',
      'missing',
    ]);
  });

  it('takes a named archive, also for names that begin with a folder', async () => {
    const own = writeZip('elsewhere/photos.zip', ['x/1.jpg']);
    for (const name of ['x/1.jpg', '1.jpg'])
      assert.deepEqual(shown(await find('empty', [own], [name])), ['elsewhere/photos.zip/x/1.jpg']);
    assert.deepEqual(shown(await find('empty', [`http://a.org=${own}`], ['http://a.org/x/1.jpg'])), [
      'elsewhere/photos.zip/x/1.jpg',
    ]);
  });

  it('leaves out names that lead out, and archives behind a link that leads out', async () => {
    writeZip('safe/a.zip', ['../secret.jpg', '/abs.jpg', 'ok.jpg']);
    const outside = writeZip('outside/b.zip', ['linked.jpg']);
    symlinkSync(outside, join(scratch.path, 'safe', 'b.zip'));
    assert.deepEqual(
      shown(await find('safe', [], ['ok.jpg', 'secret.jpg', 'abs.jpg', 'linked.jpg', 'a.zip/ok.jpg'])),
      ['safe/a.zip/ok.jpg', 'missing', 'missing', 'refused', 'safe/a.zip/ok.jpg'],
    );
  });

  it('names a damaged archive where an image is missing, and reads what is beside it', async () => {
    const path = writeZip('damaged/a.zip', ['1.jpg']);
    writeFileSync(path, readFileSync(path).subarray(0, 40));
    writeFileSync(join(scratch.path, 'damaged', '2.jpg'), '2');
    const [missing, there] = await find('damaged', [], ['1.jpg', '2.jpg']);
    assert.deepEqual(!missing.ok && missing.message, {
      code: 'dataset.imageMissingArchiveBroken',
      values: ['1.jpg', path, { code: 'base.zipTruncated', values: [] }],
    });
    assert.deepEqual(shown([there]), ['damaged/2.jpg']);
  });

  it('sees equal bytes in two archives as one image, and others as ambiguous', async () => {
    writeZip('both/a.zip', ['same.jpg', 'other.jpg']);
    writeZip('both/b.zip', ['same.jpg']);
    writeFileSync(
      join(scratch.path, 'both', 'c.zip'),
      zipOf([{ name: 'other.jpg', text: 'something else' }]),
    );
    const [same, other] = await find('both', [], ['same.jpg', 'other.jpg']);
    assert.ok(same.ok);
    assert.ok(!other.ok && other.reason === 'ambiguous');
  });

  it('has the hash and the pixels of the file', async () => {
    const bytes = readFileSync('samples/images/000000012280.jpg');
    const path = join(writeZip('real/a.zip', ['p.jpg'], bytes), 'p.jpg');
    assert.equal(
      await new Fingerprints(undefined).sha256(path),
      createHash('sha256').update(bytes).digest('hex'),
    );
    const [whole, inside] = await Promise.all(
      ['samples/images/000000012280.jpg', path].map((one) => decode({ name: 'p', path: one })),
    );
    assert.deepEqual(inside, whole);
  });

  it('refuses a file that is longer than its directory states', async () => {
    const path = join(scratch.path, 'lying.zip');
    writeFileSync(path, zipOf([{ name: '1.jpg', text: 'x'.repeat(100), size: 10 }]));
    await assert.rejects(new Fingerprints(undefined).sha256(join(path, '1.jpg')), {
      what: { code: 'base.zipEntryDamaged', values: ['1.jpg'] },
      at: join(path, '1.jpg'),
    });
  });
});
