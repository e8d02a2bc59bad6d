import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import {
  poolingOf,
  type TokenPooling,
  withPooling,
} from '../../../../../src/evaluator/model/onnx/tokenPooling';

const models = join(__dirname, '../../../../fixtures/models');

describe('pooling of tokens in graphs', () => {
  const folder = mkdtempSync(join(tmpdir(), 'captious-pooling-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  const known: [path: string, output: string, pooling: TokenPooling | undefined][] = [
    ['clip/onnx/model.onnx', 'text_embeds', 'end'],
    ['clip/onnx/model.onnx', 'image_embeds', 'first'],
    ['siglip/onnx/text_model.onnx', 'pooler_output', 'last'],
    ['family-open-clip/onnx/text_model.onnx', 'text_features', 'end'],
    ['family-chinese-clip/onnx/model.onnx', 'text_embeds', 'first'],
    ['family-xlm-roberta-clip/onnx/text_model.onnx', 'text_features', 'mean'],
    ['family-jina-clip/onnx/model.onnx', 'text_embeddings', 'mean'],
    ['family-jina-clip/onnx/model.onnx', 'image_embeddings', 'mean without first'],
    ['../../../models/starter/onnx/text_model.onnx', 'text_embeds', 'mean'],
    ['../../../models/starter/onnx/vision_model.onnx', 'image_embeds', 'mean'],
    // Its output has a row for each token.
    ['bert-cls/onnx/model.onnx', 'last_hidden_state', undefined],
  ];
  for (const [path, output, pooling] of known)
    it(`finds ${pooling ?? 'none'} of ${output} in ${path}`, () => {
      assert.equal(poolingOf(join(models, path), output, 'text')?.from, pooling);
    });

  let copies = 0;
  async function rowOf(
    path: string,
    output: string,
    [to, mask]: [to: TokenPooling | undefined, mask?: string],
    feeds: Record<string, Tensor>,
  ): Promise<number[]> {
    let graph = join(models, path);
    if (to !== undefined) {
      const copy = join(folder, `${copies++}.onnx`);
      writeFileSync(copy, Buffer.concat(withPooling(graph, output, to, mask)));
      graph = copy;
    }
    const session = await InferenceSession.create(graph);
    return [...((await session.run(feeds, [output]))[output].data as Float32Array)];
  }

  const numbers = (values: number[]): Tensor =>
    new Tensor('int64', BigInt64Array.from(values, BigInt), [1, values.length]);
  const image = (side: number): Tensor =>
    new Tensor(
      'float32',
      Float32Array.from({ length: 3 * side * side }, (_, i) => Math.sin(i)),
      [1, 3, side, side],
    );
  function assertNear(a: readonly number[], b: readonly number[]): void {
    for (const [i, value] of a.entries()) assert.ok(Math.abs(value - b[i]) < 1e-5, `${value} and ${b[i]}`);
  }
  const between = (a: number[], b: number[]): number[] => a.map((value, i) => (value + b[i]) / 2);

  it('pools two tokens as their rows say, and no padding', async () => {
    const end = 669;
    const run = (to: TokenPooling | undefined, ids: number[], mask: number[]): Promise<number[]> =>
      rowOf('clip/onnx/model.onnx', 'text_embeds', [to, 'attention_mask'], {
        input_ids: numbers(ids),
        attention_mask: numbers(mask),
        pixel_values: image(32),
      });
    const two = [668, end];
    const [first, last] = [await run('first', two, [1, 1]), await run('last', two, [1, 1])];
    assertNear(last, await run(undefined, two, [1, 1]));
    assert.ok(first.some((value, i) => Math.abs(value - last[i]) > 0.01));
    // Behind the pooling, the model only projects linearly.
    assertNear(await run('mean', two, [1, 1]), between(first, last));
    assertNear(await run('mean', [...two, 3], [1, 1, 0]), between(first, last));
    assertNear(await run('max', [...two, 3], [1, 1, 0]), await run('max', two, [1, 1]));
  });

  it('takes the maximum of two tokens, and the mean without the first one', async () => {
    const text = (to: TokenPooling): Promise<number[]> =>
      rowOf('family-jina-clip/onnx/model.onnx', 'text_embeddings', [to], {
        input_ids: numbers([5, 7]),
        pixel_values: image(32),
      });
    // This model has nothing behind the pooling.
    const [first, last] = [await text('first'), await text('last')];
    assertNear(
      await text('max'),
      first.map((value, i) => Math.max(value, last[i])),
    );
    assertNear(await text('mean'), between(first, last));
    assertNear(await text('mean without first'), last);
  });

  it('takes the maximum of a map', async () => {
    const path = '../../../models/starter/onnx/vision_model.onnx';
    const run = (to: TokenPooling | undefined): Promise<number[]> =>
      rowOf(path, 'image_embeds', [to], { pixel_values: image(288) });
    const [own, other] = [await run(undefined), await run('max')];
    assert.ok(own.some((value, i) => Math.abs(value - other[i]) > 0.01));
  });
});
