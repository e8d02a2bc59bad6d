import assert from 'node:assert/strict';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { Images } from '../../../../src/service/images/images';
import { thumbnail } from '../../../../src/evaluator/native/images/thumbnail';
import type { Transform } from '../../../../src/perturb/transform';
import { say } from '../../../../src/base/say';

const fixtures = join(__dirname, '../../../fixtures');
const inside = join(fixtures, 'dataset/captions.parquet');
const images = join(fixtures, 'pictures');

/** The colour of a one-pixel JPEG. */
async function colourOf(jpeg: Uint8Array): Promise<number[]> {
  const { data } = await sharp(jpeg).raw().toBuffer({ resolveWithObject: true });
  return [...data.subarray(0, 3)];
}

describe('images for the panel', () => {
  let folder: string;
  let imageReader: Images;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'captious-photos-'));
    imageReader = new Images();
  });

  afterEach(async () => {
    await imageReader.close();
    await rm(folder, { recursive: true });
  });

  it('are read from a Parquet file, each under its own name', async () => {
    // make_parquet.py adds 30 to red per row. The image of the fourth row has no name, so the row's number names it.
    for (const [i, name] of [
      '000000000000.png',
      '000000000001.png',
      '',
      'row 3',
      '',
      '',
      '000000000006.png',
    ].entries()) {
      if (name === '') continue;
      const [red, green, blue] = await colourOf(await imageReader.small(inside, [], name, 48));
      assert.ok(Math.abs(red - 30 * i) <= 2 && green <= 2 && blue <= 2, `${name}: ${red} ${green} ${blue}`);
    }
  });

  it('are read from tar archives, also from several that a pattern names', async () => {
    const oracle = join(__dirname, '../../../oracle/dataset');
    const colours: number[][] = [];
    for (const [dataset, name] of [
      ['shard-00000.tar', '000001.jpg'],
      ['shard-{00000..00002}.tar', 'shard-00000.tar/000001.jpg'],
      ['shard-{00000..00002}.tar', 'shard-00002.tar/000001.PNG'],
    ])
      colours.push(await colourOf(await imageReader.small(join(oracle, dataset), [], name, 48)));
    assert.deepEqual(colours[0], colours[1]);
    assert.notDeepEqual(colours[0], colours[2]);
  });

  it('are not shown if two folders have different ones of the name, and the error says so', async () => {
    const dataset = join(folder, 'captions.json');
    await writeFile(dataset, '[]');
    for (const [at, picture] of ['colour.png', 'palette.png'].entries()) {
      await mkdir(join(folder, String(at)));
      await copyFile(join(images, picture), join(folder, String(at), 'same.png'));
    }
    const folders = ['0', '1'].map((name) => join(folder, name));
    const files = folders.map((own) => join(own, 'same.png'));
    await assert.rejects(imageReader.small(dataset, folders, 'same.png', 48), {
      what: say('dataset.imageFoldersConflict', 'same.png', ...files),
    });
    await assert.rejects(imageReader.small(dataset, [folder], 'same.png', 48), {
      what: say('dataset.severalFilesOfName', 2),
    });
  });

  it('are searched in folders if the Parquet file has none, and named if missing', async () => {
    await copyFile(join(images, 'colour.png'), join(folder, 'elsewhere.png'));
    assert.deepEqual(await imageReader.find(inside, [folder], 'elsewhere.png'), {
      name: 'elsewhere.png',
      path: join(folder, 'elsewhere.png'),
    });
    await assert.rejects(imageReader.small(inside, [], 'none.png', 48), {
      what: say('editor.imageNotFound', 'none.png'),
    });
  });

  it("reflect the Parquet file's current content", async () => {
    const dataset = join(folder, 'own.parquet');
    await copyFile(join(fixtures, 'dataset/winoground.parquet'), dataset);
    assert.equal(await imageReader.find(dataset, [], '000000000006.png'), undefined);
    await copyFile(inside, dataset);
    assert.ok(await imageReader.find(dataset, [], '000000000006.png'));
  });

  it('are altered with another image by its name in the dataset', async () => {
    const dataset = join(folder, 'captions.json');
    await writeFile(dataset, '[]');
    for (const name of ['full-colour.jpg', 'colour.png'])
      await copyFile(join(images, name), join(folder, name));
    const change = (path: string): Transform => ({
      ...{ op: 'patch', side: 64, lambda: 0.5, x: 20, y: 30 },
      other: { path, sha256: '' },
    });
    const made = await imageReader.small(dataset, [], 'full-colour.jpg', 64, [change('colour.png')]);
    const source = { name: 'full-colour.jpg', path: join(folder, 'full-colour.jpg') };
    assert.deepEqual(
      made,
      await thumbnail({ source, side: 64, transforms: [change(join(folder, 'colour.png'))] }),
    );
    assert.notDeepEqual(made, await thumbnail({ source, side: 64, transforms: [] }));
    await assert.rejects(
      imageReader.small(dataset, [], 'full-colour.jpg', 64, [change('gone.png')]),
      /gone\.png/,
    );
  });
});
