import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import {
  type Activation,
  activationOf,
  activations,
  withActivation,
} from '../../../../../src/evaluator/model/onnx/activation';

const models = join(__dirname, '../../../../fixtures/models');

describe('activation functions of graphs', () => {
  const folder = mkdtempSync(join(tmpdir(), 'captious-activation-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  function changed(path: string, to: Activation): string {
    const copy = join(folder, `${Math.abs(path.length)}-${to}-${path.replaceAll(/\W/g, '').slice(-40)}.onnx`);
    writeFileSync(copy, Buffer.concat(withActivation(path, to)));
    return copy;
  }

  const known: Record<string, Activation | undefined> = {
    'clip/onnx/model.onnx': 'quick_gelu',
    'clip-two-graphs/onnx/text_model.onnx': 'gelu',
    'clip-two-graphs/onnx/vision_model_fp16.onnx': 'gelu',
    'siglip/onnx/vision_model.onnx': 'gelu_pytorch_tanh',
    // Its Sigmoid is that of SiLU, x·σ(x).
    'family-eva02-clip/onnx/vision_model.onnx': undefined,
  };
  for (const [path, activation] of Object.entries(known))
    it(`finds ${activation ?? 'none that can be changed'} in ${path}`, () => {
      assert.equal(activationOf(join(models, path)), activation);
    });

  it('finds the new activation function in the changed graph, also of float16', () => {
    for (const path of ['siglip/onnx/vision_model.onnx', 'clip-two-graphs/onnx/vision_model_fp16.onnx'])
      for (const to of activations) assert.equal(activationOf(changed(join(models, path), to)), to);
  });

  it('computes the same embeddings after a change and back, and others in between', async () => {
    const path = join(models, 'clip-two-graphs/onnx/vision_model.onnx');
    const pixels = Float32Array.from({ length: 2 * 3 * 32 * 32 }, (_, i) => Math.sin(i));
    const run = async (graph: string): Promise<Float32Array> => {
      const session = await InferenceSession.create(graph);
      const feeds = { pixel_values: new Tensor('float32', pixels, [2, 3, 32, 32]) };
      return (await session.run(feeds)).image_embeds.data as Float32Array;
    };
    const apart = (a: Float32Array, b: Float32Array): number =>
      Math.max(...a.map((value, i) => Math.abs(value - b[i])));
    const own = await run(path);
    for (const to of ['quick_gelu', 'gelu_pytorch_tanh'] as const) {
      const there = changed(path, to);
      assert.ok(apart(own, await run(there)) > 1e-5, to);
      assert.ok(apart(own, await run(changed(there, 'gelu'))) < 1e-5, to);
    }
  });
});
