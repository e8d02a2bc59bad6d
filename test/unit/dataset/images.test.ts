import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { english } from '../../../src/base/say';
import { type FoundImage, createImageFinder } from '../../../src/dataset/images/images';
import { scratchFolder } from './support';

const scratch = scratchFolder();

function folderWith(name: string, files: readonly string[]): string {
  const folder = join(scratch.path, name);
  for (const file of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), '');
  }
  return folder;
}

/** For each image name, the found file relative to the scratch folder, or the reason why none was found. */
async function leads(
  dataset: string,
  folders: readonly string[],
  names: readonly string[],
): Promise<string[]> {
  const finder = createImageFinder({ datasetPath: join(dataset, 'data.json'), folders });
  const out: string[] = [];
  for (const name of names) {
    const found: FoundImage = await finder.find(name);
    out.push(found.ok ? found.path.slice(scratch.path.length + 1).replaceAll('\\', '/') : found.reason);
  }
  return out;
}

describe('finding images', () => {
  it("searches the dataset's folder, subfolders, the usual folders and the given folders", async () => {
    const own = folderWith('own', [
      'here.jpg',
      'sub/deep.jpg',
      'images/a.jpg',
      'val2014/b.jpg',
      'photos/c.PNG',
    ]);
    const other = folderWith('other', [
      'd.jpg',
      'train2017/e.jpg',
      'one/two/f.jpg',
      'images/g.jpg',
      'here.jpg',
    ]);
    assert.deepEqual(
      await leads(
        own,
        [other],
        [
          'here.jpg',
          'sub/deep.jpg',
          'deep.jpg',
          'a.jpg',
          'b.jpg',
          'val2014/b.jpg',
          'c.png',
          'd.jpg',
          'e.jpg',
          'f.jpg',
          'x/g.jpg',
          'nowhere.jpg',
        ],
      ),
      [
        'other/here.jpg',
        'own/sub/deep.jpg',
        'own/sub/deep.jpg',
        'own/images/a.jpg',
        'own/val2014/b.jpg',
        'own/val2014/b.jpg',
        'own/photos/c.PNG',
        'other/d.jpg',
        'other/train2017/e.jpg',
        'other/one/two/f.jpg',
        'other/images/g.jpg',
        'missing',
      ],
    );
  });

  it("finds COCO's images by any of their names", async () => {
    const own = folderWith('coco', [
      'images/000000391895.jpg',
      'images/COCO_val2014_000000000042.jpg',
      'images/000000000007.jpg',
    ]);
    assert.deepEqual(
      await leads(
        own,
        [],
        [
          'val2014/COCO_val2014_000000391895.jpg',
          '391895',
          '000000391895',
          '42',
          '000000000042.jpg',
          'COCO_train2014_000000000007.jpg',
          '8',
        ],
      ),
      [
        'coco/images/000000391895.jpg',
        'coco/images/000000391895.jpg',
        'coco/images/000000391895.jpg',
        'coco/images/COCO_val2014_000000000042.jpg',
        'coco/images/COCO_val2014_000000000042.jpg',
        'coco/images/000000000007.jpg',
        'missing',
      ],
    );
  });

  it('reports a file name of two images as ambiguous unless the path distinguishes them', async () => {
    const own = folderWith('twice', ['a/x.jpg', 'b/x.jpg', 'a/12.jpg', 'b/12.png']);
    assert.deepEqual(await leads(own, [], ['x.jpg', 'b/x.jpg', 'elsewhere/a/x.jpg', '12']), [
      'ambiguous',
      'twice/b/x.jpg',
      'twice/a/x.jpg',
      'ambiguous',
    ]);
    const found = await createImageFinder({ datasetPath: join(own, 'd.json'), folders: [] }).find('x.jpg');
    assert.ok(!found.ok);
    assert.deepEqual(found.places, [join(own, 'a/x.jpg'), join(own, 'b/x.jpg')]);
  });

  it('finds names without an extension, with percent signs, backslashes, other case or accents', async () => {
    const own = folderWith('spelling', [
      'images/10_ab.jpg',
      'images/my photo.jpg',
      'images/100%.jpg',
      'images/caf\u00e9.jpg',
      'A.JPG',
      'b.jpg',
      'B.jpg',
    ]);
    assert.deepEqual(
      await leads(
        own,
        [],
        [
          '10_ab',
          'my%20photo.jpg',
          '100%.jpg',
          'images\\10_ab.jpg',
          'a.jpg',
          'cafe\u0301.jpg',
          'b.jpg',
          'B.jpg',
        ],
      ),
      [
        'spelling/images/10_ab.jpg',
        'spelling/images/my photo.jpg',
        'spelling/images/100%.jpg',
        'spelling/images/10_ab.jpg',
        'spelling/A.JPG',
        'spelling/images/caf\u00e9.jpg',
        'spelling/b.jpg',
        'spelling/B.jpg',
      ],
    );
  });

  it('never leads out of the folders', async () => {
    const own = folderWith('jail/own', ['in.jpg']);
    folderWith('jail', ['secret.jpg', 'own2/near.jpg']);
    folderWith('outside', ['linked.jpg', 'folder/inner.jpg']);
    symlinkSync(join(scratch.path, 'outside/linked.jpg'), join(own, 'link.jpg'));
    symlinkSync(join(scratch.path, 'outside/folder'), join(own, 'images'));
    symlinkSync(join(own, 'in.jpg'), join(own, 'alias.jpg'));
    const names: Record<string, string> = {
      '../secret.jpg': 'refused',
      'x/../../secret.jpg': 'refused',
      '..%2Fsecret.jpg': 'refused',
      '%2e%2e/secret.jpg': 'refused',
      '..\\secret.jpg': 'refused',
      '../own2/near.jpg': 'refused',
      [join(scratch.path, 'jail/secret.jpg')]: 'refused',
      '/etc/passwd': 'refused',
      'C:\\Windows\\win.ini': 'refused',
      '\\\\server\\share\\x.jpg': 'refused',
      '//server/share/x.jpg': 'refused',
      'in.jpg\0.txt': 'refused',
      'in.jpg%00': 'missing',
      'http://example.org/x.jpg': 'refused',
      'file:///etc/passwd': 'refused',
      'data:image/png;base64,AAAA': 'refused',
      'link.jpg': 'refused',
      'images/inner.jpg': 'refused',
      'inner.jpg': 'refused',
      'alias.jpg': 'jail/own/alias.jpg',
      '..': 'missing',
      '.': 'missing',
      '': 'missing',
      'x/../in.jpg': 'jail/own/in.jpg',
      [join(own, 'in.jpg')]: 'jail/own/in.jpg',
      '/data/user/in.jpg': 'jail/own/in.jpg',
      'http://example.org/train/in.jpg?size=2': 'jail/own/in.jpg',
    };
    assert.deepEqual(
      Object.fromEntries(
        await Promise.all(Object.keys(names).map(async (name) => [name, (await leads(own, [], [name]))[0]])),
      ),
      names,
    );
  });

  it('says that an image inside a name is not read, and that a web address is not downloaded', async () => {
    const finder = createImageFinder({
      datasetPath: join(folderWith('names', []), 'data.json'),
      folders: [],
    });
    for (const [name, message] of [
      ['data:image/png;base64,AAAA', /embedded as a data: URL/],
      ['https://example.org/x.jpg', /web address/],
    ] as const) {
      const found = await finder.find(name);
      assert.ok(!found.ok);
      assert.match(english(found.message), message);
    }
  });

  it('accepts a linked folder that the user names as a root', async () => {
    const own = folderWith('linked', ['data.json']);
    const target = folderWith('target', ['far.jpg']);
    symlinkSync(target, join(own, 'shortcut'));
    assert.deepEqual(await leads(own, [], ['far.jpg']), ['missing']);
    assert.deepEqual(await leads(own, [join(own, 'shortcut')], ['far.jpg']), ['linked/shortcut/far.jpg']);
  });

  it('handles a dataset of many invented folders', async () => {
    const own = folderWith('many', ['x.jpg']);
    const finder = createImageFinder({
      datasetPath: join(own, 'd.json'),
      folders: [join(scratch.path, 'no-such-folder')],
    });
    for (let i = 0; i < 2000; i++) assert.equal((await finder.find(`f${i}/y.jpg`)).ok, false);
    assert.equal((await finder.find('f1/x.jpg')).ok, true);
  });
});
