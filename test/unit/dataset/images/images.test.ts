import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { say } from '../../../../src/base/say';
import { fileOf, type ImageFinder, createImageFinder } from '../../../../src/dataset/images/images';
import { scratchFolder } from '../support';
import type { FoundImage } from '../../../../src/dataset/images/foundImage';

const scratch = scratchFolder();

function folderWith(name: string, files: readonly string[]): string {
  const folder = join(scratch.path, name);
  for (const file of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), file);
  }
  return folder;
}

/** A finder for a dataset with these image names in a folder. */
function finderOf(folder: string, folders: readonly string[], names: readonly string[]): ImageFinder {
  return createImageFinder({
    dataset: {
      path: join(folder, 'data.json'),
      async *read() {
        for (const name of names) yield await Promise.resolve({ images: [{ name }] });
      },
    },
    folders,
  });
}

/** For each image name, the found file relative to the scratch folder, or the reason why none was found. */
async function leads(
  dataset: string,
  folders: readonly string[],
  names: readonly string[],
  all = names,
): Promise<string[]> {
  const finder = finderOf(dataset, folders, all);
  const out: string[] = [];
  for (const name of names) {
    const found: FoundImage = await finder.find(name);
    out.push(found.ok ? found.path.slice(scratch.path.length + 1).replaceAll('\\', '/') : found.reason);
  }
  return out;
}

/** Like `leads`, but each name is the only one of its dataset. */
async function leadsAlone(
  dataset: string,
  folders: readonly string[],
  names: readonly string[],
): Promise<string[]> {
  return (await Promise.all(names.map((name) => leads(dataset, folders, [name])))).flat();
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
      await leadsAlone(
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
    assert.deepEqual(await leadsAlone(own, [], ['x.jpg', 'b/x.jpg', 'elsewhere/a/x.jpg', '12']), [
      'ambiguous',
      'twice/b/x.jpg',
      'twice/a/x.jpg',
      'ambiguous',
    ]);
    const found = await finderOf(own, [], ['x.jpg']).find('x.jpg');
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
      await leadsAlone(
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

  it('takes no image from a folder that contradicts the name', async () => {
    const own = folderWith('strict', ['cats/001.jpg', 'cats/002.jpg', 'b/a/1.jpg', 'sub/p.jpg', 'flat.jpg']);
    const both = ['dogs/001.jpg', 'cats/001.jpg'];
    assert.deepEqual(await leads(own, [], both), ['missing', 'strict/cats/001.jpg']);
    for (const name of [
      ...[
        'dogs/001.jpg',
        'dogs\\001.jpg',
        'dogs%2F001.jpg',
        '/home/author/dogs/001.jpg',
        'C:\\d\\dogs\\001.jpg',
      ],
      ...[
        'http://example.org/dogs/001.jpg',
        'http://example.org/dogs%2F001.jpg',
        'x/cats/dogs/001.jpg',
        'Cats/001.jpg',
      ],
    ])
      assert.deepEqual(await leadsAlone(own, [], [name]), ['missing'], name);
    // The file of one name is not that of another one.
    assert.deepEqual(await leads(own, [], ['a/1.jpg', 'b/a/1.jpg']), ['missing', 'strict/b/a/1.jpg']);
    assert.deepEqual(await leads(own, [], ['p.jpg', 'sub/q.jpg']), ['missing', 'missing']);
    assert.deepEqual(await leads(own, [], ['a/flat.jpg', 'b/flat.jpg']), ['missing', 'missing']);
    const queries = ['http://e.org/flat.jpg?id=1', 'http://e.org/flat.jpg?id=2'];
    assert.ok(!(await leads(own, [], queries)).includes('strict/flat.jpg'));
    // Where the folders cannot disagree, the file name is enough.
    assert.deepEqual(
      await leadsAlone(own, [], ['p.jpg', 'http://e.org/v/flat.jpg?x=1', '/home/a/cats/002.jpg']),
      ['strict/sub/p.jpg', 'strict/flat.jpg', 'strict/cats/002.jpg'],
    );
    const [missing] = await Promise.all([finderOf(own, [], both).find('dogs/001.jpg')]);
    assert.ok(!missing.ok);
    assert.equal(missing.instead, `dogs=${join(own, 'cats')}`);
    assert.deepEqual(
      missing.message,
      say('dataset.imageElsewhere', 'dogs/001.jpg', join(own, 'cats/001.jpg'), missing.instead),
    );
    const plain = await finderOf(own, [], ['p.jpg', 'sub/q.jpg']).find('p.jpg');
    assert.ok(!plain.ok && plain.instead === undefined);
    assert.deepEqual(
      plain.message,
      say('dataset.imageElsewhere', 'p.jpg', join(own, 'sub/p.jpg'), join(own, 'sub')),
    );
  });

  it('takes the images of a folder to which the user maps a beginning of names, and only those', async () => {
    const own = folderWith('mapped', ['cats/001.jpg', 'flat/x y.jpg', '001.jpg']);
    const at = (name: string): string => join(own, name);
    const maps = [`http://example.org/v=${at('flat')}`, `dogs=${at('cats')}`, `/home/author=${own}`];
    assert.deepEqual(
      await leads(own, maps, [
        ...['dogs/001.jpg', 'dogs/002.jpg', 'dogs2/001.jpg', 'http://example.org/v/x%20y.jpg?size=2'],
        ...['/home/author/cats/001.jpg', 'dogs/../../secret.jpg', 'dogs\\001.jpg'],
      ]),
      [
        ...['mapped/cats/001.jpg', 'missing', 'missing', 'mapped/flat/x y.jpg'],
        ...['mapped/cats/001.jpg', 'missing', 'mapped/cats/001.jpg'],
      ],
    );
    assert.equal(finderOf(own, maps, []).partly.count, 0);
    // A folder may have the sign "=" in its name.
    const equal = folderWith('a=b', ['e.jpg']);
    assert.deepEqual(await leads(own, [equal], ['e.jpg']), ['a=b/e.jpg']);
  });

  it('finds images of COCO by their numbers in any folder, but not where the numbers are not COCO’s', async () => {
    const own = folderWith('numbers', [
      'images/000000000009.jpg',
      'val2017/000000000010.jpg',
      'cats/000000000011.jpg',
    ]);
    assert.deepEqual(
      await leads(
        own,
        [],
        [
          'train2014/COCO_train2014_000000000009.jpg',
          'http://images.cocodataset.org/val2014/COCO_val2014_000000000010.jpg',
        ],
      ),
      ['numbers/images/000000000009.jpg', 'numbers/val2017/000000000010.jpg'],
    );
    for (const [name, ...others] of [
      ['train2017/000000000009.jpg', 'val2017/000000000009.jpg'],
      ['train2017/000000000010.jpg'],
      ['dogs/000000000009.jpg', 'cats/000000000009.jpg'],
      ['val2017/000000000011.jpg', 'train2017/000000000012.jpg'],
      ['11.jpg', 'val2014/x.jpg'],
    ])
      assert.deepEqual(await leads(own, [], [name], [name, ...others]), ['missing'], name);
  });

  it('counts images found by less than the whole path, and takes copies of one image as one', async () => {
    const own = folderWith('counted', [
      'here.jpg',
      'images/a.jpg',
      'sub/b.jpg',
      'C.JPG',
      'e/d.jpg',
      'f/d.jpg',
    ]);
    for (const copy of ['copies/one/z.jpg', 'copies/two/z.jpg']) {
      mkdirSync(dirname(join(own, copy)), { recursive: true });
      writeFileSync(join(own, copy), 'the same');
    }
    const finder = finderOf(own, [join(own, 'copies')], ['here.jpg']);
    for (const name of ['here.jpg', 'a.jpg', 'b.jpg', 'b.jpg', 'c.jpg', 'd.jpg', 'z.jpg', 'b'])
      await finder.find(name);
    assert.deepEqual(
      finder.partly.first.map(({ name }) => name),
      ['b', 'b.jpg', 'c.jpg', 'z.jpg'],
    );
    assert.equal(finder.partly.count, 4);
  });

  it('refuses a name for which two folders of the user have different files', async () => {
    const files = ['dogs/1.jpg', '2.jpg', 'images/3.jpg', 'val2014/4.jpg'];
    const [one, other] = ['one side', 'other side'].map((name) => folderWith(name, files));
    const data = folderWith('beside', ['2.jpg', '5.jpg']);
    for (const name of ['dogs/1.jpg', '3.jpg']) {
      assert.deepEqual(
        await leadsAlone(data, [one, other], [name]),
        [`one side/${file(name)}`],
        'the same bytes',
      );
      writeFileSync(join(other, file(name)), 'other');
      const found = await finderOf(data, [one, other], [name]).find(name);
      assert.ok(!found.ok && found.isConflict);
      assert.deepEqual(found.places, [join(one, file(name)), join(other, file(name))]);
      assert.throws(() => fileOf(found), { kind: 'usage' });
      assert.deepEqual(await leadsAlone(data, [other], [name]), [`other side/${file(name)}`]);
    }
    // The same folder twice, or a folder and one inside it, cannot differ.
    assert.deepEqual(await leadsAlone(data, [one, one, join(one, 'val2014')], ['4.jpg']), [
      'one side/val2014/4.jpg',
    ]);
    // An image folder comes before the folder of the dataset, as the documentation says.
    writeFileSync(join(data, '2.jpg'), 'beside');
    writeFileSync(join(data, '3.jpg'), 'beside');
    assert.deepEqual(await leads(data, [one], ['2.jpg', '3.jpg', '5.jpg']), [
      'one side/2.jpg',
      'one side/images/3.jpg',
      'beside/5.jpg',
    ]);
    // Mapped folders of the same names are side by side, too; a longer beginning is more exact.
    const mapped = async (...places: string[]): Promise<FoundImage> =>
      finderOf(data, places, ['dogs/1.jpg']).find('dogs/1.jpg');
    const conflict = await mapped(`dogs=${join(one, 'dogs')}`, `dogs=${join(other, 'dogs')}`);
    assert.ok(!conflict.ok && conflict.isConflict);
    assert.ok((await mapped(`dogs=${join(one, 'dogs')}`)).ok);

    function file(name: string): string {
      return name === '3.jpg' ? 'images/3.jpg' : name;
    }
  });

  it('says that two usual folders with different images are ambiguous', async () => {
    const own = folderWith('usual', ['train2017/x.jpg', 'val2017/x.jpg', 'images/y.jpg']);
    assert.deepEqual(await leadsAlone(own, [], ['x.jpg', 'val2017/x.jpg']), [
      'ambiguous',
      'usual/val2017/x.jpg',
    ]);
    assert.deepEqual(await leads(own, [], ['y.jpg', 'images/y.jpg']), ['missing', 'usual/images/y.jpg']);
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
    const finder = finderOf(folderWith('names', []), [], []);
    for (const [name, message] of [
      ['data:image/png;base64,AAAA', say('dataset.imageIsDataUrl')],
      ['https://example.org/x.jpg', say('dataset.imageIsWebAddress')],
    ] as const) {
      const found = await finder.find(name);
      assert.ok(!found.ok);
      assert.deepEqual(found.message, message);
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
    const names = Array.from({ length: 12_000 }, (_, i) => `f${i}/y.jpg`);
    const finder = finderOf(own, [join(scratch.path, 'no-such-folder')], [...names, 'x.jpg']);
    for (const name of names.slice(0, 300)) assert.equal((await finder.find(name)).ok, false);
    assert.equal((await finder.find('f1/x.jpg')).ok, false);
    assert.equal((await finder.find('x.jpg')).ok, true);
  });
});
