import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { CaptiousError } from '../../../../src/base/errors';
import { findSaid } from '../../../../src/base/say';
import { openDataset } from '../../../../src/dataset/open';
import { readObjects } from '../../../../src/dataset/images/openImages';
import { readInstances } from '../../../../src/dataset/instances';
import { objectsOf } from '../../../../src/probe/invariance/plan/beside';

const samples = resolve('samples');
const columns =
  'ImageID,Source,LabelName,Confidence,XMin,XMax,YMin,YMax,IsOccluded,IsTruncated,IsGroupOf,IsDepiction,IsInside';

describe('boxes of Open Images', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'captious-open-images-'));
  });
  after(() => rm(folder, { recursive: true }));

  const write = async (name: string, lines: readonly string[]): Promise<string> => {
    const path = join(folder, name);
    await writeFile(path, `${lines.join('\r\n')}\r\n`);
    return path;
  };
  const refused = (path: string, remedy: RegExp) =>
    assert.throws(
      () => readObjects(path),
      (error) => {
        assert.ok(error instanceof CaptiousError && error.kind === 'input');
        assert.match(error.remedy ?? '', remedy);
        return true;
      },
    );

  it('are the objects of the same images in COCO’s form', async () => {
    const coco = readInstances(join(samples, 'instances.json'));
    assert.deepEqual(readObjects(join(samples, 'instances.json')), coco);
    const labels = [
      ...new Set([...coco.images.values()].flatMap(({ instances }) => instances.map(({ label }) => label))),
    ];
    const boxes = await write('validation-annotations-bbox.csv', [
      columns,
      ...[...coco.images].flatMap(([name, { width, height, instances }]) =>
        instances.map(({ label, box: [x, y, wide, high], crowd }) =>
          [
            ...[name.replace('.jpg', ''), 'xclick', `/m/${labels.indexOf(label)}`, 1],
            ...[
              x / width,
              Math.min(1, (x + wide) / width),
              y / height,
              Math.min(1, (y + high) / height),
              0,
              0,
              crowd ? 1 : 0,
              0,
              -1,
            ],
          ].join(','),
        ),
      ),
    ]);
    refused(boxes, /class-descriptions-boxable\.csv/);
    await write(
      'class-descriptions-boxable.csv',
      labels.map((label, i) => `/m/${i},${label[0].toUpperCase()}${label.slice(1)}`),
    );
    const instances = readObjects(boxes);
    let compared = 0;
    for (const [name, known] of coco.images) {
      if (known.instances.length === 0) continue;
      const source = { name, path: join(samples, 'images', name) };
      const image = () => ({ kind: 'image' as const, source, transforms: [] });
      const found = objectsOf({ images: [{ name }] }, { beside: { instances }, image })!;
      assert.deepEqual([found.width, found.height], [known.width, known.height], name);
      for (const [i, { label, box, crowd }] of known.instances.entries()) {
        const own = found.instances[i];
        assert.deepEqual([own.label, own.crowd, own.outline], [label, crowd, undefined]);
        // Some boxes of COCO end outside the image, by less than a pixel.
        for (const [at, value] of box.entries())
          assert.ok(Math.abs(own.box[at] - value) < 0.02, `${name} ${label}: ${own.box[at]} is not ${value}`);
        compared++;
      }
    }
    assert.ok(compared > 100, String(compared));
    // A depiction is no single object, and a name with a comma is in quotes.
    await write('class-descriptions-boxable.csv', ['/m/1,"Light, switch"']);
    const few = await write('few-annotations-bbox.csv', [columns, 'a,x,/m/1,1,0,0.5,0,0.5,0,0,0,1,0']);
    const [only] = readObjects(few).images.get('a.jpg')!.instances;
    assert.deepEqual([only.label, only.crowd, only.box], ['light, switch', true, [0, 0, 0.5, 0.5]]);
  });

  it('are rejected with their line if a box is invalid, a class is unknown, or a column is missing', async () => {
    await write('class-descriptions-boxable.csv', ['/m/1,Dog']);
    for (const line of [
      'a,x,/m/2,1,0,1,0,1,0,0,0,0,0',
      'a,x,/m/1,1,0,1.5,0,1,0,0,0,0,0',
      'a,x,/m/1,1,0.5,0.4,0,1,0,0,0,0,0',
      'a,x,/m/1,1,,1,0,1,0,0,0,0,0',
      'a',
    ]) {
      const path = await write('wrong-annotations-bbox.csv', [columns, 'a,x,/m/1,1,0,1,0,1,0,0,0,0,0', line]);
      assert.throws(() => readObjects(path), /Line 3 /, line);
    }
    refused(await write('other.csv', ['ImageID,LabelName', 'a,/m/1']), /annotations-bbox\.csv/);
    refused(await write('empty.csv', []), /annotations-bbox\.csv/);
  });
});

describe('tables of Open Images without captions', () => {
  let folder: string;
  before(async () => (folder = await mkdtemp(join(tmpdir(), 'captious-open-images-tables-'))));
  after(() => rm(folder, { recursive: true }));

  const id = '000002b66c9c498e';
  const link = 'https://example.org/5952491744_o.jpg';
  const list = 'ImageID,Subset,OriginalURL,OriginalLandingURL,License,AuthorProfileURL,Author,Title';
  const image = `${id},train,${link},${link},${link},${link},David,A dog in the park at night`;
  const files: Record<string, readonly string[]> = {
    'image_ids_and_rotation.csv': [`${list},Rotation`, `${image},0.0`],
    'train-images-boxable-with-rotation.csv': [list, image],
    'train-images-boxable.csv': ['image_name,image_url', `${id}.jpg,${link}`],
    'annotations-bbox.csv': [columns, `${id},xclick,/m/01g317,1,0.01,0.19,0.1,0.5,0,1,0,0,0`],
    'annotations-human-imagelabels.csv': [
      'ImageID,Source,LabelName,Confidence',
      `${id},verification,/m/01g317,1`,
    ],
    'vrd.csv': [
      'ImageID,LabelName1,LabelName2,XMin1,XMax1,YMin1,YMax1,XMin2,XMax2,YMin2,YMax2,RelationshipLabel',
      `${id},/m/01g317,/m/05r655,0.1,0.2,0.3,0.4,0.1,0.2,0.3,0.4,at`,
    ],
    'segmentation.csv': ['MaskPath,ImageID,LabelName,BoxID', `a.png,${id},/m/01g317,b`],
    'points.csv': ['ImageID,X,Y,Label,EstimatedYesNo,Source', `${id},0.1,0.2,/m/01,yes,ih`],
    'class-descriptions-boxable.csv': ['/m/011k07,Tortoise', '/m/011q46kg,Container'],
    'oidv7-class-descriptions.csv': ['LabelName,DisplayName', '/m/011k07,Tortoise'],
  };

  for (const [name, lines] of Object.entries(files))
    it(`${name} is named, and its columns are not taken for captions`, async () => {
      const path = join(folder, name);
      await writeFile(path, `${lines.join('\n')}\n`);
      await assert.rejects(openDataset(path), (error) => {
        assert.ok(error instanceof CaptiousError && error.kind === 'input');
        assert.deepEqual(findSaid(error.what, 'dataset.openImagesWithoutCaptions'), error.what);
        assert.match(error.remedy ?? '', /invariance\.instances/);
        assert.doesNotMatch(error.remedy ?? '', /Title/);
        return true;
      });
    });

  it('are read if the user maps their columns', async () => {
    const path = join(folder, 'mapped.csv');
    await writeFile(path, `${list}\n${image}\n`);
    const dataset = await openDataset(path, { map: { image: 'OriginalURL', caption: 'Title' } });
    for await (const example of dataset.read())
      assert.equal(example.captions[0].text, 'A dog in the park at night');
  });
});
