import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { openClipSpec } from '../../../src/evaluator/model/images/openClip';
import { ModelFolder } from '../../../src/evaluator/model/modelFolder';
import { decode } from '../../../src/evaluator/native/images/decode';
import { preprocess } from '../../../src/evaluator/native/images/preprocess';
import { resize } from '../../../src/evaluator/native/images/resample';
import type { Pixels } from '../../../src/perturb/image/pixels';
import type { ImageSpec, ResampleFilter } from '../../../src/protocol/imageSpec';
import oracle from '../../oracle/evaluator/sizing.json';
import { cleanUp, scratch } from './fixtures';
import { formulaImage } from './formulaImage';

const coco = resolve(__dirname, '../../../../shared/data/coco/images');

function hash(data: Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}

/** The hash of the resized and cropped image, before its values are scaled and normalised. */
function sized(
  pixels: Pixels,
  spec: Pick<ImageSpec, 'resize' | 'crop' | 'width' | 'height' | 'resampler'>,
): string {
  const bare = {
    rescale: 1,
    mean: [0, 0, 0],
    std: [1, 1, 1],
    order: 'rgb',
    layout: 'channels-last',
  } as const;
  return hash(Uint8Array.from(preprocess(pixels, { ...spec, ...bare })));
}

function openClip(preprocess: object, model: object = {}): Omit<ImageSpec, 'layout'> {
  const path = join(scratch(), 'model');
  mkdirSync(path);
  const config = { model_cfg: model, preprocess_cfg: preprocess };
  writeFileSync(join(path, 'open_clip_config.json'), JSON.stringify(config));
  return openClipSpec(new ModelFolder(path))!.spec;
}

const hub: Record<string, Pick<ImageSpec, 'resize' | 'crop' | 'width' | 'height' | 'resampler'>> = {
  clip: {
    resize: { rule: 'shortest', side: 224, filter: 'bicubic' },
    crop: { width: 224, height: 224 },
    width: 224,
    height: 224,
  },
  'siglip-torchvision': {
    resize: { rule: 'exact', width: 224, height: 224, filter: 'bicubic' },
    crop: undefined,
    resampler: 'torchvision',
    width: 224,
    height: 224,
  },
};
hub['clip-torchvision'] = { ...hub.clip, resampler: 'torchvision' };

describe('resizing and cropping', () => {
  after(cleanUp);

  for (const [name, cfg] of Object.entries(oracle.configs)) {
    it(`equals open_clip to the byte: ${name}`, () => {
      const spec = openClip(cfg);
      for (const { size, sha256 } of oracle.made) {
        const made = sized(formulaImage(size[0], size[1]), spec);
        assert.equal(made, sha256[name as keyof typeof sha256], size.join('×'));
      }
    });
  }

  for (const [name, spec] of Object.entries(hub)) {
    it(`equals transformers to the byte: ${name}`, () => {
      for (const { size, sha256 } of oracle.made) {
        const made = sized(formulaImage(size[0], size[1]), spec);
        assert.equal(made, sha256[name as keyof typeof sha256], size.join('×'));
      }
    });
  }

  for (const { from, to, filter, sha256 } of oracle.torchvision) {
    it(`equals torchvision on uint8 tensors: ${filter}, ${from.join('×')} to ${to.join('×')}`, () => {
      const image = formulaImage(from[0], from[1]);
      const made = resize(image, to[0], to[1], filter as ResampleFilter, 'torchvision');
      assert.equal(hash(made.data), sha256);
    });
  }

  it('equals open_clip and transformers on all 239 COCO images', async function () {
    if (!existsSync(coco)) {
      console.log(`    (left out: ${coco} is not there)`);
      this.skip();
    }
    this.timeout(120_000);
    const specs = { ...hub, shortest: openClip({ size: 224 }) };
    let otherCrop = 0;
    for (const [name, expected] of Object.entries(oracle.coco)) {
      const pixels = await decode({ name, path: join(coco, name) });
      for (const [kind, spec] of Object.entries(specs))
        assert.equal(sized(pixels, spec), expected[kind as keyof typeof expected], `${kind}: ${name}`);
      if (expected.shortest !== expected.clip) otherCrop++;
    }
    assert.equal(Object.keys(oracle.coco).length, 239);
    assert.equal(otherCrop, 63, 'images that open_clip crops elsewhere than transformers');
  });

  it('uses the size of open_clip’s vision tower', () => {
    const spec = openClip({ size: 224 }, { vision_cfg: { image_size: 336 } });
    assert.deepEqual([spec.width, spec.height], [336, 336]);
    assert.deepEqual(openClip({}).mean, [0.48145466, 0.4578275, 0.40821073]);
  });

  it('names the key of open_clip_config.json that it cannot read', () => {
    assert.throws(() => openClip({ resize_mode: 'stretch' }), /preprocess_cfg\.resize_mode/);
    assert.throws(() => openClip({ interpolation: 'nearest' }), /preprocess_cfg\.interpolation/);
    assert.throws(() => openClip({ mean: [0.5, 0.5] }), /preprocess_cfg\.mean/);
    assert.throws(() => openClip({ size: 'large' }), /preprocess_cfg\.size/);
    assert.throws(
      () => openClip({}, { vision_cfg: { image_size: 'large' } }),
      /model_cfg\.vision_cfg\.image_size/,
    );
  });
});
