import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileName, fileNames } from '../../src/base/files/fileName';
import { createImageFinder } from '../../src/dataset/images/images';

/** Files, names in a dataset, and the file of each name. Undefined: no file may be used. */
const lookups: [
  title: string,
  files: string[],
  names: Record<string, string | undefined>,
  folders?: string[],
][] = [
  [
    'a folder in another case',
    ['Dogs/1.jpg', 'cats/1.jpg'],
    { 'dogs/1.jpg': undefined, 'cats/1.jpg': 'cats/1.jpg' },
  ],
  ['two cases of one name', ['A.JPG', 'a.jpg'], { 'A.jpg': undefined, 'a.jpg': 'a.jpg' }],
  ['full-width letters', ['\uff41.jpg'], { 'a.jpg': undefined }],
  ['a dotless i', ['i.jpg'], { '\u0130.jpg': undefined, '\u0131.jpg': undefined }],
  ['a sharp s', ['ss.jpg'], { 'ß.jpg': undefined }],
  ['percent signs', ['a%20b.jpg', 'a b.jpg'], { 'a%20b.jpg': 'a%20b.jpg', 'a b.jpg': 'a b.jpg' }],
  ['an encoded slash', ['dogs/1.jpg'], { 'dogs%2F1.jpg': 'dogs/1.jpg', 'cats%2F1.jpg': undefined }],
  ['another extension', ['a.png'], { 'a.jpg': undefined }],
  ['two extensions', ['a.png', 'a.jpg'], { a: undefined }],
  ['the other part of COCO', ['val2017/000000000007.jpg'], { 'train2017/000000000007.jpg': undefined }],
  ['queries', ['a.jpg'], { 'http://x/a.jpg?id=1': undefined, 'http://x/a.jpg?id=2': undefined }],
  ['hosts', ['a.jpg'], { 'http://x/a.jpg': undefined, 'http://y/a.jpg': undefined }],
  ['folders of an absent third', ['1/a.jpg', '2/a.jpg'], { '1/a.jpg': '1/a.jpg', '3/a.jpg': undefined }],
  ['drives', ['photos/1.jpg'], { 'C:\\d\\photos\\1.jpg': undefined, 'D:\\d\\photos\\1.jpg': undefined }],
  ['trailing signs', ['a.jpg'], { 'a.jpg ': undefined, 'a.jpg.': undefined }],
  ['names without a name', ['a.jpg'], { '': undefined, '.': undefined, '..': undefined, '/': undefined }],
  ['a number sign', ['a#1.jpg', 'a'], { 'a#1.jpg': 'a#1.jpg', 'a#2.jpg': undefined }],
  [
    'mapped folders',
    ['p/1.jpg', 'q/1.jpg', 's.jpg'],
    {
      'dogs/1.jpg': 'p/1.jpg',
      'dogs2/1.jpg': undefined,
      'dogs/s/1.jpg': 'q/1.jpg',
      'dogs/../../s.jpg': undefined,
    },
    ['dogs=p', 'dogs/s=q'],
  ],
];

describe('an attack on the names of images', () => {
  for (const [title, files, names, folders = []] of lookups)
    it(`uses no other image: ${title}`, async () => {
      const folder = mkdtempSync(join(tmpdir(), 'captious-attack-'));
      try {
        for (const file of files) {
          mkdirSync(dirname(join(folder, file)), { recursive: true });
          writeFileSync(join(folder, file), file);
        }
        const all = Object.keys(names).map((name) => ({ images: [{ name }] }));
        const dataset = {
          path: join(folder, 'data.json'),
          read: async function* () {
            await Promise.resolve();
            yield* all;
          },
        };
        const roots = folders.map((one) => one.replace('=', `=${folder}/`));
        const finder = createImageFinder({ dataset, folders: roots });
        for (const [name, wanted] of Object.entries(names)) {
          const found = await finder.find(name);
          assert.equal(found.ok ? relative(folder, found.path) : undefined, wanted, name);
        }
      } finally {
        rmSync(folder, { recursive: true });
      }
    });
});

describe('an attack on the names of files', () => {
  const signs =
    'a A á a\u0301 ß ss ẞ İ i ı ﬁ fi K k ſ s con CON com¹ aux. .. -- __ a\\b a:b 😀 ﷺ .git .GIT conin$ a-0123456789ab';
  const pieces = [
    ...signs.split(' '),
    '',
    ' ',
    '\0',
    '\n',
    '\ud800',
    '\u200b',
    '\u202e',
    'ä'.repeat(61),
    'A'.repeat(97),
  ];
  const texts = [...new Set(pieces.flatMap((a) => pieces.map((b) => a + b)))];
  const folded = (name: string): string =>
    name
      .normalize('NFKC')
      .toUpperCase()
      .toLowerCase()
      .replace(/[. ]+$/, '');

  it('finds no two texts of one name, also together', () => {
    assert.equal(new Set(texts.map((text) => folded(fileName(text)))).size, texts.length);
    assert.equal(new Set(Array.from(fileNames(texts).values(), folded)).size, texts.length);
  });

  it('finds no name that a file system changes or refuses', () => {
    for (const name of texts.map(fileName))
      assert.ok(
        Buffer.byteLength(name) <= 120 && /^(?!\.)[^/\\:*?"<>|\p{C}]+(?<![. ])$/u.test(name),
        JSON.stringify(name),
      );
  });
});
