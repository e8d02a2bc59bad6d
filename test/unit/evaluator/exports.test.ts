import assert from 'node:assert/strict';
import { join } from 'node:path';
import oracle from '../../oracle/evaluator/exports.json';
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

type Files = keyof (typeof oracle)['open-clip']['image'];
const files = Object.keys(oracle['open-clip'].image) as Files[];

describe('exports of other libraries, against those libraries', () => {
  afterEach(cleanUp);

  for (const name of ['open-clip', 'blip-itc'] as const) {
    it(`${name}: texts, and images through its own processing`, async () => {
      const evaluator = await open(`family-${name}`);
      assert.equal(evaluator.info.kind, 'dual-encoder');
      const texts = (await embedAll(evaluator, oracle.texts)).map((row) => valueOf(row));
      texts.forEach((row, i) => assertClose(row, oracle[name].text[i]));
      const images = (await evaluator.embedImages!(files.map((file) => imageItem(file)))).map((row) =>
        valueOf(row),
      );
      images.forEach((row, i) => assertClose(row, oracle[name].image[files[i]]));
      if (name !== 'blip-itc') return;
      texts.forEach((text, t) =>
        images.forEach((image, i) => {
          const cosine = text.reduce((sum, value, d) => sum + value * image[d], 0);
          assertClose([cosine], [oracle['blip-itc'].scores[t][i]]);
        }),
      );
    });
  }

  it("open-clip: pads every text to its graph's length", async () => {
    const evaluator = await open('family-open-clip');
    const sizes = await evaluator.measureTexts!(oracle.texts);
    assert.ok(sizes.every(({ tokens }) => tokens === 20));
    assert.deepEqual(
      sizes.map(({ cut }) => cut),
      [false, false, false, false, true, false, true],
    );
  });

  it('open-clip: gives the same embeddings padded with its end token, as the hub’s CLIP is', async () => {
    const path = copyOf('family-open-clip');
    editJson(join(path, 'tokenizer_config.json'), (json) => (json.pad_token = '<|endoftext|>'));
    const texts = await embedAll(await openPath(path), oracle.texts);
    texts.forEach((row, i) => assertClose(valueOf(row), oracle['open-clip'].text[i]));
  });

  it('blip-itc: takes its dimension from its rows, not from its configuration', async () => {
    const { info } = await open('family-blip-itc');
    assert.equal(info.dimension, oracle['blip-itc'].text[0].length);
  });

  it('blip-itc: squashes images instead of cropping', async () => {
    const path = copyOf('family-blip-itc');
    editJson(join(path, 'preprocessor_config.json'), (json) => {
      json.size = { shortest_edge: 32 };
      json.do_center_crop = true;
      json.crop_size = { height: 32, width: 32 };
    });
    const [row] = await (await openPath(path)).embedImages!([imageItem('wide.png')]);
    assert.throws(() => assertClose(valueOf(row), oracle['blip-itc'].image['wide.png'], 1e-3));
  });
});
