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
import { findSaid, say } from '../../../src/base/say';
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
import { sentence } from '../../sentence';

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
    await assert.rejects(openEvaluator('missing', { home: homeWith('bert-cls', 'clip') }), {
      what: say('evaluator.notFound', 'missing'),
      remedy: sentence('evaluator.chooseKnownOrPath', 'starter, bert-cls, clip'),
    });
    await assert.rejects(openEvaluator('', { home: homeWith('clip') }), {
      what: say('evaluator.notFound', ''),
    });
  });

  it('rejects a file in place of a model folder', async () => {
    const graph = join(modelsPath, 'clip', 'onnx', 'model.onnx');
    await assert.rejects(openEvaluator(graph, { home: scratch() }), {
      what: say('evaluator.modelFolderExpected'),
    });
    const file = join(modelsPath, 'clip', 'config.json');
    await assert.rejects(openEvaluator(file, { home: scratch() }), {
      what: say('evaluator.keyProblem', 'kind', say('evaluator.fieldMissing')),
      remedy: /clipscore/,
      at: file,
    });
  });

  it('rejects unknown options', async () => {
    const path = join(modelsPath, 'clip');
    await assert.rejects(openPath(path, { provider: 'abacus' }), {
      what: say('model.runtimeSettingUnknown', 'abacus', 'provider'),
      remedy: sentence('fetch.chooseFrom', 'auto, cpu, cuda, coreml, dml, webgpu'),
    });
    await assert.rejects(openPath(path, { precision: 'float12' }), {
      what: say('model.runtimeSettingUnknown', 'float12', 'precision'),
      remedy: sentence('fetch.chooseFrom', 'float32, float16, int8, q4, q4f16'),
    });
    await assert.rejects(openPath(path, { threads: 0 }), { what: say('model.threadsInvalid', 0) });
  });

  it('asks instead of guessing', async () => {
    const dual = copyOf('clip-two-graphs');
    // The folder has no graph of this precision.
    const graphs = ['text', 'vision'].flatMap((tower) =>
      ['', '_fp16'].map((p) => `onnx/${tower}_model${p}.onnx`),
    );
    await assert.rejects(openPath(dual, { precision: 'q4' }), {
      what: say('model.noGraphsOfPrecision', 'q4', graphs.join(', ')),
    });
    // The encoders have no projections.
    const bare = copyOf('siglip');
    editJson(join(bare, 'config.json'), (json) => (json.model_type = 'clip'));
    await assert.rejects(openPath(bare), {
      what: say('model.embeddingOutputMissing', 'text', 'pooler_output'),
    });
    // The two encoders come from different models.
    const mixed = copyOf('siglip');
    cpSync(
      join(modelsPath, 'clip-two-graphs', 'onnx', 'vision_model.onnx'),
      join(mixed, 'onnx', 'vision_model.onnx'),
    );
    await assert.rejects(openPath(mixed), { what: say('model.towersDifferInLength', 24, 16) });
    // There is only an image encoder.
    const blind = copyOf('clip-two-graphs');
    renameSync(join(blind, 'onnx', 'vision_model.onnx'), join(blind, 'onnx', 'model.onnx'));
    rmSync(join(blind, 'onnx', 'text_model.onnx'));
    await assert.rejects(openPath(blind), { what: say('model.noTextInput') });
    // The configuration names neither a processor nor a filter.
    editJson(join(dual, 'preprocessor_config.json'), (json) => {
      delete json.resample;
      delete json.image_processor_type;
    });
    await assert.rejects(openPath(dual), {
      what: say('model.imageSettingMissing', say('model.filterMissing'), 'resample', 'not named'),
    });
    editJson(join(dual, 'preprocessor_config.json'), (json) => (json.resample = 9));
    await assert.rejects(openPath(dual), { what: say('model.filterUnknown', 9) });
    // The folder states two pooling modes.
    const torn = copyOf('bert-cls');
    editJson(join(torn, '1_Pooling', 'config.json'), (json) => (json.pooling_mode_mean_tokens = true));
    await assert.rejects(openPath(torn), { what: say('model.poolingModesNotOne') });
    // The folder lists a module of an unknown type.
    writeFileSync(
      join(torn, 'modules.json'),
      JSON.stringify([{ type: 'sentence_transformers.models.LSTM', path: '2_LSTM' }]),
    );
    await assert.rejects(openPath(torn), {
      what: say('model.moduleUnknown', 'sentence_transformers.models.LSTM'),
    });
  });

  it('checks the preprocessing against the graph', async () => {
    const fixed = copyOf('odd-dual');
    editJson(join(fixed, 'preprocessor_config.json'), (json) => (json.size = { height: 9, width: 9 }));
    const size = say('model.imageSizeExpected', 9, 9);
    await assert.rejects(openPath(fixed), {
      what: say('model.pixelInputShape', 'pixel_values', 'float32', 'p, 3, 8, 8', size),
    });
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
      await assert.rejects(openPath(path), {
        what: say('shard.folderUnreadable', denied.message),
        remedy: sentence('model.checkPermissions'),
        at: join(path, 'onnx'),
      });
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
    await assert.rejects(openPath(path), {
      what: say('model.onnxIncomplete', say('model.protoFieldTypeUnknown', 0)),
      remedy: sentence('model.downloadOnnxAgain'),
    });
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
    assert.ok(!text.ok && !missing.ok);
    assert.deepEqual(text.problem, say('base.labelledPart', 'row 7', say('native.notAnImage')));
    assert.deepEqual(missing.problem, say('base.labelledPart', 'gone.jpg', say('native.noSuchFile')));
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
    assert.deepEqual(rows[0], { ok: false, problem: say('native.notFinite') });
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
    await assert.rejects(openPath(path), { what: say('model.scaleInvalid') });
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
    const missing = 'problem' in broken ? findSaid(broken.problem, 'model.folderFileMissing') : undefined;
    assert.deepEqual(missing, say('model.folderFileMissing', 'tokenizer.json'));
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
    await assert.rejects(previewEvaluator('lost', { home }), {
      what: say('evaluator.notFound', 'missing'),
      remedy: sentence('evaluator.chooseKnownOrPath', 'starter, bert-cls, loop, lost, odd'),
    });
    await assert.rejects(previewEvaluator('loop', { home }), { what: say('evaluator.fileRefersToItself') });
    await assert.rejects(previewEvaluator('odd', { home }), {
      what: say('evaluator.keyProblem', 'speed', say('evaluator.keyUnknownForKind', 'cosine')),
    });
  });
});
