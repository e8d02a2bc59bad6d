import assert from 'node:assert/strict';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { CaptiousError } from '../../../src/base/errors';
import { english } from '../../../src/base/english';
import { findSaid, say } from '../../../src/base/say';
import { readCaptions } from '../../../src/dataset/captionTable';
import { entriesOf } from '../../../src/dataset/entries';
import { parseFieldMap } from '../../../src/dataset/fields/fields';
import { createImageFinder, fileOf } from '../../../src/dataset/images/images';
import { outlinesIn, readObjects } from '../../../src/dataset/images/openImages';
import { readInstances } from '../../../src/dataset/instances';
import { type OpenOptions, openDataset } from '../../../src/dataset/open';
import { splitPath } from '../../../src/dataset/parts/splits';
import { zipOf } from '../base/files/zips';
import { readAll, scratchFolder, tryRemedies } from './support';
import { saying } from '../../sentence';

const sample = 'samples/sugarcrepe.json';
const parquet = 'test/fixtures/dataset/captions.parquet';
const scratch = scratchFolder();
const json = (value: unknown): string => scratch.write('file.json', JSON.stringify(value));
const csv = (...lines: string[]): string => scratch.write('file.csv', `${lines.join('\n')}\n`);

/** The error of a failing action, with its remedy. */
async function fails(failing: () => unknown): Promise<CaptiousError & { remedy: string }> {
  try {
    await failing();
  } catch (error) {
    assert.ok(error instanceof CaptiousError && error.remedy !== undefined, String(error));
    return Object.assign(error, { remedy: english(error.remedy) });
  }
  return assert.fail('nothing failed');
}

/** Reads a whole file, because some errors occur only while rows are read. */
const reads = async (path: string, options?: OpenOptions): Promise<void> => {
  assert.ok((await readAll(path, options)).examples.length > 0, path);
};

async function firstOf<T>(rows: AsyncIterable<T>): Promise<T | undefined> {
  for await (const row of rows) return row;
  return undefined;
}

/** Each piece of advice: the code of its message, the cause of the error, and an action that follows the advice. */
const trials: [code: string, why: string, follow: () => Promise<void>][] = [
  [
    'dataset.auditOpenImagesCaptions',
    'a list of images of Open Images',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'captious-open-images-'));
      const [list, narratives] = ['image_ids_and_rotation.csv', 'narratives.jsonl'].map((name) =>
        join(folder, name),
      );
      writeFileSync(
        list,
        'ImageID,Subset,OriginalURL,Title\n02b6,train,https://example.org/a.jpg,A dog in a park\n',
      );
      writeFileSync(
        narratives,
        '{"dataset_id":"open_images","image_id":"02b6","caption":"There is a dog."}\n',
      );
      await fails(() => openDataset(list));
      await reads(narratives);
    },
  ],
  [
    'dataset.writeRowList',
    'a table by columns',
    async () => {
      const rows = [
        { image: 'a.jpg', caption: 'A cat.' },
        { image: 'b.jpg', caption: 'A dog.' },
      ];
      const column = (key: 'image' | 'caption'): string[] => rows.map((row) => row[key]);
      for (const columns of [
        { image: { ...column('image') }, caption: { ...column('caption') } },
        { image: column('image'), caption: column('caption') },
        {
          columns: ['image', 'caption'],
          index: [0, 1],
          data: rows.map(({ image, caption }) => [image, caption]),
        },
      ]) {
        const path = json(columns);
        assert.match((await fails(() => openDataset(path))).remedy, /orient="records"/);
        assert.match((await fails(() => firstOf(entriesOf(path)))).remedy, /orient="records"/);
      }
      await reads(json(rows));
      // Objects by row and by image are no columns.
      await reads(json({ 0: { filename: 'a.jpg', caption: 'A cat.', negative_caption: 'A dog.' } }));
    },
  ],
  [
    'dataset.renameImages',
    'references of two images with the same file name',
    async () => {
      const table = (other: string): string => json({ 'dogs/1.jpg': ['A dog.'], [other]: ['A cat.'] });
      const { remedy } = await fails(() => readCaptions(table('cats/1.jpg')));
      assert.match(remedy, saying('dataset.renameImages'));
      assert.equal((await readCaptions(table('cats/2.jpg'))).size, 2);
    },
  ],
  [
    'base.nameFileItself',
    'a folder',
    async () => {
      const { remedy } = await fails(() => entriesOf('samples').next());
      assert.match(remedy, saying('base.nameFileItself'));
      await reads(sample);
    },
  ],
  [
    'dataset.nameFilesByGlob',
    'a folder with several datasets, or with none',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'captious-folder-'));
      await fails(() => openDataset(folder));
      writeFileSync(join(folder, 'train-1.csv'), 'image,caption\na.jpg,A.\n');
      writeFileSync(join(folder, 'test.csv'), 'image,caption,negative_caption\na.jpg,A.,B.\n');
      await fails(() => openDataset(folder));
      await reads(join(folder, 'train-*.csv'));
    },
  ],
  [
    'dataset.checkGlob',
    'a pattern without a match',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'captious-folder-'));
      writeFileSync(join(folder, 'train-1.csv'), 'image,caption\na.jpg,A.\n');
      await fails(() => openDataset(join(folder, 'train_*.csv')));
      await reads(join(folder, 'train?*.csv'));
    },
  ],
  [
    'shard.checkPath',
    'a path that leads nowhere',
    async () => {
      const path = join(scratch.path, 'later.json');
      assert.deepEqual((await fails(() => openDataset(path))).details.remedy, say('shard.checkPath'));
      copyFileSync(sample, path);
      await reads(path);
    },
  ],
  [
    'dataset.useFileWithCaptions',
    'an empty file',
    async () => {
      assert.match(
        (await fails(() => openDataset(scratch.write('empty', '')))).remedy,
        saying('dataset.useFileWithCaptions'),
      );
      await reads(sample);
    },
  ],
  [
    'dataset.listFormats',
    'an unknown format',
    async () => {
      const { remedy } = await fails(() => openDataset(sample, { format: 'sugar' }));
      assert.ok(remedy.includes(' sugarcrepe,'));
      await reads(sample, { format: 'sugarcrepe' });
    },
  ],
  [
    'dataset.listColumns',
    'a map to a column that is not there',
    async () => {
      const path = csv('picture,words', 'a.jpg,A cat.');
      const { remedy } = await fails(() => openDataset(path, { map: { caption: 'text' } }));
      assert.match(remedy, /: picture, words\./);
      await reads(path, { map: { caption: 'words' } });
    },
  ],
  [
    'dataset.writeRolePairs',
    'an invalid map',
    async () => {
      const { remedy } = await fails(() => parseFieldMap('words'));
      const roles = /Roles: (.*)\./.exec(remedy)?.[1].split(', ') ?? [];
      assert.ok(roles.length > 10);
      for (const role of roles) assert.deepEqual(parseFieldMap(`${role}=x`), { [role]: 'x' });
    },
  ],
  [
    'dataset.useKnownFormat',
    'a table of other things',
    async () => {
      const path = csv('picture,words', 'a.jpg,red', 'b.jpg,blue');
      const { remedy } = (await fails(() => openDataset(path))).details;
      assert.ok(findSaid(remedy, 'dataset.renameOrMapColumns'), JSON.stringify(remedy));
      await reads(path, { map: { image: 'picture', caption: 'words' } });
      await reads(sample);
    },
  ],
  [
    'dataset.renameLikelyColumns',
    'columns under unknown names',
    async () => {
      const path = csv('where,what', 'a.jpg,A cat is on the mat.', 'b.jpg,A dog is on the mat.');
      const readings = await tryRemedies(path, await fails(() => openDataset(path)));
      assert.deepEqual(
        readings.map(({ examples }) => examples.length),
        [2],
      );
    },
  ],
  [
    'dataset.parquetDownloadAgain',
    'half a Parquet file',
    async () => {
      const half = scratch.write('half.parquet', readFileSync(parquet).subarray(0, 900));
      assert.deepEqual(
        (await fails(() => openDataset(half))).details.remedy,
        say('dataset.parquetDownloadAgain'),
      );
      copyFileSync(parquet, half);
      await reads(half);
    },
  ],
  [
    'dataset.arrowSaveAgain',
    'a compressed Feather file',
    async () => {
      const [packed, plain] = ['packed', 'plain'].map((name) => `test/oracle/dataset/arrow/${name}.feather`);
      assert.deepEqual(
        (await fails(() => openDataset(packed))).details.remedy,
        say('dataset.arrowSaveAgain'),
      );
      await reads(plain);
    },
  ],
  [
    'dataset.useCaptionsFile',
    "COCO's instances",
    async () => {
      const { details } = await fails(() => readAll('samples/instances.json'));
      assert.deepEqual(details.remedy, say('dataset.useCaptionsFile'));
      await reads('samples/captions.json');
    },
  ],
  [
    'dataset.setCocoInstances',
    'captions instead of objects',
    async () => {
      await fails(() => readInstances('samples/captions.json'));
      assert.ok(readInstances('samples/instances.json'));
    },
  ],
  [
    'dataset.setInstancesOption',
    'a table of captions instead of boxes',
    async () => {
      await fails(() => readObjects(csv('image,caption', 'a.jpg,A dog.')));
      assert.ok(readObjects('samples/instances.json').images.size > 0);
    },
  ],
  [
    'dataset.useCaptionFormat',
    'a file without captions',
    async () => {
      const without = csv('caption,negative_caption', 'A cat.,A dog.');
      assert.match((await fails(() => readCaptions(without))).remedy, saying('dataset.useCaptionFormat'));
      for (const given of [
        [{ image_id: 1, caption: 'A cat.' }],
        { '1.jpg': 'A cat.' },
        { '1.jpg': ['A cat.'] },
      ])
        assert.equal((await readCaptions(json(given))).size, 1);
      assert.ok((await readCaptions('samples/captions.json')).size > 0);
    },
  ],
  [
    'dataset.useReadableTable',
    'prose instead of a table',
    async () => {
      const prose = scratch.write('prose.txt', 'Once upon a time.\n');
      await fails(() => firstOf(entriesOf(prose)));
      for (const path of [
        csv('a,b', '1,2'),
        scratch.write('t.tsv', 'a\tb\n1\t2\n'),
        scratch.write('l.jsonl', '{"a": 1}\n{"a": 2}\n'),
        parquet,
      ])
        assert.ok(await firstOf(entriesOf(path)));
    },
  ],
  [
    'dataset.copyFlickrTokens',
    'judgments without the captions',
    async () => {
      const path = scratch.write('ExpertAnnotations.txt', 'a.jpg\tb.jpg#0\t1\t2\t3\n');
      assert.match((await fails(() => openDataset(path))).remedy, /^Copy Flickr8k\.token\.txt/);
      scratch.write('Flickr8k.token.txt', 'b.jpg#0\tA dog runs .\n');
      await reads(path);
    },
  ],
  [
    'dataset.useEqbenSource',
    "EqBen's randomized pairs",
    async () => {
      const path = json([{ image: 'eqbenag/a/1.png', caption: 'A cat is on the mat.' }]);
      const { remedy } = (await fails(() => openDataset(path))).details;
      assert.deepEqual(remedy, say('dataset.useEqbenSource', 'image', 'caption'));
      const { examples } = await readAll(path, { map: { image: 'image', caption: 'caption' } });
      assert.equal(examples.length, 1);
      await reads(json([{ image0: 'a.png', image1: 'b.png', caption0: 'A cat.', caption1: 'A dog.' }]));
    },
  ],
  [
    'dataset.useValseOrMap',
    'VALSE without its votes',
    async () => {
      const row = { image_file: 'a.jpg', caption: 'A cat.', foil: 'A dog.', linguistic_phenomena: 'plurals' };
      const path = json({ one: row });
      const [{ examples }] = await tryRemedies(path, await fails(() => openDataset(path)));
      assert.deepEqual(
        examples[0].captions.map(({ role }) => role),
        ['caption', 'negative'],
      );
      await reads(json({ one: { ...row, mturk: { caption: 3, foil: 0, other: 0 } } }));
    },
  ],
  [
    'dataset.useCrepeOrMap',
    'half of CREPE',
    async () => {
      const path = csv(
        'image_id,x,y,width,height,caption,valid_hard_negs_atom',
        `1,1,2,3,4,A cat.,"['A dog.', 'A cow.']"`,
      );
      const [{ examples }] = await tryRemedies(path, await fails(() => openDataset(path)));
      assert.deepEqual(
        examples[0].captions.map(({ role }) => role),
        ['caption', 'negative', 'negative'],
      );
    },
  ],
  [
    'dataset.useBivlcOrMap',
    "BiVLC's decisions without one of them",
    async () => {
      const path = csv(
        'image,caption,negative_caption,negative_image,type,text_score_i0,text_score_i1,image_score_c0',
        'a.jpg,A cat.,A dog.,b.jpg,swap,True,True,True',
      );
      const [{ dataset, examples }] = await tryRemedies(path, await fails(() => openDataset(path)));
      assert.deepEqual([dataset.form, examples[0].captions.map(({ image }) => image)], ['crossed', [0, 1]]);
    },
  ],
  [
    'dataset.useCropsOrMap',
    'ARO with half a box',
    async () => {
      const path = json([
        {
          image_path: 'a.jpg',
          true_caption: 'x on y',
          false_caption: 'y on x',
          relation_name: 'on',
          bbox_x: 1,
        },
      ]);
      const [{ examples }] = await tryRemedies(path, await fails(() => openDataset(path)));
      assert.deepEqual(
        examples[0].captions.map(({ role }) => role),
        ['caption', 'negative'],
      );
    },
  ],
  [
    'dataset.useOneBasedAnswer',
    'an answer that counts from 1',
    async () => {
      const path = csv('image,option_a,option_b,answer', 'a.jpg,A cat.,A dog.,2', 'b.jpg,A cow.,A pig.,1');
      const map = { image: 'image', options: 'option_*', answer: 'answer' };
      const [{ examples }] = await tryRemedies(path, await fails(() => openDataset(path, { map })));
      assert.deepEqual(
        examples.map(({ captions }) => captions.find(({ role }) => role === 'caption')?.text),
        ['A dog.', 'A cow.'],
      );
    },
  ],
  [
    'dataset.writePreference',
    'a winner that is neither candidate',
    async () => {
      const rows = (...winners: string[]) =>
        json(winners.map((winner, i) => ({ image: `${i}.jpg`, b: 'A cat.', c: 'A dog.', winner })));
      const { remedy } = await fails(() => openDataset(rows('GPT', 'human')));
      const words = [...remedy.matchAll(/"(\w+)"/g)].map(([, word]) => word);
      assert.deepEqual(words, ['b', 'c', 'tie', 'winner']);
      const { examples } = await readAll(rows('b', 'c', 'tie'));
      assert.deepEqual(
        examples.map(({ preferred }) => preferred),
        [0, 1, null],
      );
    },
  ],
  [
    'dataset.addClassNames',
    'boxes of Open Images without class names',
    () => {
      const boxes = openImagesBoxes('/m/1');
      assert.throws(() => readObjects(boxes), saying('dataset.classNamesMissing'));
      writeFileSync(join(dirname(boxes), 'class-descriptions-boxable.csv'), '/m/1,Dog\n');
      assert.equal(readObjects(boxes).images.size, 1);
      return Promise.resolve();
    },
  ],
  [
    'dataset.unpackForBoxes',
    'boxes of Open Images for an image in an archive',
    () => {
      const boxes = openImagesBoxes('/m/1');
      const folder = dirname(boxes);
      writeFileSync(join(folder, 'class-descriptions-boxable.csv'), '/m/1,Dog\n');
      const known = readObjects(boxes);
      const [name] = known.images.keys();
      const image = readFileSync('samples/images/000000012280.jpg');
      writeFileSync(join(folder, 'a.zip'), zipOf([{ name, text: image }]));
      const sizeOf = (path: string): number | undefined =>
        outlinesIn(known, name, () => ({ name, path }))?.width;
      assert.throws(() => sizeOf(join(folder, 'a.zip', name)), /archive/);
      writeFileSync(join(folder, name), image);
      assert.ok(sizeOf(join(folder, name))! > 1);
      return Promise.resolve();
    },
  ],
  [
    'dataset.useMatchingOpenImages',
    'boxes of Open Images with the class names of another release',
    () => {
      const boxes = openImagesBoxes('/m/2');
      const names = join(dirname(boxes), 'oidv7-class-descriptions-boxable.csv');
      writeFileSync(names, '/m/1,Dog\n');
      assert.throws(() => readObjects(boxes), /Line 2 /);
      writeFileSync(names, '/m/1,Dog\n/m/2,Cat\n');
      assert.equal(readObjects(boxes).images.size, 1);
      return Promise.resolve();
    },
  ],
  [
    'dataset.mapOnlyTheseColumns',
    'a column that may say what is true',
    async () => {
      for (const [name, ...values] of [
        ['is_true', 1, 0],
        ['other_caption', 'A cow is on the mat.', 'A pig is on the mat.'],
        ['bbox_x', 10, 20],
        ['zzz', 'yes', 'no'],
      ]) {
        const path = csv(
          `image,caption,${name}`,
          `a.jpg,A cat is on the mat.,${values[0]}`,
          `b.jpg,A dog is on the mat.,${values[1]}`,
        );
        const readings = await tryRemedies(path, await fails(() => openDataset(path)));
        assert.ok(readings.length > 0);
        for (const { examples } of readings) assert.equal(examples.length, 2, String(name));
      }
    },
  ],
  [
    'dataset.separateImageFolders',
    'two image folders with different files of one name',
    async () => {
      const root = mkdtempSync(join(tmpdir(), 'captious-folders-'));
      const [one, other] = ['one', 'other'].map((name) => {
        mkdirSync(join(root, name));
        writeFileSync(join(root, name, '1.jpg'), name);
        return join(root, name);
      });
      const path = join(root, 'captions.csv');
      writeFileSync(path, 'image,caption\nb/1.jpg,A cat.\n');
      const dataset = await openDataset(path);
      const find = async (...folders: string[]): Promise<string | undefined> =>
        fileOf(await createImageFinder({ dataset, folders }).find('b/1.jpg'))?.path;
      await fails(() => find(`b=${one}`, `b=${other}`));
      assert.equal(await find(`b=${one}`), join(one, '1.jpg'));
      assert.equal(await find(`a=${one}`, `b=${other}`), join(other, '1.jpg'));
    },
  ],
  ...splitTrials(),
];

/** A folder with these files. */
function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'captious-splits-'));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}

function splitTrials(): typeof trials {
  const table = 'image,caption\na.jpg,A cat.\n';
  const card = (path: string): string =>
    `---\nconfigs:\n- {config_name: a, data_files: ${path}}\n- {config_name: b, data_files: b.csv}\n---\n`;
  const two = (): string => folderWith({ 'train.csv': table, 'test.csv': table });
  const dict = (splits: string): string => folderWith({ 'dataset_dict.json': splits, 'train/a.csv': table });
  return [
    [
      'dataset.nameSplit',
      'a folder with several splits',
      async () => {
        const folder = two();
        await fails(() => reads(folder));
        for (const split of ['train', 'all']) await reads(await splitPath(folder, { split }));
      },
    ],
    [
      'dataset.nameFolder',
      'the split of a file',
      async () => {
        const folder = two();
        await fails(() => splitPath(join(folder, 'train.csv'), { split: 'train' }));
        await reads(await splitPath(folder, { split: 'train' }));
      },
    ],
    [
      'dataset.omitSplit',
      'the split of a folder without splits',
      async () => {
        const folder = folderWith({ 'a.csv': table });
        await fails(() => splitPath(folder, { split: 'dev' }));
        await reads(folder);
      },
    ],
    [
      'dataset.omitConfig',
      'the configuration of a folder without a card',
      async () => {
        const folder = folderWith({ 'a.csv': table });
        await fails(() => splitPath(folder, { config: 'x' }));
        await reads(folder);
      },
    ],
    [
      'dataset.nameConfig',
      'a card without a default configuration',
      async () => {
        const folder = folderWith({ 'README.md': card('a.csv'), 'a.csv': table, 'b.csv': table });
        await fails(() => reads(folder));
        await reads(await splitPath(folder, { config: 'a' }));
      },
    ],
    [
      'dataset.downloadDataFiles',
      'a card of files that are missing',
      async () => {
        const folder = folderWith({ 'README.md': card('a.csv'), 'b.csv': table });
        await fails(() => splitPath(folder, { config: 'a' }));
        writeFileSync(join(folder, 'a.csv'), table);
        await reads(await splitPath(folder, { config: 'a' }));
      },
    ],
    [
      'dataset.saveDictAgain',
      'a broken list of splits',
      async () => {
        await fails(() => reads(dict('{}')));
        await fails(() => reads(dict('{"splits": ["train", "test"]}')));
        await reads(dict('{"splits": ["train"]}'));
      },
    ],
    [
      'dataset.nameFilesOrTexts',
      'a folder with a table and texts of images',
      async () => {
        const folder = folderWith({ 'data/a.csv': table, 'data/1.jpg': '', 'data/1.txt': 'A dog.' });
        await fails(() => reads(folder));
        for (const glob of ['data/*.csv', 'data/**/*.txt']) await reads(join(folder, glob));
      },
    ],
  ];
}

/** Writes one box of this class into a folder of its own. */
function openImagesBoxes(label: string): string {
  const path = join(mkdtempSync(join(tmpdir(), 'captious-boxes-')), 'validation-annotations-bbox.csv');
  writeFileSync(path, `ImageID,LabelName,XMin,XMax,YMin,YMax\na,${label},0,1,0,1\n`);
  return path;
}

describe('remedies of dataset errors', () => {
  for (const [, why, follow] of trials) it(`work for ${why}`, follow);

  it('are all tested here', () => {
    const sources = (folder: string): string[] =>
      readdirSync(folder).flatMap((name) => {
        const path = join(folder, name);
        return statSync(path).isDirectory() ? sources(path) : [readFileSync(path, 'utf8')];
      });
    const text = sources('src/dataset').join('\n');
    const advised: string[] = [];
    const visit = (node: ts.Node): void => {
      if (ts.isPropertyAssignment(node) && node.name.getText() === 'remedy')
        advised.push(node.initializer.getText());
      else if (ts.isCallExpression(node) && /^(usage|input|evaluator)Error$/.test(node.expression.getText()))
        advised.push(node.arguments[1].getText());
      ts.forEachChild(node, visit);
    };
    visit(ts.createSourceFile('all.ts', text, ts.ScriptTarget.Latest, true));
    assert.ok(advised.length > 20);
    // Not tested: advice from `ways`, `remedyFor` or other files, and advice on permissions, because tests may run as
    // root, who has all permissions.
    const elsewhere =
      /^(ways\(|remedyFor\(|found\.remedy|remedy$|beside\.missing\.remedy|Words|say\('model\.checkPermissions')/;
    const untried = advised.filter(
      (advice) => !elsewhere.test(advice) && !trials.some(([own]) => advice.includes(own)),
    );
    assert.deepEqual(untried, []);
    const all = text + readFileSync('src/base/errors.ts', 'utf8');
    for (const [own] of trials) assert.ok(all.includes(own), own);
  });
});
