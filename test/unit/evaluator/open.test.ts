import assert from 'node:assert/strict';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import fs from 'node:fs';
import { join } from 'node:path';
import { CaptiousError } from '../../../src/base/errors';
import { english } from '../../../src/base/english';
import { listEvaluators } from '../../../src/evaluator/installed';
import { openEvaluator, previewEvaluator } from '../../../src/evaluator/open';
import { installedFiles } from '../../../src/evaluator/reference';
import {
  cleanUp,
  copyOf,
  editJson,
  modelsPath,
  openPath,
  imageItem,
  imagesPath,
  scratch,
  valueOf,
} from './fixtures';

function homeWith(...names: string[]): string {
  const home = scratch();
  for (const name of names) cpSync(join(modelsPath, name), join(home, 'models', name), { recursive: true });
  return home;
}

async function problemOf(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof CaptiousError, String(error));
  return error.describe();
}

describe('openEvaluator', () => {
  afterEach(cleanUp);

  it('finds an installed model by id, and any folder by path', async () => {
    const home = homeWith('bert-cls');
    const installed = await openEvaluator('bert-cls', { home });
    const byPath = await openEvaluator(join(modelsPath, 'bert-cls'), { home });
    assert.equal(installed.info.id, 'bert-cls');
    assert.equal(byPath.info.id, 'bert-cls');
    // A model is identified by its files, not by its folder.
    assert.equal(installed.info.sha256, byPath.info.sha256);
    assert.equal(installed.info.textKey, byPath.info.textKey);
    assert.notEqual(installed.info.path, byPath.info.path);
  });

  it("finds a model below its owner's folder", async () => {
    const home = scratch();
    cpSync(join(modelsPath, 'bert-cls'), join(home, 'models', 'owner', 'name'), { recursive: true });
    assert.equal((await openEvaluator('owner/name', { home })).info.id, 'owner/name');
  });

  it('caches the hashes of its files as an audit does for datasets', async () => {
    const home = scratch();
    await openPath(join(modelsPath, 'bert-cls'), { home });
    assert.ok(existsSync(join(home, 'store', 'fingerprints-1.txt')));
    assert.ok(!existsSync(join(home, 'fingerprints-1.txt')));
  });

  it('lists installed evaluators if there is no such one', async () => {
    const problem = await problemOf(openEvaluator('missing', { home: homeWith('bert-cls', 'clip') }));
    assert.match(problem, /no evaluator "missing".*Choose from: starter, bert-cls, clip\./);
    assert.match(await problemOf(openEvaluator('', { home: homeWith('clip') })), /no evaluator ""/);
  });

  it('rejects a file in place of a model folder', async () => {
    const graph = join(modelsPath, 'clip', 'onnx', 'model.onnx');
    assert.match(await problemOf(openEvaluator(graph, { home: scratch() })), /This is a file/);
    const file = join(modelsPath, 'clip', 'config.json');
    assert.match(
      await problemOf(openEvaluator(file, { home: scratch() })),
      /config\.json: "kind": this field is missing.*clipscore/,
    );
  });

  it('rejects unknown options', async () => {
    const path = join(modelsPath, 'clip');
    assert.match(
      await problemOf(openPath(path, { provider: 'abacus' })),
      /"abacus" is not a known provider.*auto, cpu/,
    );
    assert.match(
      await problemOf(openPath(path, { precision: 'float12' })),
      /"float12" is not a known precision.*float32/,
    );
    assert.match(await problemOf(openPath(path, { threads: 0 })), /threads must be an integer/);
  });

  it('asks instead of guessing', async () => {
    const dual = copyOf('clip-two-graphs');
    // The folder has no graph of this precision.
    assert.match(
      await problemOf(openPath(dual, { precision: 'q4' })),
      /no complete model with the precision q4\. Its ONNX files are .*text_model/,
    );
    // The encoders have no projections.
    const bare = copyOf('siglip');
    editJson(join(bare, 'config.json'), (json) => (json.model_type = 'clip'));
    assert.match(
      await problemOf(openPath(bare)),
      /found no output for the embedding of the text.*pooler_output/,
    );
    // The two encoders come from different models.
    const mixed = copyOf('siglip');
    cpSync(
      join(modelsPath, 'clip-two-graphs', 'onnx', 'vision_model.onnx'),
      join(mixed, 'onnx', 'vision_model.onnx'),
    );
    assert.match(
      await problemOf(openPath(mixed)),
      /Text embeddings have 24 numbers and image embeddings have 16/,
    );
    // There is only an image encoder.
    const blind = copyOf('clip-two-graphs');
    renameSync(join(blind, 'onnx', 'vision_model.onnx'), join(blind, 'onnx', 'model.onnx'));
    rmSync(join(blind, 'onnx', 'text_model.onnx'));
    assert.match(await problemOf(openPath(blind)), /This model does not read text/);
    // The configuration names neither a processor nor a filter.
    editJson(join(dual, 'preprocessor_config.json'), (json) => {
      delete json.resample;
      delete json.image_processor_type;
    });
    assert.match(await problemOf(openPath(dual)), /The filter for resizing images is missing/);
    editJson(join(dual, 'preprocessor_config.json'), (json) => (json.resample = 9));
    assert.match(await problemOf(openPath(dual)), /9 is not a filter for resizing images/);
    // The folder states two pooling modes.
    const torn = copyOf('bert-cls');
    editJson(join(torn, '1_Pooling', 'config.json'), (json) => (json.pooling_mode_mean_tokens = true));
    assert.match(await problemOf(openPath(torn)), /must set exactly one pooling mode/);
    // The folder lists a module of an unknown type.
    writeFileSync(
      join(torn, 'modules.json'),
      JSON.stringify([{ type: 'sentence_transformers.models.LSTM', path: '2_LSTM' }]),
    );
    assert.match(await problemOf(openPath(torn)), /an unknown module: .*LSTM/);
  });

  it('checks the preprocessing against the graph', async () => {
    const fixed = copyOf('odd-dual');
    editJson(join(fixed, 'preprocessor_config.json'), (json) => (json.size = { height: 9, width: 9 }));
    assert.match(
      await problemOf(openPath(fixed)),
      /pixel_values is float32\[p, 3, 8, 8\]; expected an image of 9×9/,
    );
  });

  it('names an unreadable folder of graphs', async () => {
    const path = copyOf('bert-cls');
    rmSync(join(path, 'onnx'), { recursive: true });
    mkdirSync(join(path, 'onnx'));
    // The user who runs the tests may have access to every folder, so the error is simulated.
    const read = fs.readdirSync;
    const denied = Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' });
    fs.readdirSync = ((folder: string, ...more: []) => {
      if (folder === join(path, 'onnx')) throw denied;
      return read(folder, ...more);
    }) as typeof read;
    try {
      assert.match(await problemOf(openPath(path)), /onnx: The folder cannot be read \(EACCES.*permissions/);
    } finally {
      fs.readdirSync = read;
    }
  });

  it('names a file that is not JSON', async () => {
    const path = copyOf('clip');
    writeFileSync(join(path, 'config.json'), '{ "model_type": ');
    const problem = await problemOf(openPath(path));
    assert.ok(problem.startsWith(join(path, 'config.json')), problem);
  });

  it('recognises a pointer of Git LFS', async () => {
    const path = copyOf('bert-cls');
    writeFileSync(
      join(path, 'onnx', 'model.onnx'),
      'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n',
    );
    assert.match(await problemOf(openPath(path)), /not a complete ONNX file.*Git LFS/);
  });

  it("returns each image's own result", async () => {
    const evaluator = await openPath(copyOf('odd-dual'));
    const [fine, text, missing, carried] = await evaluator.embedImages!([
      imageItem('wide.png'),
      { kind: 'image', source: { name: 'row 7', bytes: Buffer.from('no picture') }, transforms: [] },
      { kind: 'image', source: { name: 'gone.jpg', path: join(imagesPath, 'gone.jpg') }, transforms: [] },
      {
        kind: 'image',
        source: { name: 'row 9', bytes: readFileSync(join(imagesPath, 'wide.png')) },
        transforms: [],
      },
    ]);
    assert.deepEqual(valueOf(carried), valueOf(fine));
    assert.ok(!text.ok && english(text.problem).startsWith('row 7: it is not a JPEG'));
    assert.ok(!missing.ok && english(missing.problem) === 'gone.jpg: there is no such file');
    assert.deepEqual(
      [text, missing].map((one) => one.ok || one.unreadable),
      [true, true],
    );
  });

  it('reports NaN for a faulty image, and unreadable images without a run', async () => {
    const evaluator = await openPath(copyOf('odd-dual'));
    const black = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGNgYGAAAAAEAAH2FzhVAAAAAElFTkSuQmCC',
      'base64',
    );
    const rows = await evaluator.embedImages!([
      { kind: 'image', source: { name: 'black', bytes: black }, transforms: [] },
      imageItem('wide.png'),
    ]);
    assert.ok(!rows[0].ok && /not finite/.test(english(rows[0].problem)) && rows[0].unreadable === undefined);
    assert.ok(rows[1].ok);
    const bad = { kind: 'image', source: { name: 'x', bytes: Buffer.alloc(0) }, transforms: [] } as const;
    assert.deepEqual(
      (await evaluator.embedImages!([bad, bad])).map((row) => row.ok),
      [false, false],
    );
  });

  it('describes itself with the prefix and the scale of captious.json', async () => {
    const path = copyOf('clip');
    const scale = { name: 'clipped', weight: 2.5 };
    writeFileSync(
      join(path, 'captious.json'),
      JSON.stringify({ name: 'CLIPScore', prefix: 'A photo depicts ', scale }),
    );
    const { info } = await openPath(path);
    assert.equal(info.name, 'CLIPScore');
    assert.equal(info.prefix, 'A photo depicts ');
    assert.deepEqual(info.scale, scale);
    writeFileSync(join(path, 'captious.json'), JSON.stringify({ scale: { name: 'logarithm' } }));
    assert.match(await problemOf(openPath(path)), /"scale" is unknown or incomplete/);
  });
});

describe('listEvaluators', () => {
  afterEach(cleanUp);

  it('lists kind, path, size and abilities', async () => {
    const home = homeWith('bert-cls', 'clip');
    mkdirSync(join(home, 'models', '.fetching-x'));
    symlinkSync(join(modelsPath, 'siglip'), join(home, 'models', 'linked'));
    const list = (await listEvaluators({ home })).filter(({ id }) => id !== 'starter');
    assert.deepEqual(
      list.map((entry) => ('problem' in entry ? entry : [entry.id, entry.kind, entry.scores])),
      [
        ['bert-cls', 'text-encoder', ['text-text']],
        ['clip', 'dual-encoder', ['text-text', 'image-text', 'image-image']],
        ['linked', 'dual-encoder', ['text-text', 'image-text', 'image-image']],
      ],
    );
    for (const entry of list) {
      assert.ok(
        !('problem' in entry) && /^[0-9a-f]{64}$/.test(entry.sha256 ?? '') && (entry.size ?? 0) > 100_000,
      );
    }
  });

  it('lists unusable evaluators with the reason', async () => {
    const home = homeWith('bert-cls');
    rmSync(join(home, 'models', 'bert-cls', 'tokenizer.json'));
    const [broken] = (await listEvaluators({ home })).filter(({ id }) => id === 'bert-cls');
    assert.ok('problem' in broken && /no tokenizer.json/.test(english(broken.problem)));
  });

  it('is empty without installed evaluators', async () => {
    assert.deepEqual(
      (await listEvaluators({ home: join(scratch(), 'nothing') })).filter(({ id }) => id !== 'starter'),
      [],
    );
  });
});

describe('a preview of an evaluator file', () => {
  afterEach(cleanUp);

  it('has its id if installed, with its kind and scores', async () => {
    const home = homeWith('bert-cls', 'clip');
    const models = join(home, 'models');
    const files: Record<string, object> = {
      'judged.evaluator.json': {
        kind: 'judge',
        endpoint: 'http://127.0.0.1:1/v1',
        model: 'm',
        keyFrom: 'NO_SUCH_KEY',
      },
      'words.evaluator.json': { kind: 'cosine', encoder: 'clip', name: 'By words' },
      'steady/evaluator.json': { kind: 'clipscore', encoder: '../clip' },
      'twice.evaluator.json': { kind: 'cosine', encoder: 'words' },
    };
    mkdirSync(join(models, 'steady'));
    for (const [name, said] of Object.entries(files)) writeFileSync(join(models, name), JSON.stringify(said));
    const previews = await Promise.all(
      installedFiles(home).map(async ({ id }) => ({ ...(await previewEvaluator(id, { home })), id })),
    );
    assert.deepEqual(
      previews.map(({ id, name, kind, scores }) => [id, name, kind, scores.includes('image-text')]),
      [
        ['judged', 'm at 127.0.0.1:1', 'judge', true],
        ['steady', 'steady (clipscore of clip)', 'clipscore', true],
        ['twice', 'twice (cosine of By words)', 'cosine', true],
        ['words', 'By words', 'cosine', true],
      ],
    );
    const opened = await openEvaluator('steady', { home });
    assert.ok(opened.info.scores.includes('image-text'));
    await opened.close();
  });

  it('does not take the id of an installed model or of the starter', async () => {
    const home = homeWith('bert-cls');
    const files = ['bert-cls', 'starter'].map((name) => join(home, 'models', `${name}.evaluator.json`));
    for (const path of files)
      writeFileSync(path, JSON.stringify({ kind: 'cosine', encoder: join(modelsPath, 'clip') }));
    assert.deepEqual(
      installedFiles(home),
      files.map((path) => ({ id: path, path })),
    );
    assert.equal((await previewEvaluator('bert-cls', { home })).kind, 'text-encoder');
    for (const path of files) assert.equal((await previewEvaluator(path, { home })).kind, 'cosine');
  });

  it('says what is wrong: a missing encoder, a cycle, a missing file', async () => {
    const home = homeWith('bert-cls');
    const write = (name: string, said: object): string => {
      const path = join(home, 'models', `${name}.evaluator.json`);
      writeFileSync(path, JSON.stringify(said));
      return path;
    };
    write('lost', { kind: 'cosine', encoder: 'missing' });
    write('loop', { kind: 'cosine', encoder: './loop.evaluator.json' });
    write('odd', { kind: 'cosine', encoder: 'bert-cls', speed: 3 });
    await assert.rejects(previewEvaluator('lost', { home }), ({ message, remedy }: CaptiousError) => {
      assert.match(message, /no evaluator "missing"/);
      assert.match(remedy ?? '', /Choose from: .*bert-cls.*lost/);
      return true;
    });
    await assert.rejects(previewEvaluator('loop', { home }), /refers to itself/);
    await assert.rejects(previewEvaluator('odd', { home }), /"speed".*no such key/s);
  });
});
