import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { imageFolders } from '../../../src/cli/datasetRequest';
import { CaptiousError } from '../../../src/base/errors';
import { scratchFolder } from '../dataset/support';
import { captious } from './captious';

describe('image folders of a command', () => {
  const { path: folder, write } = scratchFolder();

  it('are folders or archives that exist', () => {
    const own = join(folder, 'photos');
    mkdirSync(own);
    const zip = write('photos.zip', 'PK');
    const given = [own, `http://images.example=${own}`, zip, `val2017=${join(zip, 'val2017')}`];
    assert.deepEqual(imageFolders({ images: given }), given);
    for (const wrong of [join(folder, 'phots'), `dogs=${join(folder, 'dogs')}`, write('photo.jpg', 'x')])
      assert.throws(
        () => imageFolders({ images: [own, wrong] }),
        (error: unknown) => error instanceof CaptiousError && error.describe().includes(`--images ${wrong}:`),
      );
  });

  it('end the command if one is missing, even if all images are next to the dataset', async () => {
    const missing = join(folder, 'nowhere');
    for (const command of [
      ['inspect', 'samples/captions.json'],
      ['audit', 'samples/captions.json', '--probe', 'lgip', '--evaluator', 'test/fixtures/models/clip'],
    ]) {
      const { code, err } = await captious(folder, ...command, '--images', missing);
      assert.equal(code, 2, err);
      assert.ok(err.includes(`--images ${missing}: there is no folder`), err);
    }
  });
});
