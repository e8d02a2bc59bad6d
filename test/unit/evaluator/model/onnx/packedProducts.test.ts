import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { message, nodeOf } from '../../../../../src/evaluator/model/onnx/nodes';
import { readGraphNodes } from '../../../../../src/evaluator/model/onnx/onnxHeader';
import { withPackedProducts } from '../../../../../src/evaluator/model/onnx/packedProducts';

const models = join(__dirname, '../../../../fixtures/models');

describe('graphs with packed products', () => {
  const folder = mkdtempSync(join(tmpdir(), 'captious-packed-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  /** (1, 2) times three matrices: its sum, its tenfold, and one of another size. */
  const weights = {
    a: { values: [1, 1, 1, 1], columns: 2 },
    b: { values: [10, 0, 0, 10], columns: 2 },
    c: { values: [1, 100], columns: 1 },
  };
  const expected = { ya: [3, 3], yb: [10, 20], yc: [201] };

  for (const version of [11, 13, 17, 18, 21])
    it(`multiplies once by weights of equal size, in version ${version} of the operators`, async () => {
      const path = join(folder, `${version}.onnx`);
      writeFileSync(path, planted(version));
      const packed = withPackedProducts(path)!;
      assert.equal(packed.products, 1);
      const copy = join(folder, `${version}-packed.onnx`);
      writeFileSync(copy, Buffer.concat(packed.parts));
      assert.deepEqual(
        readGraphNodes(copy).map(({ operator, inputs }) => [operator, ...inputs]),
        [
          ['Concat', 'a', 'b'],
          ['MatMul', 'x', 'ya/weights'],
          ['Split', 'ya/packed'],
          ['MatMul', 'x', 'c'],
        ],
      );
      for (const graph of [path, copy]) {
        const session = await InferenceSession.create(graph, { logSeverityLevel: 3 });
        const found = await session.run({ x: new Tensor('float32', Float32Array.of(1, 2), [1, 1, 2]) });
        await session.release();
        for (const [name, values] of Object.entries(expected))
          assert.deepEqual([...(found[name].data as Float32Array)], values);
      }
    });

  it('leaves old operators, and graphs without products of the same input', () => {
    const path = join(folder, 'old.onnx');
    writeFileSync(path, planted(10));
    assert.equal(withPackedProducts(path), undefined);
    assert.equal(withPackedProducts(join(models, 'family-open-clip/onnx/text_model.onnx')), undefined);
  });

  function planted(version: number): Uint8Array {
    const port = (field: number, name: string): Uint8Array => {
      const dims = [0, 1, 2].map((axis) => message(1, message(2, `${name}${axis}`)));
      const tensor = Buffer.concat([Buffer.from([1 << 3, 1]), message(2, Buffer.concat(dims))]);
      return message(field, Buffer.concat([message(1, name), message(2, message(1, tensor))]));
    };
    const graph = [
      ...Object.keys(weights).map((name) => nodeOf('MatMul', ['x', name], `y${name}`)),
      message(2, 'planted'),
      ...Object.entries(weights).map(([name, { values, columns }]) => {
        const data = Buffer.from(Float32Array.from(values).buffer);
        const head = Buffer.from([1 << 3, 2, 1 << 3, columns, 2 << 3, 1]);
        return message(5, Buffer.concat([head, message(8, name), message(9, data)]));
      }),
      port(11, 'x'),
      ...Object.keys(expected).map((name) => port(12, name)),
    ];
    const opset = Buffer.concat([message(1, ''), Buffer.from([2 << 3, version])]);
    return Buffer.concat([Buffer.from([1 << 3, 8]), message(7, Buffer.concat(graph)), message(8, opset)]);
  }
});
