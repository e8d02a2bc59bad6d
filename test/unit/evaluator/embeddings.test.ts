import { type Code, type Said, say } from '../../../src/base/say';
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { metricNamed, asMetric } from '../../../src/evaluator/clipscore';
import { NameFolders } from '../../../src/dataset/images/nameFolders';
import { createBench } from '../../../src/bench/createBench';
import type { Outcome } from '../../../src/base/outcome';
import { previewEvaluator } from '../../../src/evaluator/open';
import { imageItemKey, textItemKey } from '../../../src/evaluator/wantKey';
import type { ImageItem } from '../../../src/protocol/item';
import oracle from '../../oracle/evaluator/embeddings.json';
import { cleanUp, openPath, scratch, valueOf } from './fixtures';
import { sentence } from '../../sentence';

const fixtures = join(__dirname, '..', '..', 'fixtures', 'embeddings');

/** An image whose file does not exist, because the evaluator needs only its name. */
function named(name: string, transforms: ImageItem['transforms'] = []): ImageItem {
  return { kind: 'image', source: { name, path: join('/nowhere', name) }, transforms };
}

/** Writes an evaluator file and copies of the arrays next to it. */
function fileOf(said: object, more: Record<string, string | Buffer> = {}): string {
  const folder = scratch();
  cpSync(fixtures, folder, { recursive: true });
  writeFileSync(join(folder, 'images.json'), JSON.stringify(oracle.files));
  writeFileSync(join(folder, 'texts.json'), JSON.stringify(oracle.captions));
  for (const [name, content] of Object.entries(more)) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  const path = join(folder, 'mine.evaluator.json');
  writeFileSync(path, JSON.stringify({ kind: 'embeddings', ...said }));
  return path;
}

const plain = {
  images: './images.float32.npy',
  imageIds: './images.json',
  texts: './texts.float32.npy',
  textIds: './texts.json',
};

async function scoresOf(
  path: string,
  files: readonly string[] = oracle.files,
  captions: readonly string[] = oracle.captions,
): Promise<Outcome<number>[]> {
  const evaluator = await openPath(path);
  const bench = createBench();
  const wants = files.flatMap((file) =>
    captions.map((text) => ({ left: named(file), right: { kind: 'text' as const, text } })),
  );
  const scores = await bench.scores(evaluator, wants);
  await bench.close();
  return scores;
}

async function assertScores(
  path: string,
  files?: readonly string[],
  expected = oracle.cosines.float32,
): Promise<void> {
  const scores = (await scoresOf(path, files)).map(valueOf);
  const flat = expected.flat();
  assert.equal(scores.length, flat.length);
  scores.forEach((score, i) => assert.ok(Math.abs(score - flat[i]) < 1e-6, `${score} is not ${flat[i]}`));
}

function parquetOf(columns: Record<string, unknown[]>): Buffer {
  const columnData = Object.entries(columns).map(([name, data]) => ({ name, data }));
  return Buffer.from(parquetWriteBuffer({ columnData }));
}

function rowsOf(file: string): number[][] {
  const bytes = readFileSync(join(fixtures, file));
  const from = 10 + bytes.readUInt16LE(8);
  const values = Array.from({ length: (bytes.length - from) / 4 }, (_, i) => bytes.readFloatLE(from + i * 4));
  return Array.from({ length: values.length / 16 }, (_, i) => values.slice(i * 16, (i + 1) * 16));
}

describe('precomputed embeddings', () => {
  afterEach(cleanUp);

  for (const [type, cosines] of Object.entries(oracle.cosines)) {
    it(`score as in NumPy: ${type}`, async () => {
      const said = { ...plain, images: `./images.${type}.npy`, texts: `./texts.${type}.npy` };
      await assertScores(fileOf(said), undefined, cosines);
    });
  }

  for (const name of ['several.npz', 'packed.npz']) {
    it(`are found with their ids among the arrays of ${name}`, async () => {
      await assertScores(fileOf({ images: `./${name}`, texts: `./${name}#text_embeds` }));
      const wrong = openPath(fileOf({ texts: `./${name}#texts` }));
      const arrays = 'image_embeds, text_embeds, logit_scale, image_ids, captions';
      const reason = say('embeddings.arrayNotFound', 'texts', arrays);
      await assert.rejects(wrong, { what: say('embeddings.vectorsUnreadable', name, reason) });
    });
  }

  it('may be Parquet columns, with an id column', async () => {
    const images = parquetOf({
      image_path: oracle.files.map((f) => `/data/${f}`),
      emb: rowsOf('images.float32.npy'),
    });
    const texts = parquetOf({
      id: [1, 2, 3, 4, 5],
      caption: oracle.captions,
      embedding: rowsOf('texts.float32.npy'),
    });
    const files = { 'i.parquet': images, 't.parquet': texts };
    await assertScores(fileOf({ images: './i.parquet#emb', texts: './t.parquet' }, files));
  });

  it("may have clip-retrieval's layout of numbered parts", async () => {
    const more: Record<string, Buffer> = {};
    // Part ten follows part two, although "10" precedes "2" as text.
    for (const [part, [from, to]] of Object.entries({ 2: [0, 2], 10: [2, 3] })) {
      const metadata = { image_path: oracle.files.slice(from, to), caption: oracle.captions.slice(from, to) };
      more[`img_emb/img_emb_${part}.npy`] = npyOf(rowsOf('images.float32.npy').slice(from, to));
      more[`text_emb/text_emb_${part}.npy`] = npyOf(rowsOf('texts.float32.npy').slice(from, to));
      more[`metadata/metadata_${part}.parquet`] = parquetOf(metadata);
    }
    const path = fileOf({ images: './img_emb', texts: './text_emb' }, more);
    const scores = (await scoresOf(path, oracle.files, oracle.captions.slice(0, 3))).map(valueOf);
    const expected = oracle.cosines.float32.flatMap((row) => row.slice(0, 3));
    scores.forEach((score, i) => assert.ok(Math.abs(score - expected[i]) < 1e-6));
  });

  const coco = ['000000000139.jpg', 'COCO_val2014_000000000285.jpg', 'val2017/000000000632.jpg'];
  const idFiles: [what: string, ids: string, content: string | Buffer, files: readonly string[]][] = [
    ['numbers of COCO in .npy', './ids.numbers.npy', '', coco],
    ['bytes in .npy', './ids.bytes.npy', '', oracle.files],
    ['numbers in JSON', './ids.json', '[139, 285, 632]', coco],
    [
      'records in JSON',
      './ids.json',
      JSON.stringify(oracle.files.map((f, i) => ({ id: i, file_name: f }))),
      oracle.files,
    ],
    ['rows by id in JSON', './ids.json', '{"tall.png": 1, "small.png": 0, "wide.png": 2}', oracle.files],
    ['columns in JSON', './ids.json', JSON.stringify({ n: [1, 2, 3], image: oracle.files }), oracle.files],
    [
      'columns of pandas in JSON',
      './ids.json',
      JSON.stringify({ filename: { ...oracle.files } }),
      oracle.files,
    ],
    [
      'JSON Lines',
      './ids.jsonl',
      oracle.files.map((image) => JSON.stringify({ image })).join('\n'),
      oracle.files,
    ],
    [
      'CSV',
      './ids.csv',
      `n,filename\n${oracle.files.map((f, i) => `${i},"a/b/${f}"\n`).join('')}`,
      oracle.files,
    ],
    ['Parquet', './ids.parquet', parquetOf({ image_id: [139, 285, 632] }), coco],
    ['lines of text', './ids.txt', `${oracle.files.join('\r\n')}\r\n`, oracle.files],
    ['stems', './ids.txt', 'small\ntall\nwide', oracle.files],
  ];
  for (const [what, imageIds, content, files] of idFiles) {
    it(`accept ids of images as ${what}`, async () => {
      const more = content === '' ? {} : { [imageIds]: content };
      await assertScores(fileOf({ ...plain, imageIds }, more), files);
    });
  }

  it('accept captions with commas, quotes and line ends from CSV', async () => {
    const captions = ['a, "b"\nc', ...oracle.captions.slice(1)];
    const csv = captions.map((text) => `"${text.replaceAll('"', '""')}",x\n`).join('');
    const path = fileOf({ ...plain, textIds: './t.csv' }, { 't.csv': `caption,n\n${csv}` });
    assert.ok((await scoresOf(path, undefined, captions)).every(({ ok }) => ok));
  });

  it('are those of no image in another folder, and those by less than a whole path are counted', async () => {
    const embeddingsOf = async (ids: readonly string[], names: readonly string[], known = true) => {
      const imageIds = './ids.json';
      const path = fileOf({ ...plain, imageIds }, { [imageIds]: JSON.stringify(ids) });
      const folders = new NameFolders();
      for (const name of names) folders.add(name);
      const evaluator = await openPath(path, known ? { imageFolders: () => Promise.resolve(folders) } : {});
      const metric = asMetric(evaluator, metricNamed('cosine'), { id: 'm', name: 'm' });
      const found = await evaluator.embedImages!(
        names.map((name) => named(name)),
        new AbortController().signal,
      );
      const isFound = found.map(({ ok }) => ok);
      assert.deepEqual(
        names.map((name) => evaluator.knowsImage!(name)),
        isFound,
      );
      assert.equal(metric.partlyKnown!.count, evaluator.partlyKnown!.count);
      return [...isFound, evaluator.partlyKnown!.count];
    };
    const ids = ['dogs/1.png', 'cats/2.png', 'cats/3.png'];
    assert.deepEqual(await embeddingsOf(ids, ['cats/1.png', 'dogs/1.png', 'cats/2']), [false, true, true, 1]);
    assert.deepEqual(await embeddingsOf(ids, ['1.png', 'http://h/cats/1.png', '/x/dogs/2.png']), [
      false,
      false,
      false,
      0,
    ]);
    assert.deepEqual(await embeddingsOf(ids, ['/x/cats/2.png', '/x/dogs/1.png']), [true, true, 2]);
    const flat = ['1.png', '2.png', '3.png'];
    assert.deepEqual(await embeddingsOf(flat, ['dogs/1.png', 'cats/1.png']), [false, false, 0]);
    assert.deepEqual(await embeddingsOf(flat, ['http://h/v/1.png', 'http://h/v/2.png']), [true, true, 2]);
    assert.deepEqual(await embeddingsOf(flat, ['v/1.png', '2.png'], false), [false, true, 0]);
    assert.deepEqual(await embeddingsOf(['a/1.png', '2.png', '3.png'], ['1.png', 'b/1.png']), [
      false,
      false,
      0,
    ]);
    const coco = ['COCO_val2014_000000000001.jpg', 'val2017/000000000002.jpg', '3'];
    assert.deepEqual(
      await embeddingsOf(coco, [
        '000000000001.jpg',
        'val2014/COCO_val2014_000000000002.jpg',
        'train2017/000000000002.jpg',
        'x/3.jpg',
      ]),
      [true, true, false, false, 2],
    );
  });

  it('are not shared by images whose names differ only in their endings', async () => {
    const path = fileOf({ ...plain, imageIds: './i.json' }, { './i.json': '["a.png", "b", "c"]' });
    const folders = new NameFolders();
    const names = ['a.png', 'a.jpg', 'b.png', 'b.jpg', 'c.jpg', 'c.jpg'];
    for (const name of names) folders.add(name);
    const evaluator = await openPath(path, { imageFolders: () => Promise.resolve(folders) });
    const found = await evaluator.embedImages!(names.map((name) => named(name)));
    assert.deepEqual(
      found.map(({ ok }) => ok),
      [true, false, false, false, true, true],
    );
  });

  it('leave out items without a row, and say so', async () => {
    const path = fileOf({ ...plain, imageIds: './i.json' }, { 'i.json': '["a/x.png", "b/x.png", "c.png"]' });
    const problems = async (file: string, text: string) => {
      const [score] = await scoresOf(path, [file], [text]);
      return score.ok ? '' : score.problem;
    };
    assert.equal(await problems('c.png', 'a black cat'), '');
    assert.deepEqual(await problems('d.png', 'a black cat'), say('embeddings.noneForImage'));
    assert.deepEqual(await problems('x.png', 'a black cat'), say('embeddings.severalOfImage'));
    assert.deepEqual(await problems('c.png', 'a red cat'), say('embeddings.noneForText'));
  });

  it('find an altered image by its key only', async () => {
    const flipped = named('tall.png', [{ op: 'hflip' }]);
    const other = { path: '/a/b.png', sha256: 'ab' };
    const mixed = (path: string) =>
      named('small.png', [{ op: 'mix', other: { ...other, path }, side: 9, lambda: 0.5 }]);
    assert.equal(imageItemKey(mixed('/a')), imageItemKey(mixed('/elsewhere')));
    const lines = [
      { key: imageItemKey(named('tall.png')), image: 'tall.png', transforms: [] },
      { key: imageItemKey(flipped), image: 'tall.png', transforms: [{ op: 'hflip' }] },
      { key: imageItemKey(mixed('/a')), image: 'small.png', transforms: [{ op: 'mix' }] },
    ];
    const ids = lines.map((line) => JSON.stringify(line)).join('\n');
    const evaluator = await openPath(fileOf({ ...plain, imageIds: './i.jsonl' }, { 'i.jsonl': ids }));
    const rows = await evaluator.embedImages!([named('tall.png'), flipped, mixed('/b'), named('small.png')]);
    const expected = rowsOf('images.float32.npy');
    for (const i of [0, 1, 2]) assert.deepEqual([...valueOf(rows[i])], expected[i]);
    assert.deepEqual(rows[3], { ok: false, problem: say('embeddings.noneForImage') });
  });

  it('also find texts by their keys', async () => {
    const ids = JSON.stringify(oracle.captions.map((text) => ({ key: textItemKey(text) })));
    await assertScores(fileOf({ ...plain, textIds: './t.json' }, { 't.json': ids }));
  });

  it('use the first row of a repeated id, and say so', async () => {
    const ids = JSON.stringify(['a', 'b', 'a', 'c', 'd']);
    const { info } = await openPath(fileOf({ ...plain, textIds: './t.json' }, { 't.json': ids }));
    assert.deepEqual(info.notes, [
      say('embeddings.externalUnchanged', 5, 'text', 16, 'float32'),
      say('embeddings.repeatedIdSingle', 'text'),
      say('embeddings.externalUnchanged', 3, 'image', 16, 'float32'),
    ]);
  });

  it('change the key with a file, and form a text encoder without images', async () => {
    const [a, b] = ['one', 'two'].map((first) =>
      fileOf({ texts: plain.texts, textIds: './t.txt' }, { 't.txt': `${first}\nb\nc\nd\ne` }),
    );
    const infos = [(await openPath(a)).info, (await openPath(b)).info];
    assert.notEqual(infos[0].sha256, infos[1].sha256);
    assert.deepEqual([infos[0].kind, infos[0].scores], ['text-encoder', ['text-text']]);
    const preview = await previewEvaluator(fileOf(plain), { home: scratch() });
    assert.deepEqual([preview.kind, preview.sharedSpace, preview.remote], ['embeddings', true, false]);
  });

  it('work inside a metric', async () => {
    const path = fileOf(plain, {
      'clip.evaluator.json': '{"kind": "clipscore", "encoder": "./mine.evaluator.json", "prefix": ""}',
    });
    const scores = (await scoresOf(join(path, '..', 'clip.evaluator.json'))).map(valueOf);
    const expected = oracle.cosines.float32.flat().map((cosine) => 2.5 * Math.max(cosine, 0));
    scores.forEach((score, i) => assert.ok(Math.abs(score - expected[i]) < 1e-6));
  });

  const wrong: [
    what: string,
    said: object,
    more: Record<string, string | Buffer>,
    problem: Said,
    remedy?: Code,
  ][] = [
    [
      'ids that are missing',
      { texts: plain.texts },
      {},
      say('evaluator.keyProblem', 'textIds', say('embeddings.idsFieldMissing', 'text')),
      'embeddings.setIdsFile',
    ],
    [
      'too few ids',
      { ...plain, textIds: './t.json' },
      { 't.json': '["a"]' },
      say('embeddings.idCountDiffers', 1, 5),
    ],
    ['a file that is not there', { ...plain, images: './none.npy' }, {}, say('embeddings.pathUnreadable')],
    [
      'a file of another kind',
      { ...plain, texts: './texts.json' },
      {},
      say('embeddings.vectorsUnreadable', 'texts.json', say('embeddings.vectorFormatUnknown')),
    ],
    [
      'ids that are Python objects',
      { ...plain, imageIds: './ids.objects.npy' },
      {},
      say('embeddings.idsUnreadable', 'ids.objects.npy', say('embeddings.pythonObjects')),
      'embeddings.useReadableIds',
    ],
    [
      'an array cut short',
      { ...plain, texts: './t.npy' },
      { 't.npy': readFileSync(join(fixtures, 'texts.float32.npy')).subarray(0, 300) },
      say('embeddings.vectorsUnreadable', 't.npy', say('dataset.fileTruncated')),
    ],
    [
      'an archive cut short',
      { ...plain, texts: './t.npz' },
      { 't.npz': readFileSync(join(fixtures, 'several.npz')).subarray(0, 900) },
      say('embeddings.vectorsUnreadable', 't.npz', say('embeddings.npzInvalid')),
    ],
    [
      'towers of two models',
      { ...plain, texts: './t.npy' },
      { 't.npy': npyOf(rowsOf('texts.float32.npy').map((row) => row.slice(1))) },
      say('evaluator.keyProblem', 'images', say('embeddings.sidesDifferInLength', 16, 'texts', 15)),
    ],
    [
      'several columns',
      { ...plain, texts: './t.parquet' },
      { 't.parquet': parquetOf({ a: [[1]], b: [[2]] }) },
      say('embeddings.vectorsUnreadable', 't.parquet', say('embeddings.severalListColumns', 'a, b')),
    ],
    [
      'a column of texts',
      { ...plain, texts: './t.parquet#a' },
      { 't.parquet': parquetOf({ a: ['x'], b: [[2]] }) },
      say('embeddings.vectorsUnreadable', 't.parquet', say('embeddings.columnWithoutLists', 'a', 'b')),
    ],
    [
      'a column that is not there',
      { ...plain, texts: './t.parquet#c' },
      { 't.parquet': parquetOf({ a: ['x'], b: [[2]] }) },
      say('embeddings.vectorsUnreadable', 't.parquet', say('embeddings.columnNotFound', 'c', 'b')),
    ],
    [
      'columns without lists',
      { ...plain, texts: './t.parquet' },
      { 't.parquet': parquetOf({ a: ['x'], b: ['y'] }) },
      say('embeddings.vectorsUnreadable', 't.parquet', say('embeddings.noListColumn', 'a, b')),
    ],
    [
      'a row without a list',
      { ...plain, texts: './t.parquet' },
      { 't.parquet': parquetOf({ a: ['x', 'y'], emb: [[2], null] }) },
      say('embeddings.vectorsUnreadable', 't.parquet', say('embeddings.rowWithoutList', 2, 'emb')),
    ],
    [
      'a folder without embeddings',
      { ...plain, texts: './folder' },
      { 'folder/texts.txt': 'a' },
      say('embeddings.folderWithoutVectors'),
    ],
    [
      'a folder without ids',
      { ...plain, textIds: './folder' },
      { 'folder/texts.doc': 'a' },
      say('embeddings.folderWithoutIds'),
    ],
    [
      'an id that is a list',
      { ...plain, textIds: './t.json' },
      { 't.json': '["a", []]' },
      say('embeddings.idsUnreadable', 't.json', say('embeddings.idInvalid', 2, '[]')),
    ],
    [
      'a fallback of another model',
      { ...plain, fallback: './other.evaluator.json' },
      {
        'other.evaluator.json': '{"kind": "embeddings", "texts": "./o.npy", "textIds": "./texts.json"}',
        'o.npy': npyOf(rowsOf('texts.float32.npy').map((row) => row.slice(1))),
      },
      say('evaluator.keyProblem', 'fallback', say('embeddings.sidesDifferInLength', 15, 'texts', 16)),
    ],
  ];
  for (const [what, said, more, problem, remedy] of wrong) {
    it(`name what is wrong with ${what}`, async () => {
      const expected = { what: problem, ...(remedy !== undefined && { remedy: sentence(remedy) }) };
      await assert.rejects(openPath(fileOf(said, more)), expected);
    });
  }

  it('report a row of NaN or zeros as a problem of the pairs that use it', async () => {
    const rows = rowsOf('texts.float32.npy');
    rows[1] = rows[1].map(() => 0);
    rows[2] = rows[2].map(() => NaN);
    const path = fileOf({ ...plain, texts: './t.npy' }, { 't.npy': npyOf(rows) });
    const scores = await scoresOf(path, ['small.png']);
    assert.deepEqual(
      scores.map(({ ok }) => ok),
      [true, false, false, true, true],
    );
  });
});

function npyOf(rows: number[][]): Buffer {
  const header = `{'descr': '<f4', 'fortran_order': False, 'shape': (${rows.length}, ${rows[0].length}), }`;
  const padded = `${header.padEnd(117)}\n`;
  const length = Buffer.alloc(2);
  length.writeUInt16LE(padded.length);
  const values = Buffer.from(Float32Array.from(rows.flat()).buffer);
  return Buffer.concat([Buffer.from('\x93NUMPY\x01\x00', 'latin1'), length, Buffer.from(padded), values]);
}
