import assert from 'node:assert/strict';
import { appendFileSync, cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { versions } from '../../../src/base/files/versions';
import { imageKey, pairKey, textKey } from '../../../src/bench/keys';
import type { Evaluator } from '../../../src/evaluator/evaluator';
import { type OpenOptions, openEvaluator } from '../../../src/evaluator/open';
import { message } from '../../faults/onnx';
import { cleanUp, copyOf, editJson, modelsPath, scratch } from './fixtures';
import { models, OipServer } from './oipServer';

/* Changes, one at a time, what docs/cache-keys.md lists, and demands other keys. */

type Key = 'hash' | 'text' | 'image' | 'pair';
type Keys = Partial<Record<Key, string>>;

/** The keys under which the store would keep a text, an image and a pair. */
function keysOf({ info, derived }: Evaluator): Keys {
  const sha256 = '0'.repeat(64);
  const hex = (key: Buffer): string => key.toString('hex');
  const hasPairs = derived === undefined && (info.kind === 'judge' || info.pairKey !== undefined);
  return {
    hash: info.sha256,
    ...(info.textKey === undefined ? {} : { text: hex(textKey(info, 'a dog')) }),
    ...(info.imageKey === undefined ? {} : { image: hex(imageKey(info, sha256, [])) }),
    ...(hasPairs ? { pair: hex(pairKey(info, sha256, [], 'a dog')) } : {}),
  };
}

async function keysAt(path: string, options: OpenOptions = {}): Promise<Keys> {
  const evaluator = await openEvaluator(path, { home: scratch(), secret: () => 'key', ...options });
  await evaluator.close();
  return keysOf(evaluator);
}

function demandOthers(before: Keys, after: Keys, which: readonly Key[], what: string): void {
  for (const key of which) {
    assert.ok(before[key] !== undefined, `${what}: there is no ${key} key`);
    assert.notEqual(after[key], before[key], `${what} changed, but not the ${key} key`);
  }
}

/** Changes the bytes of a file, but not what it means. */
function touch(path: string): void {
  if (path.endsWith('.json')) return appendFileSync(path, ' ');
  if (path.endsWith('.onnx')) return appendFileSync(path, message(6, 'a comment'));
  const bytes = readFileSync(path);
  bytes[bytes.length - 1] ^= 1;
  writeFileSync(path, bytes);
}

function fileOf(said: object, folder = scratch()): string {
  const path = join(folder, 'mine.evaluator.json');
  writeFileSync(path, JSON.stringify(said));
  return path;
}

/** Demands another hash for each changed setting of an evaluator file. */
async function demandOfSettings(
  said: object,
  changes: Record<string, object>,
  options: OpenOptions = {},
): Promise<void> {
  const before = await keysAt(fileOf(said), options);
  const isJudge = ['judge', 'vqascore', 'likelihood'].includes((said as { kind: string }).kind);
  const seen = new Map([[before.hash, 'the default']]);
  for (const [what, change] of Object.entries(changes)) {
    const after = await keysAt(fileOf({ ...said, ...change }), options);
    assert.equal(seen.get(after.hash), undefined, `${what} has the hash of ${seen.get(after.hash)}`);
    seen.set(after.hash, what);
    if (isJudge && after.pair !== undefined) demandOthers(before, after, ['hash', 'pair'], what);
  }
}

describe('another cache key is demanded by another', () => {
  afterEach(cleanUp);

  /** Files of the test, graphs of another precision, and a module without settings. */
  const unread = /like\.json$|_fp16\.onnx$|4_Normalize/;
  const towers: Record<string, readonly Key[]> = {
    'clip-two-graphs': ['hash', 'text', 'image'],
    'bert-dense': ['hash', 'text'],
    'family-open-clip': ['hash', 'text', 'image'],
    'family-siglip-whole': ['hash', 'text', 'image'],
    'itm-blip': ['hash', 'pair'],
  };
  for (const [model, which] of Object.entries(towers))
    it(`file of a model: every file of ${model}`, async () => {
      const folder = copyOf(model);
      const files = readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => join(parentPath, name))
        .filter((path) => !unread.test(path));
      const before = await keysAt(folder);
      assert.deepEqual(await keysAt(folder), before);
      assert.ok(files.length >= 3);
      for (const file of files) {
        const bytes = readFileSync(file);
        touch(file);
        demandOthers(before, await keysAt(folder), which, file);
        writeFileSync(file, bytes);
      }
      assert.deepEqual(await keysAt(folder), before);
    });

  it('setting of a model that a new file makes', async () => {
    const folder = copyOf('clip-two-graphs');
    const before = await keysAt(folder);
    writeFileSync(join(folder, 'captious.json'), '{"prefix": "A photo of "}');
    demandOthers(before, await keysAt(folder), ['hash', 'text', 'image'], 'captious.json');
  });

  it('provider, precision and resizing', async () => {
    const folder = copyOf('clip-two-graphs');
    const before = await keysAt(folder);
    demandOthers(before, await keysAt(folder, { provider: 'cuda' }), ['text', 'image'], 'provider');
    demandOthers(before, await keysAt(folder, { resize: 'torchvision' }), ['image'], 'resize');
    for (const name of ['text_model', 'vision_model'])
      cpSync(join(folder, 'onnx', `${name}.onnx`), join(folder, 'onnx', `${name}_fp16.onnx`));
    demandOthers(before, await keysAt(folder, { precision: 'fp16' }), ['hash', 'text', 'image'], 'precision');
  });

  const installed = versions() as Record<string, string>;
  for (const [name, dual, judge] of [
    ['onnxruntime-node', ['text', 'image'], []],
    ['@huggingface/tokenizers', ['text'], []],
    ['sharp', ['image'], ['pair']],
    ['sharp-libvips', ['image'], ['pair']],
  ] as const)
    it(`version of ${name}`, async () => {
      const judgePath = fileOf({ kind: 'judge', endpoint: 'http://127.0.0.1:1/v1', model: 'm' });
      const paths = [
        ['clip-two-graphs', dual],
        ['itm-blip', ['pair']],
      ] as const;
      const all = [...paths.map(([model]) => join(modelsPath, model)), judgePath];
      const before = await Promise.all(all.map((path) => keysAt(path)));
      const now = installed[name];
      installed[name] = '0.0.1';
      try {
        const after = await Promise.all(all.map((path) => keysAt(path)));
        for (const [i, [model, which]] of paths.entries())
          demandOthers(before[i], after[i], which, `${name} for ${model}`);
        demandOthers(before[2], after[2], judge, name);
        // Scores of a judge cost money, so only what it receives counts.
        if (judge.length === 0) assert.deepEqual(after[2], before[2]);
      } finally {
        installed[name] = now;
      }
    });

  it("version of Unicode's tables", async () => {
    const { versions: own } = process;
    const before = await keysAt(join(modelsPath, 'clip-two-graphs'));
    Object.defineProperty(process, 'versions', { value: { ...own, unicode: '1.0' } });
    try {
      demandOthers(before, await keysAt(join(modelsPath, 'clip-two-graphs')), ['text'], 'unicode');
    } finally {
      Object.defineProperty(process, 'versions', { value: own });
    }
  });

  it('file of region features', async () => {
    const folder = copyOf('itm-umic');
    const features = join(folder, 'features');
    const path = fileOf({ kind: 'itm', folder, features });
    const before = await keysAt(path);
    for (const name of readdirSync(features)) {
      const bytes = readFileSync(join(features, name));
      touch(join(features, name));
      demandOthers(before, await keysAt(path), ['hash', 'pair'], name);
      writeFileSync(join(features, name), bytes);
    }
  });

  it('setting of a metric', async () => {
    const encoder = join(modelsPath, 'clip-two-graphs');
    await demandOfSettings(
      { kind: 'clipscore', encoder },
      { weight: { weight: 3 }, prefix: { prefix: 'A drawing of ' }, kind: { kind: 'pac-s' } },
    );
    const sigma = { name: 'blur', weight: 1, shift: 0.1, words: ['blurred'] };
    const said = { kind: 'calibrated', encoder, estimator: 'signed', lambda: 0.5, families: [sigma] };
    await demandOfSettings(said, {
      estimator: { estimator: 'shrink' },
      lambda: { lambda: 0.25 },
      shift: { families: [{ ...sigma, shift: 0.2 }] },
      weight: { families: [{ ...sigma, weight: 2 }] },
      words: { families: [{ ...sigma, words: ['sharp'] }] },
      encoder: { encoder: join(modelsPath, 'siglip') },
    });
    await demandOfSettings(
      { kind: 'rerank', encoder, scorer: join(modelsPath, 'itm-blip') },
      {
        top: { top: 10 },
        encoder: { encoder: join(modelsPath, 'siglip') },
        scorer: { scorer: join(modelsPath, 'itm-vilt') },
      },
    );
  });

  it('setting of a judge', async () => {
    const endpoint = 'http://127.0.0.1:1/v1';
    const references = () =>
      Promise.resolve({ path: '', sha256: 'references', of: () => ['a dog'], all: [['a dog']] });
    await demandOfSettings(
      { kind: 'judge', endpoint, model: 'm' },
      {
        kind: { kind: 'fleur' },
        endpoint: { endpoint: 'http://127.0.0.1:2/v1' },
        query: { endpoint: `${endpoint}?deployment=2` },
        model: { model: 'n' },
        rubric: { rubric: 'Grade it.' },
        prompt: { prompt: 'clair' },
        ask: { ask: 'pairwise' },
        format: { format: 'json_object' },
        temperature: { temperature: 0.5 },
        maxTokens: { maxTokens: 64 },
        'more maxTokens': { maxTokens: 65 },
        reasoning: { reasoning: true },
        effort: { reasoning: 'low' },
        'reasoning with maxTokens': { reasoning: true, maxTokens: 64 },
        repeats: { repeats: 3 },
        seed: { seed: 7 },
        'no seed': { seed: null },
        side: { image: { side: 512 } },
        'image format': { image: { format: 'jpeg' } },
      },
      { references },
    );
    await demandOfSettings(
      { kind: 'vqascore', endpoint, model: 'm' },
      {
        template: { template: 'Is it {caption}?' },
        answer: { answer: 'yes' },
        alternatives: { alternatives: 5 },
        model: { model: 'n' },
        seed: { seed: 7 },
        side: { image: { side: 512 } },
      },
    );
    await demandOfSettings(
      { kind: 'likelihood', endpoint, model: 'm' },
      { template: { template: 'Say.' }, endpoint: { endpoint: 'http://127.0.0.1:2/v1' } },
    );
  });

  it('setting of an encoder on a server', async () => {
    const server = await new OipServer(models).start();
    try {
      const folder = copyOf('clip-two-graphs');
      rmSync(join(folder, 'onnx'), { recursive: true });
      const said = {
        ...{ kind: 'remote', endpoint: server.url, folder },
        ...{ text: 'clip_text', image: 'clip_vision' },
      };
      const path = fileOf(said);
      const before = await keysAt(path);
      const demand = async (what: string, keys: Promise<Keys>): Promise<void> =>
        demandOthers(before, await keys, ['text', 'image'], what);
      await demand('batch', keysAt(fileOf({ ...said, batch: 3 })));
      await demand('binary', keysAt(fileOf({ ...said, binary: false })));
      await demand('model', keysAt(fileOf({ ...said, text: 'clip', image: 'clip' })));
      server.version = '2';
      await demand('version', keysAt(path));
      server.version = '1';
      editJson(join(folder, 'preprocessor_config.json'), (json) => (json.changed = true));
      await demand('preprocessing', keysAt(path));
    } finally {
      await server.stop();
    }
  });
});
