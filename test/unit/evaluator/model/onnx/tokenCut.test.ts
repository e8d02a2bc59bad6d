import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { message, nodeOf } from '../../../../../src/evaluator/model/onnx/nodes';
import { readGraphHeader, readGraphNodes } from '../../../../../src/evaluator/model/onnx/onnxHeader';
import { withTokenCut } from '../../../../../src/evaluator/model/onnx/tokenCut';
import { valueOf, whole } from '../../../../../src/evaluator/model/onnx/tokenPooling';

const models = join(__dirname, '../../../../fixtures/models');

describe('graphs that choose the token earlier', () => {
  const folder = mkdtempSync(join(tmpdir(), 'captious-cut-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  let written = 0;

  function write(parts: readonly Uint8Array[]): string {
    const path = join(folder, `${written++}.onnx`);
    writeFileSync(path, Buffer.concat(parts));
    return path;
  }

  async function run(path: string, output: string, feeds: Record<string, Tensor>): Promise<number[]> {
    const session = await InferenceSession.create(path, { logSeverityLevel: 3 });
    const { data } = (await session.run(feeds, [output]))[output];
    await session.release();
    return [...(data as Float32Array)];
  }

  /** Three items with inputs of made-up values. */
  function feedsOf(path: string): Record<string, Tensor> {
    return Object.fromEntries(
      readGraphHeader(path).inputs.map(({ name, type, shape }) => {
        const dims = shape.map((dim, axis) =>
          typeof dim === 'number' ? dim : axis === 0 ? 3 : variable(name, axis),
        );
        const size = dims.reduce((product, dim) => product * dim, 1);
        const values = Array.from({ length: size }, (_, i) => Math.sin(i * 1.7));
        if (type === 'float32') return [name, new Tensor(type, Float32Array.from(values), dims)];
        const integer = (value: number): bigint =>
          name === 'input_ids' ? BigInt(5 + Math.floor(Math.abs(value) * 90)) : BigInt(name.includes('mask'));
        assert.equal(type, 'int64');
        return [name, new Tensor('int64', BigInt64Array.from(values, integer), dims)];
      }),
    );
  }
  const variable = (name: string, axis: number): number =>
    name !== 'pixel_values' ? 7 : axis === 1 ? 3 : 32;

  const known: [path: string, output: string, products: number | undefined][] = [
    ['clip/onnx/model.onnx', 'text_embeds', 3],
    ['clip/onnx/model.onnx', 'image_embeds', 3],
    ['family-open-clip/onnx/text_model.onnx', 'text_features', 2],
    ['family-open-clip/onnx/vision_model.onnx', 'image_features', 2],
    ['family-eva02-clip/onnx/text_model.onnx', 'text_embeds', 2],
    ['family-eva02-clip/onnx/vision_model.onnx', 'image_embeds', 4],
    ['family-mobileclip-s/onnx/text_model.onnx', 'text_embeds', 2],
    ['family-tiny-clip/onnx/text_model.onnx', 'text_embeds', 3],
    ['family-tiny-clip/onnx/vision_model.onnx', 'image_embeds', 3],
    ['family-chinese-clip/onnx/model.onnx', 'text_embeds', 3],
    ['family-blip-itc/onnx/text_model.onnx', 'text_embeds', 3],
    // It also has an output with a row for each token.
    ['siglip/onnx/text_model.onnx', 'pooler_output', 3],
    // They need all tokens: a mean, a mean of a map, and an output with a row for each token.
    ['family-jina-clip/onnx/model.onnx', 'text_embeddings', undefined],
    ['family-mobileclip-s/onnx/vision_model.onnx', 'image_embeds', undefined],
    ['bert-cls/onnx/model.onnx', 'last_hidden_state', undefined],
  ];
  for (const [path, output, products] of known)
    it(`${products === undefined ? 'leaves' : 'cuts'} ${output} of ${path}`, async () => {
      const original = join(models, path);
      const cut = withTokenCut(original, output);
      assert.equal(cut?.products, products);
      if (cut === undefined) return;
      const copy = write(cut.parts);
      const feeds = feedsOf(original);
      assert.deepEqual(await run(copy, output, feeds), await run(original, output, feeds));
    });

  it('multiplies only the chosen token', async () => {
    const path = write([planted()]);
    const feeds = { x: new Tensor('float32', Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8), [2, 2, 2]) };
    assert.deepEqual(await run(path, 'y', feeds), [1, 20, 5, 60]);
    const cut = withTokenCut(path, 'y')!;
    assert.equal(cut.products, 1);
    const copy = write(cut.parts);
    assert.deepEqual(await run(copy, 'y', feeds), [1, 20, 5, 60]);
    assert.deepEqual(
      readGraphNodes(copy).map(({ operator, inputs: [input = ''] }) => `${operator} ${input}`.trim()),
      [...Array<string>(4).fill('Constant'), 'Gather x', 'Reshape x/y', 'MatMul x/chosen', 'Reshape h'],
    );
  });

  it('leaves a step whose result is a second output of another shape than tokens have', () => {
    assert.equal(withTokenCut(write([planted('h')]), 'y'), undefined);
  });
});

/** A graph that multiplies each token (a, b) to (a, 10b), and returns the first one. `also` is a second output. */
function planted(also?: string): Uint8Array {
  const port = (field: number, name: string, rank: number): Uint8Array => {
    const dims = Array.from({ length: rank }, (_, axis) => message(1, message(2, `${name}${axis}`)));
    const tensor = Buffer.concat([Buffer.from([1 << 3, 1]), message(2, Buffer.concat(dims))]);
    return message(field, Buffer.concat([message(1, name), message(2, message(1, tensor))]));
  };
  const graph = [
    nodeOf('Constant', [], 'w', valueOf(1, Float32Array.of(1, 0, 0, 10), [2, 2])),
    nodeOf('MatMul', ['x', 'w'], 'h'),
    nodeOf('Constant', [], 'at', valueOf(7, BigInt64Array.of(0n), [])),
    nodeOf('Gather', ['h', 'at'], 'y', whole('axis', 1)),
    message(2, 'planted'),
    port(11, 'x', 3),
    port(12, 'y', 2),
    // Tokens as an output would be dropped, so this says that they have no rows.
    ...(also === undefined ? [] : [port(12, also, 2)]),
  ];
  const opset = Buffer.concat([message(1, ''), Buffer.from([2 << 3, 13])]);
  return Buffer.concat([Buffer.from([1 << 3, 8]), message(7, Buffer.concat(graph)), message(8, opset)]);
}
