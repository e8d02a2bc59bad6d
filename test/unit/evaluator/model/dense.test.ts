import { english } from '../../../../src/base/english';
import assert from 'node:assert/strict';
import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CaptiousError } from '../../../../src/base/errors';
import oracle from '../../../oracle/evaluator/dense.json';
import { assertClose, cleanUp, copyOf, editJson, embedAll, open, openPath, valueOf } from '../fixtures';

describe('Dense modules, against sentence-transformers', () => {
  afterEach(cleanUp);

  it('come after pooling, in order, and before normalisation', async () => {
    const evaluator = await open('bert-dense');
    assert.equal(evaluator.info.kind, 'text-encoder');
    assert.equal(evaluator.info.dimension, 16);
    assert.match(
      evaluator.info.notes.map(english).join('\n'),
      /maps 24 numbers to 40 \(Tanh\).*2_Dense\/model\.safetensors/,
    );
    const rows = await embedAll(evaluator, oracle.texts);
    rows.forEach((row, i) => assertClose(valueOf(row), oracle.embeddings[i]));
  });

  it('change the key with their weights', async () => {
    const path = copyOf('bert-dense');
    const { info } = await openPath(path);
    const weights = join(path, '3_Dense', 'model.safetensors');
    const bytes = readFileSync(weights);
    bytes[bytes.length - 1] ^= 1;
    writeFileSync(weights, bytes);
    assert.notEqual((await openPath(path)).info.textKey, info.textKey);
  });

  async function problem(change: (path: string) => void, use = false): Promise<string> {
    const path = copyOf('bert-dense');
    change(path);
    const error: unknown = await openPath(path)
      .then((evaluator) => (use ? evaluator.embedTexts!(['a cat']) : undefined))
      .then(
        () => undefined,
        (reason: unknown) => reason,
      );
    assert.ok(error instanceof CaptiousError, String(error));
    return error.describe();
  }

  it('raise a question if they are underspecified', async () => {
    const config = (path: string): string => join(path, '2_Dense', 'config.json');
    assert.match(
      await problem((path) => editJson(config(path), (json) => (json.activation_function = 'torch.nn.Mish'))),
      /activation function Mish is unknown.*Tanh/,
    );
    assert.match(
      await problem((path) => editJson(config(path), (json) => delete json.out_features)),
      /input or output size of this module/,
    );
    for (const width of ['in_features', 'out_features'])
      assert.match(
        await problem((path) => editJson(config(path), (json) => (json[width] = 65_537))),
        /more than 65536 inputs or outputs.*Check in_features and out_features/,
      );
    assert.match(
      await problem((path) =>
        editJson(config(path), (json) => (json.module_input_name = 'token_embeddings')),
      ),
      /reads token_embeddings/,
    );
    assert.match(
      await problem((path) => rmSync(join(path, '2_Dense', 'model.safetensors'))),
      /no 2_Dense\/model\.safetensors/,
    );
    const modules = ['Transformer', 'Pooling', 'Normalize', 'Dense'];
    const places = ['', '1_Pooling', '4_Normalize', '2_Dense'];
    const listed = modules.map((type, i) => ({
      type: `sentence_transformers.models.${type}`,
      path: places[i],
    }));
    assert.match(
      await problem((path) => writeFileSync(join(path, 'modules.json'), JSON.stringify(listed))),
      /Dense module after Normalize/,
    );
  });

  it('are reported if their weights do not fit', async () => {
    const weights = (path: string): string => join(path, '3_Dense', 'model.safetensors');
    assert.match(
      await problem((path) => truncateSync(weights(path), 200), true),
      /cannot be read.*3_Dense|3_Dense.*cannot be read/,
    );
    assert.match(
      await problem(
        (path) => editJson(join(path, '3_Dense', 'config.json'), (json) => (json.out_features = 12)),
        true,
      ),
      /linear\.weight has the shape \[16, 40\]; expected \[12, 40\]/,
    );
    assert.match(
      await problem(
        (path) => editJson(join(path, '3_Dense', 'config.json'), (json) => (json.bias = true)),
        true,
      ),
      /not contain the tensor linear\.bias/,
    );
  });
});
