import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { byIdsOf, imageKey, readCaptions } from '../../../src/dataset/captionTable';
import { temporaryFolder } from '../../../src/base/files/temporary';

describe('readCaptions', () => {
  const forms: Record<string, string> = {
    'results.json': '[{"image_id": 397133, "caption": "a man"}, {"image_id": 5, "caption": "a dog"}]',
    'object.json': '{"397133": "a man", "5": ["a dog"]}',
    'evaluation.json': '{"397133": [{"caption": "a man"}], "000000000005.jpg": [{"caption": "a dog"}]}',
    'coco.json':
      '{"images": [{"id": 397133, "file_name": "000000397133.jpg"}, {"id": 5, "file_name": "000000000005.jpg"}], "annotations": [{"id": 1, "image_id": 397133, "caption": "a man"}, {"id": 2, "image_id": 5, "caption": "a dog"}]}',
    'table.csv': 'image,caption\n000000397133.jpg,a man\n000000000005.jpg,a dog\n',
    'lines.jsonl':
      '{"image": "000000397133.jpg", "caption": "a man"}\n{"image": "000000000005.jpg", "caption": "a dog"}\n',
  };
  for (const [name, content] of Object.entries(forms))
    it(`reads ${name}`, async () => {
      const path = join(await temporaryFolder('captions'), name);
      writeFileSync(path, content);
      const table = await readCaptions(path);
      assert.deepEqual([...table].map(([key, { captions }]) => [key, captions]).sort(), [
        ['397133', ['a man']],
        ['5', ['a dog']],
      ]);
    });

  it('identifies an image by COCO id, file name or path', () => {
    for (const name of [
      '397133',
      '000000397133.jpg',
      'val2017/000000397133.jpg',
      'COCO_val2014_000000397133.jpg',
    ])
      assert.equal(imageKey(name), '397133', name);
    assert.equal(imageKey('photos/dog.v2.png'), 'dog.v2');
    assert.equal(imageKey('dog.v2'), 'dog.v2');
  });

  it("finds COCO results by the ids of COCO's annotations, and not by numbers in file names", async () => {
    const folder = await temporaryFolder('captions');
    const annotations = {
      images: [
        { id: 0, file_name: 'cat.jpg' },
        { id: 1, file_name: '000000000002.jpg' },
      ],
      annotations: [0, 1].map((id) => ({ id, image_id: id, caption: `image ${id}` })),
    };
    writeFileSync(join(folder, 'coco.json'), JSON.stringify(annotations));
    const results = [0, 1, 2].map((id) => ({ image_id: id, caption: `result ${id}` }));
    writeFileSync(join(folder, 'results.json'), JSON.stringify(results));
    const coco = await readCaptions(join(folder, 'coco.json'));
    const found = byIdsOf(coco, await readCaptions(join(folder, 'results.json')));
    assert.deepEqual(
      [...coco].map(([key, { captions }]) => [captions[0], found.get(key)?.captions[0]]),
      [
        ['image 0', 'result 0'],
        ['image 1', 'result 1'],
      ],
    );
    assert.equal(found.size, 3);
  });

  it('names a file without captions', async () => {
    const path = join(await temporaryFolder('captions'), 'empty.json');
    writeFileSync(path, '{"a": 5}');
    await assert.rejects(readCaptions(path), { at: path });
  });
});
