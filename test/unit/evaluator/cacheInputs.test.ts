import assert from 'node:assert/strict';
import { cpSync, mkdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Fingerprints } from '../../../src/base/files/fingerprints';
import { Identities } from '../../../src/bench/identities';
import { givenKey, imageKey, pairKey, textKey } from '../../../src/bench/keys';
import type { Evaluator, EvaluatorInfo } from '../../../src/evaluator/evaluator';
import { openEvaluator } from '../../../src/evaluator/open';
import { hashWith, ownReferences, readReferences } from '../../../src/evaluator/overlap/references';
import { identityOf } from '../../../src/evaluator/python/identity';
import { readScores } from '../../../src/evaluator/scoresTable';
import type { ImageItem } from '../../../src/protocol/item';
import type { Described } from '../../../src/protocol/python';
import { npyOf } from '../../../src/repair/npy';
import { cleanUp, modelsPath, imagesPath, scratch } from './fixtures';

/* The inputs of docs/cache-keys.md that are no settings of a model or a judge: each must change a key. */

const hex = (key: Buffer): string => key.toString('hex');
/** Asserts that all values differ. */
function differ(values: Record<string, string>): void {
  const seen = new Map<string, string>();
  for (const [what, value] of Object.entries(values)) {
    assert.equal(seen.get(value), undefined, `${what} has the key of ${seen.get(value)}`);
    seen.set(value, what);
  }
}

describe('a cache key', () => {
  afterEach(cleanUp);

  const info: EvaluatorInfo = {
    ...{ id: 'a', name: 'a', kind: 'pair-scorer', sha256: 'a', scores: ['image-text'], notes: [] },
    ...{ precision: 'float32', provider: 'cpu', scale: { name: 'cosine' }, prefix: '' },
    ...{ textKey: 'text', imageKey: 'image' },
  };

  it('depends on the text, the transforms, and everything that names the evaluator', () => {
    const blur = [{ op: 'blur', sigma: 1 }] as ImageItem['transforms'];
    const more = [{ op: 'blur', sigma: 2 }] as ImageItem['transforms'];
    const pair = (own: Partial<EvaluatorInfo>): string => hex(pairKey({ ...info, ...own }, 'sha', [], 'dog'));
    differ({
      text: hex(textKey(info, 'dog')),
      'another text': hex(textKey(info, 'dog ')),
      'a lone surrogate': hex(textKey(info, 'dog\ud800')),
      'another lone surrogate': hex(textKey(info, 'dog\ud801')),
      'another tower': hex(textKey({ ...info, textKey: 'other' }, 'dog')),
      image: hex(imageKey(info, 'sha', [])),
      'other bytes': hex(imageKey(info, 'other', [])),
      'another image tower': hex(imageKey({ ...info, imageKey: 'other' }, 'sha', [])),
      transforms: hex(imageKey(info, 'sha', blur)),
      'other transforms': hex(imageKey(info, 'sha', more)),
      pair: pair({}),
      sha256: pair({ sha256: 'b' }),
      precision: pair({ precision: 'float16' }),
      provider: pair({ provider: 'cuda' }),
      pairKey: pair({ pairKey: 'own' }),
      'transforms of a pair': hex(pairKey(info, 'sha', blur, 'dog')),
      'text of a pair': hex(pairKey(info, 'sha', [], 'cat')),
      given: hex(givenKey(info, 'a.jpg', [], 'dog')),
      'another name': hex(givenKey(info, 'b.jpg', [], 'dog')),
      'another table': hex(givenKey({ ...info, sha256: 'b' }, 'a.jpg', [], 'dog')),
      'region features': hex(givenKey({ ...info, pairKey: 'own' }, 'a.jpg', [], 'dog')),
      'other region features': hex(givenKey({ ...info, pairKey: 'other' }, 'a.jpg', [], 'dog')),
      'features of another image': hex(givenKey({ ...info, pairKey: 'own' }, 'b.jpg', [], 'dog')),
      'a given embedding': hex(givenKey(info, 'a.jpg', [], undefined)),
      'an empty text': hex(givenKey(info, 'a.jpg', [], '')),
      'another given image tower': hex(givenKey({ ...info, imageKey: 'other' }, 'a.jpg', [], undefined)),
    });
  });

  it("depends on an image's bytes, also with the same size and time", async () => {
    const { now } = Date;
    const home = scratch();
    const path = join(scratch(), 'dog.png');
    cpSync(join(imagesPath, 'wide.png'), path);
    const image: ImageItem = { kind: 'image', source: { name: 'dog.png', path }, transforms: [] };
    const evaluator = { info } as Evaluator;
    const keyNow = async (): Promise<string> => {
      const identities = new Identities(home, assert.fail);
      const [found] = await identities.of(evaluator, [{ kind: 'image', image }]);
      await identities.flush();
      assert.ok('key' in found);
      return hex(found.key);
    };
    try {
      // Hashes of files that changed a moment ago are not cached.
      Date.now = () => now() + 3_600_000;
      const before = await keyNow();
      assert.equal(await keyNow(), before);
      const { size, atime, mtime } = statSync(path);
      writeFileSync(path, Buffer.alloc(size, 1));
      utimesSync(path, atime, mtime);
      assert.notEqual(await keyNow(), before);
    } finally {
      Date.now = now;
    }
  });

  it('of a re-ranking has for each part what enters its result: a name, or the bytes', async () => {
    const path = (name: string, bytes: string): string => {
      const at = join(scratch(), name);
      writeFileSync(at, bytes);
      return at;
    };
    const keys = async (byName: Evaluator['byName'], name: string, bytes: string): Promise<string[]> => {
      const evaluator = { info: { ...info, pairKey: 'own' }, byName } as Evaluator;
      const image: ImageItem = {
        ...{ kind: 'image', source: { name, path: path(name, bytes) }, transforms: [] },
      };
      const identities = new Identities(scratch(), assert.fail);
      const found = await identities.of(evaluator, [
        { kind: 'image', image },
        { kind: 'pair', image, text: 'dog' },
      ]);
      await identities.flush();
      return found.map((one) => ('key' in one ? hex(one.key) : assert.fail()));
    };
    for (const byName of [
      { image: false, pair: true },
      { image: true, pair: false },
    ]) {
      const [image, pair] = await keys(byName, 'a.jpg', 'bytes');
      const [renamedImage, renamedPair] = await keys(byName, 'b.jpg', 'bytes');
      const [changedImage, changedPair] = await keys(byName, 'a.jpg', 'other');
      assert.deepEqual([renamedImage !== image, renamedPair !== pair], [byName.image, byName.pair]);
      assert.deepEqual([changedImage === image, changedPair === pair], [byName.image, byName.pair]);
    }
  });

  it('depends on the references, however a dataset is mapped', async () => {
    const path = join(scratch(), 'data.json');
    const row = { image: 'a.jpg', caption: 'a dog', long: 'a brown dog', references: undefined };
    const hashes = async (said: object[], map?: Record<string, string>): Promise<string> => {
      writeFileSync(path, JSON.stringify(said));
      return hashWith(await ownReferences(path, map), 'cider');
    };
    const file = join(scratch(), 'references.json');
    const read = async (table: object): Promise<string> => {
      writeFileSync(file, JSON.stringify(table));
      return hashWith(await readReferences(file), 'cider');
    };
    differ({
      captions: await hashes([row], { image: 'image', caption: 'caption' }),
      'another mapping': await hashes([row], { image: 'image', caption: 'long' }),
      'another caption': await hashes([{ ...row, caption: 'a cat' }], { image: 'image', caption: 'caption' }),
      file: await read({ 'a.jpg': ['a dog', 'a hound'] }),
      'another reference': await read({ 'a.jpg': ['a dog', 'a cat'] }),
      'another image': await read({ 'b.jpg': ['a dog', 'a hound'] }),
    });
  });

  it('depends on files of scores, embeddings and maps', async () => {
    const folder = scratch();
    const open = async (said: object): Promise<string> => {
      const path = join(folder, 'mine.evaluator.json');
      writeFileSync(path, JSON.stringify(said));
      const evaluator = await openEvaluator(path, { home: scratch() });
      await evaluator.close();
      const { sha256, textKey = '', imageKey = '' } = evaluator.info;
      return `${sha256} ${textKey} ${imageKey}`;
    };
    const scores = join(folder, 'scores.jsonl');
    writeFileSync(scores, '{"key": "a", "score": 0.25}\n');
    const { sha256 } = await readScores(scores);
    writeFileSync(scores, '{"key": "a", "score": 0.26}\n');
    assert.notEqual((await readScores(scores)).sha256, sha256);

    const square = (value: number, dimension = 2): Buffer =>
      npyOf({ dimension, values: Float32Array.from({ length: dimension ** 2 }, (_, i) => value + i) });
    const write = (name: string, content: Buffer | object): void =>
      writeFileSync(join(folder, name), Buffer.isBuffer(content) ? content : JSON.stringify(content));
    const said = { kind: 'embeddings', texts: './t.npy', textIds: './t.json' };
    write('t.npy', square(1));
    write('t.json', ['a', 'b']);
    const embeddings = await open(said);
    write('t.npy', square(2));
    const others = await open(said);
    write('t.json', ['b', 'a']);
    differ({ embeddings, others, ids: await open(said) });

    const encoder = join(modelsPath, 'clip-two-graphs');
    const inner = await openEvaluator(encoder, { home: scratch() });
    await inner.close();
    const { dimension = 0, sha256: encoderSha256 } = inner.info;
    const maps = { kind: 'repaired', encoder, encoderSha256, text: './text.npy', image: './image.npy' };
    write('text.npy', square(1, dimension));
    write('image.npy', square(1, dimension));
    const repaired = await open(maps);
    write('text.npy', square(2, dimension));
    const text = await open(maps);
    write('image.npy', square(2, dimension));
    const image = await open(maps);
    differ({ repaired, text, image });
    for (const at of [0, 1]) assert.notEqual(repaired.split(' ')[at], text.split(' ')[at]);
    for (const at of [0, 2]) assert.notEqual(text.split(' ')[at], image.split(' ')[at]);
  });

  it('of an evaluator in Python depends on its code, weights, versions, device and environment', async () => {
    const folder = scratch();
    const weights = join(folder, 'weights');
    mkdirSync(weights);
    writeFileSync(join(weights, 'w.bin'), 'one');
    const native = join(folder, 'fast.so');
    writeFileSync(native, 'one');
    const described: Described = {
      can: { embed_images: true, embed_texts: true, score: false, truncated: false },
      ...{ references: false, images: 'path', info: {}, device: 'cpu', notes: [], python: '3.12.1' },
      versions: { numpy: '2.4.6', torch: '2.13.0' },
      sources: { [join(folder, 'mine.py')]: 'one' },
      native: [native],
    };
    const identity = (
      own: Partial<Described> = {},
      args: object = {},
      env = {},
      object = 'A',
      file?: string,
    ) =>
      identityOf(
        { object, args, inputs: file === undefined ? [] : [['/table', [['', file]]]] },
        { ...described, ...own },
        folder,
        ['weights'],
        new Fingerprints(undefined),
        env,
      );
    const found: Record<string, string> = {
      plain: await identity(),
      arguments: await identity({}, { layer: '3' }),
      object: await identity({}, {}, {}, 'B'),
      'argument file': await identity({}, {}, {}, 'A', 'one'),
      'changed argument file': await identity({}, {}, {}, 'A', 'two'),
      code: await identity({ sources: { [join(folder, 'mine.py')]: 'two' } }),
      'more code': await identity({ sources: { ...described.sources, [join(folder, 'b.py')]: 'one' } }),
      package: await identity({ versions: { numpy: '2.4.6', torch: '2.13.1' } }),
      python: await identity({ python: '3.12.2' }),
      device: await identity({ device: 'cuda' }),
      gpu: await identity({ gpu: 'H100' }),
      dtype: await identity({ dtype: 'float16' }),
      images: await identity({ images: 'pixels' }),
      fingerprint: await identity({ info: { fingerprint: 'two' } }),
      prefix: await identity({ info: { prefix: 'A photo of ' } }),
      scale: await identity({ info: { scale: 'clipped' } }),
      TF32: await identity({}, {}, { NVIDIA_TF32_OVERRIDE: '0' }),
      'TF32 on': await identity({}, {}, { NVIDIA_TF32_OVERRIDE: '1' }),
    };
    const arithmetic =
      'ATEN_CPU_CAPABILITY CUBLAS_WORKSPACE_CONFIG DNNL_MAX_CPU_ISA ONEDNN_MAX_CPU_ISA JAX_ENABLE_X64 MKL_CBWR MKL_ENABLE_INSTRUCTIONS OPENBLAS_CORETYPE PYTORCH_NO_CUDA_MEMORY_CACHING TF_ENABLE_ONEDNN_OPTS TORCH_ALLOW_TF32_CUBLAS_OVERRIDE XLA_FLAGS PYTHONHASHSEED';
    for (const name of arithmetic.split(' ')) {
      found[name] = await identity({}, {}, { [name]: '1' });
      found[`${name} of another value`] = await identity({}, {}, { [name]: '2' });
    }
    assert.equal(await identity({}, {}, { HOME: '/elsewhere', OMP_NUM_THREADS: '3' }), found.plain);
    writeFileSync(native, 'two');
    found.native = await identity();
    writeFileSync(join(weights, 'w.bin'), 'two');
    found.weights = await identity();
    writeFileSync(join(weights, 'more.bin'), 'one');
    found['more weights'] = await identity();
    differ(found);
  });
});
