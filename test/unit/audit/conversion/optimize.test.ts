import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { optimize, type Optimization } from '../../../../src/audit/conversion/optimize';
import { CaptiousError } from '../../../../src/base/errors';
import { say, type Words } from '../../../../src/base/say';
import { message, nodeOf } from '../../../../src/evaluator/model/onnx/nodes';
import { valueOf, whole } from '../../../../src/evaluator/model/onnx/tokenPooling';
import { cleanUp, modelsPath, openPath } from '../../evaluator/fixtures';

describe('an optimized copy of a model folder', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'captious-optimize-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  after(cleanUp);

  const optimized = (ref: string): Promise<Optimization> =>
    optimize(ref, { out: join(folder, 'out'), home: join(folder, 'home') });

  async function refused(ref: string): Promise<Words> {
    const files = (): string[] => readdirSync(folder).filter((name) => name !== 'home');
    const before = files();
    try {
      await optimized(ref);
    } catch (error) {
      assert.ok(error instanceof CaptiousError, String(error));
      assert.deepEqual(files(), before);
      return error.what;
    }
    return assert.fail('It was not refused.');
  }

  it('has the embeddings of the original, another hash, and a note of where it is from', async () => {
    const original = join(modelsPath, 'clip-two-graphs');
    const done = await optimized(original);
    const { graphs, texts, images, apart, same, speed } = done;
    // Queries, keys and values of two layers, and the last layer's projection and both products of its MLP.
    assert.deepEqual(graphs, [
      { graph: join('onnx', 'text_model.onnx'), packed: 2, cut: 3 },
      { graph: join('onnx', 'vision_model.onnx'), packed: 2, cut: 3 },
    ]);
    assert.deepEqual([texts, images, apart, same], [200, 200, 0, true]);
    for (const one of [speed.texts!, speed.images!])
      assert.ok(one.slowest <= one.median && one.median <= one.fastest && one.slowest > 0);

    const [a, b] = [await openPath(original), await openPath(join(folder, 'out'))];
    assert.equal(done.from, a.info.sha256);
    assert.notEqual(b.info.sha256, a.info.sha256);
    assert.notEqual(b.info.textKey, a.info.textKey);
    assert.equal(b.info.name, a.info.name);
    assert.deepEqual(b.info.notes, [...a.info.notes, say('model.optimizedGraph', done.from.slice(0, 12))]);
  });

  it('refuses graphs that a change of the copy would change, with the difference', async () => {
    const spoiled = join(folder, 'spoiled');
    cpSync(join(modelsPath, 'clip-two-graphs'), spoiled, { recursive: true });
    writeFileSync(join(spoiled, 'onnx', 'vision_model.onnx'), mixing());
    const what = await refused(spoiled);
    assert.ok(typeof what !== 'string' && what.code === 'audit.optimizedDiffers', JSON.stringify(what));
    const [apart, limit] = what.values;
    assert.ok(Number(apart) > 0.001, String(apart));
    assert.equal(limit, '0.000001');
  });

  it('refuses models whose graphs it would leave as they are', async () => {
    assert.deepEqual(await refused('starter'), say('audit.nothingToOptimize'));
    assert.deepEqual(await refused(join(modelsPath, 'odd-table')), say('audit.nothingToOptimize'));
  });

  it('refuses evaluators that are no model folders, and folders with content', async () => {
    assert.deepEqual(await refused('clipscore:starter'), say('audit.notOptimizable'));
    writeFileSync(join(folder, 'mine.txt'), '');
    await assert.rejects(
      optimize('starter', { out: folder, home: join(folder, 'home') }),
      ({ what }: CaptiousError) => {
        assert.deepEqual(what, say('audit.outFolderNotEmpty'));
        return true;
      },
    );
    assert.equal(readFileSync(join(folder, 'mine.txt'), 'utf8'), '');
  });
});

/** A graph that adds the mean of all tokens to each token. Its axis −2 looks like the last one to the search for steps. */
function mixing(): Uint8Array {
  const ints = (name: string, value: number): Uint8Array =>
    message(5, Buffer.concat([message(1, name), message(8, varint(value)), Buffer.from([0xa0, 1, 7])]));
  const varint = (value: number): Uint8Array => {
    const bytes: number[] = [];
    let rest = BigInt.asUintN(64, BigInt(value));
    for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
    return Uint8Array.from([...bytes, Number(rest)]);
  };
  const integers = (name: string, values: number[], dims: number[]): Uint8Array =>
    nodeOf('Constant', [], name, valueOf(7, BigInt64Array.from(values, BigInt), dims));
  const weights = Float32Array.from({ length: 96 * 16 }, (_, i) => Math.sin(i));
  const port = (field: number, name: string, sizes: readonly number[]): Uint8Array => {
    const sized = sizes.map((size) => message(1, Buffer.concat([Buffer.from([1 << 3]), varint(size)])));
    const dims = Buffer.concat([message(1, message(2, 'batch')), ...sized]);
    const tensor = Buffer.concat([Buffer.from([1 << 3, 1]), message(2, dims)]);
    return message(field, Buffer.concat([message(1, name), message(2, message(1, tensor))]));
  };
  const graph = [
    integers('shape', [0, 32, 96], [3]),
    nodeOf('Reshape', ['pixel_values', 'shape'], 'tokens'),
    nodeOf('ReduceMean', ['tokens'], 'mean', ints('axes', -2)),
    nodeOf('Add', ['tokens', 'mean'], 'sum'),
    nodeOf('Constant', [], 'weights', valueOf(1, weights, [96, 16])),
    nodeOf('MatMul', ['sum', 'weights'], 'rows'),
    integers('first', [0], []),
    nodeOf('Gather', ['rows', 'first'], 'image_embeds', whole('axis', 1)),
    message(2, 'mixing'),
    port(11, 'pixel_values', [3, 32, 32]),
    port(12, 'image_embeds', [16]),
  ];
  const opset = Buffer.concat([message(1, ''), Buffer.from([2 << 3, 13])]);
  return Buffer.concat([Buffer.from([1 << 3, 8]), message(7, Buffer.concat(graph)), message(8, opset)]);
}
