import { saying } from '../../sentence';
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { checkPlaces, countBy, decodeCell, decodeJson, needSharedData, readAll, sharedData } from './support';

/** A Python script counted these numbers. */
const files = [
  ['coco/captions.json', 'coco', 'captions', 239, { caption: 1195 }],
  ['rococo/coco_karpathy_test.json', 'rococo', 'captions', 5000, { caption: 25010 }],
  ['rococo/same_concept.json', 'rococo', 'altered', 5000, { caption: 25000, altered: 25000 }],
  ['sugar-crepe/add_att.json', 'sugarcrepe', 'pair', 692, { caption: 692, negative: 692 }],
  ['sugar-crepe/replace_obj.json', 'sugarcrepe', 'pair', 1652, { caption: 1652, negative: 1652 }],
  ['sugar-crepe/swap_obj.json', 'sugarcrepe', 'pair', 245, { caption: 245, negative: 245 }],
  ['visla/Generic_VISLA.tsv', 'visla', 'triplet', 973, { caption: 1946, negative: 973 }],
  ['vsr/random_test.jsonl', 'vsr', 'pair', 2195, { caption: 1181, negative: 1014 }],
] as const;

describe('the shared data', () => {
  for (const [file, format, form, count, roles] of files) {
    it(`reads ${file} as ${format} with the right counts and places`, async function () {
      needSharedData(this);
      const path = join(sharedData, file);
      const { dataset, examples, problems } = await readAll(path);
      assert.equal(dataset.format, format);
      assert.equal(dataset.form, form);
      assert.equal(examples.length, count);
      assert.deepEqual(
        countBy(
          examples.flatMap(({ captions }) => captions),
          ({ role }) => role,
        ),
        roles,
      );
      assert.equal(new Set(examples.map(({ id }) => id)).size, count);
      assert.deepEqual(
        problems.filter(({ severity }) => severity === 'error'),
        [],
      );
      checkPlaces(path, examples, file.endsWith('.tsv') ? decodeCell : decodeJson);
    });
  }

  it('keeps quotes inside VISLA cells', async function () {
    needSharedData(this);
    const { examples } = await readAll(join(sharedData, 'visla/Generic_VISLA.tsv'));
    assert.deepEqual(
      examples[54].captions.map(({ text }) => text),
      [
        'A sign with the word "Pub" hangs above several liquor bottles.',
        'A sign reading "Pub" is suspended above multiple liquor bottles.',
        'A sign with the word "Pub" hangs behind several liquor bottles.',
      ],
    );
    assert.equal(examples[54].place?.line, 56);
  });

  it('says that instances.json is COCO without captions', async function () {
    needSharedData(this);
    await assert.rejects(
      readAll(join(sharedData, 'coco/instances.json')),
      saying('dataset.cocoWithoutCaptions', '159 images and 1363 annotations of 80 categories'),
    );
  });
});
