import assert from 'node:assert/strict';
import type { Scale } from '../../../src/evaluator/evaluator';
import oracle from '../../oracle/evaluator/families.json';
import { assertClose, cleanUp, embedAll, open, imageItem, valueOf } from './fixtures';

interface Family {
  text: number[][];
  image: Record<string, number[]>;
  /** For each text, the logits with all images. */
  logits: number[][];
}

const families: Record<string, Family> = {
  'chinese-clip': oracle['chinese-clip'],
  'alt-clip': oracle['alt-clip'],
  align: oracle.align,
  'siglip-whole': oracle['siglip-whole'],
};

function unit(row: ArrayLike<number>): number[] {
  const values = Array.from(row);
  const norm = Math.hypot(...values);
  return values.map((value) => value / norm);
}

function scored(scale: Scale, cosine: number): number {
  return scale.name === 'sigmoid' ? 1 / (1 + Math.exp(-(scale.factor * cosine + scale.bias))) : cosine;
}

describe('families of dual encoders against transformers', () => {
  afterEach(cleanUp);

  for (const [name, expected] of Object.entries(families)) {
    it(`${name}: texts, and images through its own processor`, async () => {
      const evaluator = await open(`family-${name}`);
      assert.equal(evaluator.info.kind, 'dual-encoder');
      const texts = (await embedAll(evaluator, oracle.texts)).map((row) => unit(valueOf(row)));
      texts.forEach((row, i) => assertClose(row, unit(expected.text[i])));
      const files = Object.keys(expected.image);
      assert.equal(files.length, 3);
      const images = (await evaluator.embedImages!(files.map((file) => imageItem(file)))).map((row) =>
        unit(valueOf(row)),
      );
      images.forEach((row, i) => assertClose(row, unit(expected.image[files[i]])));

      // Scores rank pairs as the model's logits do. SigLIP's scores are the sigmoid of the logits.
      const { scale } = evaluator.info;
      assert.equal(scale.name, name === 'siglip-whole' ? 'sigmoid' : 'cosine');
      if (scale.name !== 'sigmoid') return;
      assertClose([scale.factor, scale.bias], [20, -3.25], 1e-4);
      texts.forEach((text, t) => {
        images.forEach((image, i) => {
          const cosine = text.reduce((sum, value, d) => sum + value * image[d], 0);
          const own = 1 / (1 + Math.exp(-expected.logits[t][i]));
          assert.ok(Math.abs(scored(scale, cosine) - own) < 1e-5);
        });
      });
    });
  }
});
