import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import oracle from '../../oracle/evaluator/openclip.json';
import {
  assertClose,
  cleanUp,
  copyOf,
  editJson,
  embedAll,
  open,
  openPath,
  imageItem,
  valueOf,
} from './fixtures';

interface Family {
  text: number[][];
  image: Record<string, number[]>;
}

const families: Record<string, Family> = {
  'eva02-clip': oracle['eva02-clip'],
  'mobileclip-s': oracle['mobileclip-s'],
  'mobileclip-b': oracle['mobileclip-b'],
  'xlm-roberta-clip': oracle['xlm-roberta-clip'],
  'tiny-clip': oracle['tiny-clip'],
  'jina-clip': oracle['jina-clip'],
};

/** Compares with a relative tolerance, because random weights give embeddings of any norm. */
function assertLike(row: Float32Array, expected: readonly number[]): void {
  assertClose(row, expected, 5e-6 * Math.max(1, Math.hypot(...expected)));
}

describe('families of dual encoders against open_clip and timm', () => {
  afterEach(cleanUp);

  for (const [name, expected] of Object.entries(families)) {
    it(`${name}: texts, and images through its own processing`, async () => {
      const evaluator = await open(`family-${name}`);
      assert.equal(evaluator.info.kind, 'dual-encoder');
      const texts = await embedAll(evaluator, oracle.texts);
      texts.forEach((row, i) => assertLike(valueOf(row), expected.text[i]));
      const files = Object.keys(expected.image);
      assert.equal(files.length, 3);
      const images = await evaluator.embedImages!(files.map((file) => imageItem(file)));
      images.forEach((row, i) => assertLike(valueOf(row), expected.image[files[i]]));
      const distinct = new Set(texts.map((row) => valueOf(row).join()));
      assert.ok(distinct.size >= oracle.texts.length - 1, 'texts differ');
    });
  }

  it("mobileclip: gives another embedding with CLIP's colours and filter", async () => {
    const path = copyOf('family-mobileclip-s');
    editJson(join(path, 'preprocessor_config.json'), (json) => (json.do_normalize = true));
    const [row] = await (await openPath(path)).embedImages!([imageItem('wide.png')]);
    assert.throws(() => assertLike(valueOf(row), oracle['mobileclip-s'].image['wide.png']));
  });

  it('jina-clip: asks about unknown keys for the image size', async () => {
    const path = copyOf('family-jina-clip');
    writeFileSync(
      join(path, 'preprocessor_config.json'),
      JSON.stringify({
        image_processor_type: 'JinaCLIPImageProcessor',
        size: 32,
        mean: [0.48, 0.46, 0.41],
        std: [0.27, 0.26, 0.28],
        resize_mode: 'shortest',
        interpolation: 'bicubic',
      }),
    );
    await assert.rejects(openPath(path), /JinaCLIPImageProcessor/);
    rmSync(path, { recursive: true });
  });
});
