import { saying } from '../../sentence';
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspectDataset } from '../../../src/dataset/inspect';
import { needSharedData, scratchFolder, sharedData } from './support';

const scratch = scratchFolder();

describe('inspecting a dataset', () => {
  it('counts, finds images and groups problems', async () => {
    scratch.write('one.jpg', '');
    const content = [
      'image,caption,group',
      'one.jpg,A.,x',
      'two.jpg,B.,x',
      'two.jpg,C.,y',
      '../three.jpg,D.,y',
      'ragged',
      'one.jpg,,z',
      'one.jpg, ,z',
    ].join('\n');
    const path = scratch.write('table.csv', content);
    const found = await inspectDataset(path);
    assert.deepEqual(JSON.parse(JSON.stringify(found)), found);
    assert.deepEqual(
      [found.format, found.form, found.encoding, found.size, found.examples, found.captions, found.roles],
      ['plain', 'captions', 'UTF-8', content.length, 4, 4, { caption: 4 }],
    );
    assert.deepEqual(found.columns, ['image', 'caption', 'group']);
    assert.equal(found.sha256, createHash('sha256').update(content).digest('hex'));
    const { distinct, inside, found: there, missing, refused } = found.images;
    assert.deepEqual([distinct, inside, there, missing.count, refused.count], [3, 0, 1, 1, 1]);
    assert.equal(missing.first[0].name, 'two.jpg');
    assert.equal(missing.first[0].place?.line, 3);
    assert.deepEqual(
      found.problems.map(({ code, severity, count, first }) => [code, severity, count, first[0].place?.line]),
      [
        ['broken-row', 'error', 1, 6],
        ['missing-field', 'error', 1, 7],
        ['empty-caption', 'error', 1, 8],
      ],
    );
  });

  it('counts the examples of a file on one line as those of the same file on many lines', async () => {
    const list = [
      { image: 'a.jpg', caption: 'A red bus.' },
      { image: 'b.jpg', caption: 'Two dogs.' },
      { image: 'b.jpg', caption: ' ' },
    ];
    const counted = async (name: string, content: string) => {
      const { examples, captions, images, problems } = await inspectDataset(scratch.write(name, content));
      return {
        examples,
        captions,
        missing: images.missing.count,
        problems: problems.map(({ code, count }) => [code, count]),
      };
    };
    const one = await counted('one-line.json', JSON.stringify(list));
    assert.deepEqual(one, { examples: 2, captions: 2, missing: 2, problems: [['empty-caption', 1]] });
    assert.deepEqual(await counted('many-lines.json', JSON.stringify(list, undefined, 2)), one);
  });

  it('does not take dates and addresses of COCO for the images', async () => {
    const image = {
      id: 1,
      file_name: 'a.jpg',
      coco_url: 'http://x/a.jpg',
      date_captured: '2013-11-14',
      width: 2,
    };
    const content = { images: [image], annotations: [{ id: 5, image_id: 1, caption: 'A.' }] };
    const { reads, ignored } = await inspectDataset(scratch.write('coco.json', JSON.stringify(content)));
    assert.deepEqual(
      reads.filter(([, as]) => as === 'image').map(([column]) => column),
      ['file_name', 'id', 'image_id'],
    );
    assert.deepEqual([...ignored].sort(), ['coco_url', 'date_captured']);
  });

  it('counts the images of COCO instances, which have no captions', async function () {
    needSharedData(this);
    const { format, examples, lists, note } = await inspectDataset(join(sharedData, 'coco/instances.json'));
    assert.deepEqual(
      [format, examples, lists],
      ['coco', 0, { images: 159, annotations: 1363, categories: 80 }],
    );
    assert.match(note ?? '', saying('dataset.cocoWithoutCaptions'));
  });

  it('does not take COCO with one entry per line for JSON lines', async () => {
    const sample = await inspectDataset('samples/instances.json');
    assert.equal(sample.format, 'coco');
    assert.match(sample.note ?? '', saying('dataset.cocoWithoutCaptions'));
    const entries = (list: object[]): string => `[\n${list.map((one) => JSON.stringify(one)).join(',\n')}\n]`;
    const images = [1, 2, 3].map((id) => ({ id, file_name: `${id}.jpg` }));
    const captions = images.map(({ id }) => ({ id, image_id: id, caption: `Caption ${id}.` }));
    for (const first of ['{\n"info": {"year": 2017},\n', '{"info": {"year": 2017},\n', '{']) {
      const path = scratch.write(
        'entries.json',
        `${first}"images": ${entries(images)},\n"annotations": ${entries(captions)}\n}\n`,
      );
      const { format, examples } = await inspectDataset(path);
      assert.deepEqual([format, examples], ['coco', 3], first);
    }
  });

  it('reads JSON lines whose first row is broken', async () => {
    const row = (i: number): string => `{"image": "${i}.jpg", "caption": "Caption ${i}."}`;
    const path = scratch.write('broken-first.jsonl', ['{"image": "0.jpg", "capt', row(1), row(2)].join('\n'));
    const { format, examples, problems } = await inspectDataset(path);
    assert.deepEqual([format, examples, problems[0].first[0].place?.line], ['plain', 2, 1]);
  });

  /** For each file, the number of rows with an existing image, as the data's README states it. */
  const withImages: [string, number][] = [
    ['visla/Generic_VISLA.tsv', 31],
    ['sugar-crepe/replace_obj.json', 44],
    ['sugar-crepe/swap_obj.json', 10],
    ['sugar-crepe/add_att.json', 12],
    ['rococo/same_concept.json', 22],
  ];
  for (const [file, rows] of withImages) {
    it(`finds the images of ${rows} rows of ${file}`, async function () {
      needSharedData(this);
      const { readAll } = await import('./support');
      const { createImageFinder } = await import('../../../src/dataset/images/images');
      const { unopened } = await import('../../../src/dataset/open');
      const path = join(sharedData, file);
      const finder = createImageFinder({ dataset: unopened(path), folders: [join(sharedData, 'coco')] });
      let found = 0;
      for (const { images } of (await readAll(path)).examples)
        if ((await finder.find(images[0].name)).ok) found++;
      assert.equal(found, rows);
    });
  }

  it('reports the hash of the inspected bytes', async function () {
    needSharedData(this);
    const path = join(sharedData, 'coco/captions.json');
    const { sha256, images } = await inspectDataset(path);
    assert.equal(sha256, createHash('sha256').update(readFileSync(path)).digest('hex'));
    assert.deepEqual([images.distinct, images.found, images.missing.count], [239, 239, 0]);
  });
});
