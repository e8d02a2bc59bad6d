import assert from 'node:assert/strict';
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { Reason } from '../../../src/base/errors';
import { isSaid } from '../../../src/base/say';
import { Fingerprints } from '../../../src/base/files/fingerprints';
import { checkpointEvaluators } from '../../../src/evaluator/checkpoint/checkpoint';
import { shapesIn } from '../../../src/evaluator/checkpoint/pickle';
import { DenseHead, readDense } from '../../../src/evaluator/model/dense';
import { describeFolder } from '../../../src/evaluator/model/describe';
import { ModelFolder } from '../../../src/evaluator/model/modelFolder';
import { runtimeOf } from '../../../src/evaluator/model/runtime';
import { Tokens } from '../../../src/evaluator/native/tokens';
import { readNpy } from '../../../src/evaluator/native/npy';
import { previewEvaluator } from '../../../src/evaluator/open';
import { altered, mutated } from './mutate';
import { orToldApart, type Target } from './target';

const fixtures = join('test', 'fixtures', 'models');

const evaluatorSeeds = [
  { kind: 'clipscore', encoder: 'model', prefix: 'A photo of ', weight: 2.5 },
  { kind: 'cosine', name: 'Cosine', encoder: 'model' },
  { kind: 'siglip', encoder: 'model', scale: 10, bias: -1 },
  { kind: 'itm', model: 'model', regions: 'regions' },
  { kind: 'judge', endpoint: 'http://localhost:8000/v1', model: 'm', concurrency: 2, maxTokens: 20 },
  { kind: 'fleur', endpoint: 'http://localhost:8000/v1', model: 'm', keyFrom: 'MY_KEY' },
  { kind: 'calibrated', evaluator: 'model', estimator: 'shrink', weights: { length: 0.1 } },
  { kind: 'repaired', encoder: 'model', text: 'map.npy' },
  { kind: 'remote', endpoint: 'http://localhost:8000', folder: 'model', text: 't', image: 'i', batch: 8 },
];

const evaluatorFiles: Target = {
  name: 'evaluator files',
  share: 0.05,
  property: (folder) => {
    cpSync(join(fixtures, 'clip'), join(folder, 'model'), { recursive: true });
    const path = join(folder, 'x.evaluator.json');
    const fingerprints = new Fingerprints(undefined);
    const texts = altered(evaluatorSeeds).map((value) => Buffer.from(JSON.stringify(value) ?? ''));
    const bytes = mutated(evaluatorSeeds.map((seed) => Buffer.from(JSON.stringify(seed))));
    return fc.asyncProperty(fc.oneof(texts, bytes), async (content) => {
      writeFileSync(path, content);
      await orToldApart(async () => {
        const { id, scores } = await previewEvaluator(path, { home: folder, fingerprints });
        assert.ok(id === 'x' && scores.length > 0);
      });
    });
  },
};

/** A target that reads a model folder in which one of these files is changed. */
function inFolder(
  name: string,
  share: number,
  models: Record<string, readonly string[]>,
  read: (folder: ModelFolder) => Promise<void> | void,
): Target {
  return {
    name,
    share,
    property: (folder) => {
      const files = Object.entries(models).flatMap(([model, names]) => {
        cpSync(join(fixtures, model), join(folder, model), { recursive: true });
        return names.map((file) => ({ model, path: join(folder, model, file) }));
      });
      const cases = files.map(({ model, path }) => {
        const seed = readFileSync(path);
        const changed = fc.oneof(
          mutated([seed]),
          altered([JSON.parse(seed.toString())]).map((value) => Buffer.from(JSON.stringify(value) ?? '')),
        );
        return changed.map((bytes) => ({ model, path, seed, bytes }));
      });
      return fc.asyncProperty(fc.oneof(...cases), async ({ model, path, seed, bytes }) => {
        writeFileSync(path, bytes);
        try {
          await orToldApart(() => read(new ModelFolder(join(folder, model))));
        } finally {
          writeFileSync(path, seed);
        }
      });
    },
  };
}

const configs = inFolder(
  'model configurations',
  0.03,
  {
    clip: ['config.json', 'preprocessor_config.json', 'tokenizer_config.json'],
    'bert-cls': ['config.json', 'modules.json', 'sentence_bert_config.json', '1_Pooling/config.json'],
    'bert-dense': ['modules.json', '2_Dense/config.json'],
    'itm-blip': ['config.json', 'preprocessor_config.json'],
  },
  async (folder) => {
    const { info } = await describeFolder(folder, 'x', runtimeOf({}), new Fingerprints(undefined));
    assert.ok(info.scores.length > 0);
  },
);

const tokenizers = inFolder(
  'tokenizers',
  0.03,
  {
    'bert-cls': ['tokenizer.json', 'tokenizer_config.json'],
    clip: ['tokenizer.json', 'tokenizer_config.json'],
    charsmap: ['tokenizer.json'],
  },
  (folder) => {
    const tokens = new Tokens(folder, { max: 77, fixed: undefined, attendPadding: false, prompt: '' });
    for (const text of ['a cat on the mat', '', '自行车 \ud83d\ude00 \ud800 ﬁ']) {
      const { ids, real } = tokens.row(text);
      assert.ok(ids.length <= 77 && real <= ids.length);
    }
  },
);

function npyOf(type: string, shape: string, data: Uint8Array): Buffer {
  const header = `{'descr': '${type}', 'fortran_order': False, 'shape': (${shape}), }\n`;
  const length = Buffer.alloc(2);
  length.writeUInt16LE(header.length);
  return Buffer.concat([Buffer.from('\x93NUMPY\x01\x00', 'latin1'), length, Buffer.from(header), data]);
}

const npy: Target = {
  name: 'NumPy files',
  share: 0.05,
  property: (folder) => {
    const path = join(folder, 'x.npy');
    const seeds = [
      npyOf('<f4', '3, 4', new Uint8Array(48)),
      npyOf('<f8', '2, 2', new Uint8Array(32).fill(63)),
      npyOf('<f2', '1, 5', new Uint8Array(10).fill(255)),
    ];
    return fc.property(mutated(seeds), (bytes) => {
      writeFileSync(path, bytes);
      try {
        const { rows, columns, values } = readNpy(path);
        assert.equal(values.length, rows * columns);
      } catch (error) {
        // The error comes from Captious, not from the system. Its message has no path, which the caller adds.
        assert.ok(error instanceof Reason && isSaid(error.what), String(error));
        assert.match(error.what.code, /^(embeddings|native)\.npy/);
        assert.ok(!error.message.includes(path), error.message);
      }
    });
  },
};

const denseWeights: Target = {
  name: 'weights of Dense modules',
  share: 0.02,
  property: (folder) => {
    cpSync(join(fixtures, 'bert-dense'), join(folder, 'model'), { recursive: true });
    const own = new ModelFolder(join(folder, 'model'));
    const layer = readDense(own, '2_Dense');
    const seed = readFileSync(join(own.path, layer.weights));
    const values = new Float32Array(layer.inputs).fill(0.5);
    return fc.asyncProperty(mutated([seed]), async (bytes) => {
      writeFileSync(join(own.path, layer.weights), bytes);
      await orToldApart(() => {
        const row = new DenseHead(own, [layer], true).apply({ ok: true, value: values.slice() });
        if (row.ok) assert.ok(row.value.length === layer.outputs && row.value.every(Number.isFinite));
      });
    });
  },
};

/** A pickle that sets a state of 5,000 entries more than 200,000 times. Copying the state would take too long. */
function restated(): Buffer {
  const entry = (i: number) => `X\x05\x00\x00\x00${String(i).padStart(5, '0')}N`;
  const state = Array.from({ length: 5000 }, (_, i) => entry(i)).join('');
  return Buffer.from(`\x80\x02ca\nb\n)\x81}(${state}uq\x00b${'h\x00b'.repeat(200_000)}.`, 'latin1');
}

const checkpoints: Target = {
  name: 'checkpoints of PyTorch',
  share: 0.02,
  property: (folder) => {
    const own = join('test', 'fixtures', 'checkpoints');
    const seeds = readdirSync(own).map((name) => readFileSync(join(own, name)));
    const path = join(folder, 'x.pt');
    return fc.asyncProperty(fc.oneof(mutated(seeds), mutated([restated()])), async (bytes) => {
      writeFileSync(path, bytes);
      // A file that is no checkpoint may only cause a CaptiousError.
      await orToldApart(async () => void (await checkpointEvaluators([path])));
      await orToldApart(() => {
        try {
          shapesIn(bytes);
        } catch (error) {
          assert.ok(error instanceof Error && error.message.length > 0);
        }
      });
    });
  },
};

export const modelTargets: readonly Target[] = [
  ...[evaluatorFiles, configs, tokenizers, npy, denseWeights, checkpoints],
];
