import { english } from '../../../src/base/english';
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { CaptiousError } from '../../../src/base/errors';
import { patchGrid } from '../../../src/evaluator/native/images/preprocess';
import oracle from '../../oracle/evaluator/naflex.json';
import {
  assertClose,
  bytesOf,
  cleanUp,
  copyOf,
  editJson,
  embedAll,
  open,
  openPath,
  imageItem,
  valueOf,
} from './fixtures';

const files = Object.keys(oracle.image) as (keyof typeof oracle.image)[];

describe('SigLIP 2 with images of any shape, against transformers', () => {
  afterEach(cleanUp);

  it('cuts images of any size into as many patches as the reference', () => {
    for (const [height, width, side, most, tall, wide] of oracle.sizes) {
      const { rows, columns } = patchGrid({ width, height }, { width: side }, { most });
      assert.deepEqual([rows * side, columns * side], [tall, wide], `${width}×${height}, ${most} of ${side}`);
    }
    assert.equal(new Set(files.map((file) => String(oracle.shapes[file]))).size, 2, 'two shapes');
  });

  it("embeds texts and images, and scores with the model's factor and bias", async () => {
    const evaluator = await open('family-siglip2-naflex');
    const { scale, notes } = evaluator.info;
    assert.match(
      notes.map(english).join('\n'),
      /resized \(bilinear\) with the same aspect ratio to at most 20 patches of 8×8/,
    );
    assert.ok(scale.name === 'sigmoid');
    assertClose([scale.factor, scale.bias], [15, -2.5], 1e-4);
    const texts = (await embedAll(evaluator, oracle.texts)).map((row) => valueOf(row));
    texts.forEach((row, i) => assertClose(row, oracle.text[i]));
    const images = (await evaluator.embedImages!(files.map((file) => imageItem(file)))).map((row) =>
      valueOf(row),
    );
    images.forEach((row, i) => assertClose(row, oracle.image[files[i]]));
    texts.forEach((text, t) =>
      images.forEach((image, i) => {
        const cosine = text.reduce((sum, value, d) => sum + value * image[d], 0);
        assertClose([scale.factor * cosine + scale.bias], [oracle.logits[t][i]], 1e-4);
      }),
    );
  });

  it('gives identical bits for an image in batches of any shapes', async () => {
    const evaluator = await open('family-siglip2-naflex');
    const together = await evaluator.embedImages!([...files, ...files].map((file) => imageItem(file)));
    for (const [i, file] of files.entries()) {
      const [alone] = await evaluator.embedImages!([imageItem(file)]);
      assert.equal(bytesOf(valueOf(together[i])), bytesOf(valueOf(alone)));
      assert.equal(bytesOf(valueOf(together[i + files.length])), bytesOf(valueOf(alone)));
    }
  });

  it('asks if the folder omits the patch size or contradicts the graph', async () => {
    const problem = async (change: (json: Record<string, unknown>) => void): Promise<string> => {
      const path = copyOf('family-siglip2-naflex');
      editJson(join(path, 'preprocessor_config.json'), change);
      const error: unknown = await openPath(path).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      assert.ok(error instanceof CaptiousError, String(error));
      return error.describe();
    };
    assert.match(
      await problem((json) => delete json.patch_size),
      /The size of a patch is missing.*patch_size/,
    );
    assert.match(await problem((json) => (json.patch_size = 16)), /20 patches with 768 numbers each/);
    assert.match(await problem((json) => delete json.max_num_patches), /size of|four axes/);
  });

  it('padding: a folder that pads on the left gets its padding there', async () => {
    const path = copyOf('family-siglip2-naflex');
    const right = await open('family-siglip2-naflex');
    editJson(join(path, 'tokenizer_config.json'), (json) => (json.padding_side = 'left'));
    const left = await openPath(path);
    const [a] = await right.embedTexts!(['a black cat']);
    const [b] = await left.embedTexts!(['a black cat']);
    assert.notEqual(bytesOf(valueOf(a)), bytesOf(valueOf(b)));
    // A full-length text needs no padding.
    const [full] = await right.embedTexts!([oracle.texts[6]]);
    const [same] = await left.embedTexts!([oracle.texts[6]]);
    assert.equal(bytesOf(valueOf(full)), bytesOf(valueOf(same)));
  });
});
