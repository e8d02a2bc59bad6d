import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readGraphHeader } from '../../../../../src/evaluator/model/onnx/onnxHeader';
import { numbersOf } from '../../../../../src/evaluator/model/runtime';
import { cleanUp, modelsPath, scratch } from '../../fixtures';
import { CaptiousError } from '../../../../../src/base/errors';
import { findSaid } from '../../../../../src/base/say';

const graph = (name: string, file = 'model.onnx'): string => join(modelsPath, name, 'onnx', file);

describe('readGraphHeader', () => {
  afterEach(cleanUp);

  it('reads inputs, outputs and shapes', () => {
    const { inputs, outputs } = readGraphHeader(graph('odd-dual'));
    assert.deepEqual(inputs, [
      { name: 'input_ids', type: 'int64', shape: ['b', 'n'] },
      { name: 'pixel_values', type: 'float32', shape: ['p', 3, 8, 8] },
    ]);
    assert.deepEqual(outputs, [
      { name: 'text_embeds', type: 'float32', shape: ['b', 4] },
      { name: 'image_embeds', type: 'float32', shape: ['p', 4] },
    ]);
  });

  it('reads the bodies of loops', () => {
    const { operators } = readGraphHeader(graph('odd-endless'));
    assert.deepEqual([...operators].sort(), ['Gather', 'Identity', 'Loop', 'Sin']);
  });

  it('counts bytes of weights by type, and recognises dynamic quantisation', () => {
    const plain = readGraphHeader(graph('bert-cls'));
    assert.deepEqual(numbersOf(plain), { precision: 'float32', dynamic: false, alone: false });
    const floats = [...plain.weights.values()].filter(({ type }) => type === 'float32');
    assert.ok(floats.reduce((sum, { bytes }) => sum + bytes, 0) > 264 * 32 * 4);
    assert.deepEqual(numbersOf(readGraphHeader(graph('odd-int8', 'model_int8.onnx'))), {
      precision: 'int8',
      dynamic: true,
      alone: true,
    });
  });

  it('rejects truncation anywhere, and files that are not ONNX', () => {
    const whole = readFileSync(graph('odd-table'));
    const path = join(scratch(), 'model.onnx');
    let refused = 0;
    for (let length = 0; length < whole.length; length += 7) {
      writeFileSync(path, whole.subarray(0, length));
      try {
        readGraphHeader(path);
      } catch (error) {
        assert.ok(
          error instanceof CaptiousError && findSaid(error.what, 'model.onnxIncomplete'),
          String(error),
        );
        refused++;
      }
    }
    // A truncated file is accepted only if the operator versions after the graph are the only missing part.
    assert.ok(refused >= Math.floor(whole.length / 7) - 2, `${refused} of ${whole.length / 7}`);
    writeFileSync(path, 'no model');
    assert.throws(() => readGraphHeader(path), { kind: 'evaluator', at: path });
    assert.throws(() => readGraphHeader(join(path, 'nowhere')), { kind: 'evaluator' });
  });
});
