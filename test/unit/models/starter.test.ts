import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { readGraphHeader } from '../../../src/evaluator/model/onnx/onnxHeader';

const starter = resolve(__dirname, '../../../models/starter');
const fitting = resolve(__dirname, '../../../models/build/fitting');

type Manifest = Record<string, { bytes: number; sha256: string }>;

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'));
}

describe('the shipped starter encoder', () => {
  const manifest = JSON.parse(readFileSync(join(starter, 'manifest.json'), 'utf8')) as Manifest;

  it('contains the files of its manifest, to the byte, and no others', () => {
    assert.deepEqual(filesBelow(starter).sort(), [...Object.keys(manifest), 'manifest.json'].sort());
    for (const [name, { bytes, sha256 }] of Object.entries(manifest)) {
      const file = readFileSync(join(starter, name));
      assert.equal(file.length, bytes, name);
      assert.equal(createHash('sha256').update(file).digest('hex'), sha256, name);
    }
  });

  it('takes 52 MB at most', () => {
    const total = Object.values(manifest).reduce((sum, { bytes }) => sum + bytes, 0);
    assert.ok(total <= 52e6, `${total} bytes`);
  });

  it('has two towers that end in one space, with results that do not depend on the batch', () => {
    const text = readGraphHeader(join(starter, 'onnx/text_model.onnx'));
    const vision = readGraphHeader(join(starter, 'onnx/vision_model.onnx'));
    assert.deepEqual(
      text.inputs.map(({ name }) => name),
      ['input_ids', 'attention_mask', 'token_type_ids'],
    );
    assert.deepEqual(text.outputs, [{ name: 'text_embeds', type: 'float32', shape: ['batch', 384] }]);
    assert.deepEqual(vision.inputs, [
      { name: 'pixel_values', type: 'float32', shape: ['batch', 3, 288, 288] },
    ]);
    assert.deepEqual(vision.outputs, [{ name: 'image_embeds', type: 'float32', shape: ['batch', 384] }]);
    for (const { operators } of [text, vision])
      for (const name of ['DynamicQuantizeLinear', 'MatMulInteger', 'ConvInteger', 'BatchNormalization'])
        assert.ok(!operators.has(name), name);
  });

  it('has a truthful name', () => {
    const name = 'Starter (ImageNet + MiniLM, not CLIP)';
    for (const [file, key] of [
      ['captious.json', 'name'],
      ['config.json', '_name_or_path'],
    ]) {
      const json = JSON.parse(readFileSync(join(starter, file), 'utf8')) as Record<string, unknown>;
      assert.equal(json[key], name, file);
    }
    assert.ok(readFileSync(join(starter, 'README.md'), 'utf8').startsWith(`# ${name}\n`));
  });

  it('was fitted on redistributable photos, each attributed', () => {
    const { images } = JSON.parse(readFileSync(join(fitting, 'captions.json'), 'utf8')) as {
      images: { file_name: string; license: number; flickr_url: string; coco_url: string }[];
    };
    const attribution = readFileSync(join(fitting, 'ATTRIBUTION.md'), 'utf8');
    assert.equal(images.length, 26);
    for (const image of images) {
      assert.ok([4, 5, 7, 8].includes(image.license), image.file_name);
      assert.match(image.coco_url, /\/train2017\//);
      assert.ok(attribution.includes(image.file_name) && attribution.includes(image.flickr_url));
    }
    assert.deepEqual(
      filesBelow(fitting)
        .filter((name) => name.endsWith('.jpg'))
        .sort(),
      images.map((image) => image.file_name).sort(),
    );
  });
});
