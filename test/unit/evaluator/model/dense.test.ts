import assert from 'node:assert/strict';
import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CaptiousError } from '../../../../src/base/errors';
import oracle from '../../../oracle/evaluator/dense.json';
import { assertClose, cleanUp, copyOf, editJson, embedAll, open, openPath, valueOf } from '../fixtures';
import { findSaid, say, type Words } from '../../../../src/base/say';

describe('Dense modules, against sentence-transformers', () => {
  afterEach(cleanUp);

  it('come after pooling, in order, and before normalisation', async () => {
    const evaluator = await open('bert-dense');
    assert.equal(evaluator.info.kind, 'text-encoder');
    assert.equal(evaluator.info.dimension, 16);
    const dense = evaluator.info.notes.flatMap((note) => findSaid(note, 'model.denseAfterPooling') ?? []);
    assert.deepEqual(dense, [
      say('model.denseAfterPooling', 24, 40, 'Tanh', '2_Dense/model.safetensors'),
      say('model.denseAfterPooling', 40, 16, 'Identity', '3_Dense/model.safetensors'),
    ]);
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

  async function problem(change: (path: string) => void, use = false): Promise<Words> {
    const path = copyOf('bert-dense');
    change(path);
    const error: unknown = await openPath(path)
      .then((evaluator) => (use ? evaluator.embedTexts!(['a cat']) : undefined))
      .then(
        () => undefined,
        (reason: unknown) => reason,
      );
    assert.ok(error instanceof CaptiousError, String(error));
    return error.what;
  }

  it('raise a question if they are underspecified', async () => {
    const config = (path: string): string => join(path, '2_Dense', 'config.json');
    assert.deepEqual(
      await problem((path) => editJson(config(path), (json) => (json.activation_function = 'torch.nn.Mish'))),
      say('model.activationUnknown', 'Mish'),
    );
    assert.deepEqual(
      await problem((path) => editJson(config(path), (json) => delete json.out_features)),
      say('model.denseSizeMissing'),
    );
    for (const width of ['in_features', 'out_features'])
      assert.deepEqual(
        await problem((path) => editJson(config(path), (json) => (json[width] = 65_537))),
        say('model.denseTooWide', 65_536),
      );
    assert.deepEqual(
      await problem((path) =>
        editJson(config(path), (json) => (json.module_input_name = 'token_embeddings')),
      ),
      say('model.denseInputWrong', 'token_embeddings'),
    );
    assert.deepEqual(
      await problem((path) => rmSync(join(path, '2_Dense', 'model.safetensors'))),
      say('model.folderFileMissing', '2_Dense/model.safetensors'),
    );
    const modules = ['Transformer', 'Pooling', 'Normalize', 'Dense'];
    const places = ['', '1_Pooling', '4_Normalize', '2_Dense'];
    const listed = modules.map((type, i) => ({
      type: `sentence_transformers.models.${type}`,
      path: places[i],
    }));
    assert.deepEqual(
      await problem((path) => writeFileSync(join(path, 'modules.json'), JSON.stringify(listed))),
      say('model.denseAfterNormalize'),
    );
  });

  it('are reported if their weights do not fit', async () => {
    const weights = (path: string): string => join(path, '3_Dense', 'model.safetensors');
    assert.deepEqual(
      await problem((path) => truncateSync(weights(path), 200), true),
      say('model.weightsUnreadable', say('model.tensorBeyondFile')),
    );
    assert.deepEqual(
      await problem(
        (path) => editJson(join(path, '3_Dense', 'config.json'), (json) => (json.out_features = 12)),
        true,
      ),
      say('model.tensorShapeWrong', 'linear.weight', '16, 40', '12, 40'),
    );
    assert.deepEqual(
      await problem(
        (path) => editJson(join(path, '3_Dense', 'config.json'), (json) => (json.bias = true)),
        true,
      ),
      say('model.tensorMissing', 'linear.bias'),
    );
  });
});
