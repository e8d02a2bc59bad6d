import assert from 'node:assert/strict';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkDataset } from '../../../src/dataset/check';

describe('checking a dataset', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'captious-check-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('skips images if they are not checked, and reports everything else', async () => {
    const outside = join(folder, 'outside.txt');
    const path = join(folder, 'captions.csv');
    await writeFile(outside, 'no image');
    await symlink(outside, join(folder, 'there.jpg'));
    await writeFile(path, 'image,caption\nthere.jpg,a cat\ngone.jpg,a dog\ngone.jpg,a dog\n');
    const codes = async (images: string[] | undefined) =>
      (await checkDataset(path, { images })).findings.map(({ code }) => code);
    assert.deepEqual([...new Set(await codes(undefined))], ['duplicate-caption']);
    assert.ok((await codes([folder])).includes('missing-image'));
    assert.equal((await codes([folder])).length > (await codes(undefined)).length, true);
  });

  it('counts all missing images, and lists the first hundred', async () => {
    const path = join(folder, 'captions.csv');
    const rows = Array.from({ length: 143 }, (_, i) => `gone${i}.jpg,caption ${i}\n`);
    await writeFile(path, `image,caption\n${rows.join('')}`);
    const { findings, count, counts } = await checkDataset(path, { images: [folder] });
    assert.deepEqual([findings.length, count, counts['missing-image']], [100, 143, 143]);
  });
});
