import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { FileExplainer } from '../../../src/audit/explain/explainFile';
import { objectsIn } from '../../../src/audit/explain/objects';
import { CaptiousError } from '../../../src/base/errors';
import type { Said } from '../../../src/base/say';
import { createBench } from '../../../src/bench/createBench';
import { objectsDrawing } from '../../../src/chart/explanation';
import type { Instance, Outlined } from '../../../src/dataset/instances';
import { explain, mostPairs, usualOptions } from '../../../src/explain/explain';
import { mostObjects } from '../../../src/explain/objects';
import { hideObject } from '../../../src/perturb/image/hide';
import type { ImageItem } from '../../../src/protocol/item';
import { image, planted, wordsIn } from './planted';

const [width, height] = [10, 8];
const instance = (label: string, box: Instance['box'], given: Partial<Instance> = {}): Instance => ({
  ...{ label, box, area: box[2] * box[3], crowd: false },
  ...given,
});
const polygon = (x: number, y: number, wide: number, high: number): number[] => [
  ...[x, y, x + wide, y],
  ...[x + wide, y + high, x, y + high],
];
const outlined: Outlined = {
  ...{ width, height },
  instances: [
    instance('ball', [8, 0, 2, 2], { outline: { polygons: [polygon(8, 0, 2, 2)] } }),
    instance('dog', [0, 0, 4, 4]),
    // Two parts of one dog, which a box would unite: 6 and 4 pixels.
    instance('dog', [2, 2, 6, 4], { outline: { polygons: [polygon(2, 2, 2, 3), polygon(6, 4, 2, 2)] } }),
    // Columns 0 and 1 of the last row, as COCO's run lengths (column by column).
    instance('person', [0, 7, 2, 1], { crowd: true, outline: { width, height, counts: [7, 1, 7, 1, 64] } }),
    instance('nothing', [0, 0, 0, 0], { outline: { polygons: [] } }),
  ],
};

const white = { width, height, data: new Uint8Array(width * height * 3).fill(255) };
const noBlur = () => assert.fail('nothing is blurred');
/** The image as the evaluator sees it. */
function seen({ transforms }: ImageItem): Uint8Array {
  const last = transforms.at(-1);
  return last?.op === 'conceal'
    ? hideObject(white, last.mask, last.fill ?? 'black', noBlur).data
    : white.data;
}
/** The number of white pixels in the columns before `to`. */
const count = (item: ImageItem, to: number): number =>
  seen(item).filter((value, at) => at % 3 === 0 && value === 255 && (at / 3) % width < to).length;

async function explained(score: (text: string, item: ImageItem) => number, table = false) {
  const bench = createBench();
  try {
    const options = { ...usualOptions, grid: undefined, table, objects: objectsIn(outlined, 'grey') };
    return await explain(
      { bench, evaluator: planted(score) },
      { caption: 'A dog', target: { image } },
      options,
    );
  } finally {
    await bench.close();
  }
}

describe('influence of objects', () => {
  it('are the largest first, by their outlines, with numbers where a name is not enough', () => {
    const { objects, leftOut } = objectsIn(outlined, 'grey');
    assert.deepEqual(
      objects.map(({ name, share }) => [name, Math.round(share * width * height)]),
      [
        ['dog 1', 16],
        ['dog 2', 10],
        ['ball', 4],
        ['person (group)', 2],
      ],
    );
    assert.equal(leftOut, 0);
    const many = Array.from({ length: mostObjects + 3 }, (_, i) => instance('cup', [i % 9, 0, 1, 1]));
    const limited = objectsIn({ width, height, instances: many }, 'grey');
    assert.deepEqual([limited.objects.length, limited.leftOut], [mostObjects, 3]);
  });

  it('equals the pixels of each object that a counter of pixels loses', async () => {
    // Of columns 0 to 6, dog 2 has 6 pixels and one column of its second part.
    const { objects, regions, budget, words } = await explained((_, item) => count(item, 7));
    assert.deepEqual(
      objects!.found.map(({ name, influence }) => [name, influence]),
      [
        ['dog 1', 16],
        ['dog 2', 8],
        ['ball', 0],
        ['person (group)', 2],
      ],
    );
    assert.equal(regions, undefined);
    assert.ok(budget.pairs <= mostPairs('A dog', { ...usualOptions, grid: undefined, table: false }, 4));
    for (const { influence } of words) assert.equal(influence, 0);
  });

  it('says which word needs which object', async () => {
    const hasBall = (item: ImageItem): boolean => seen(item)[(width - 1) * 3] === 255;
    const { objects } = await explained(
      (text, item) => (wordsIn(text).includes('dog') && hasBall(item) ? 3 : 0),
      true,
    );
    assert.deepEqual(
      objects!.found.map(({ words }) => words),
      [
        [0, 0],
        [0, 0],
        [0, 3],
        [0, 0],
      ],
    );
  });

  it('hides an object in an image of another size, but not of other proportions', () => {
    const twice = { width: 20, height: 16, data: new Uint8Array(20 * 16 * 3).fill(255) };
    const { mask } = objectsIn(outlined, 'grey').objects[1];
    const { data } = hideObject(twice, mask, 'grey', noBlur);
    assert.equal(data.filter((value, at) => at % 3 === 0 && value === 128).length, 40);
    assert.equal(data[(4 * 20 + 4) * 3], 128);
    assert.throws(() => hideObject({ ...twice, width: 16, height: 20 }, mask, 'grey', noBlur), /mask/);
    // The image itself stays as it is.
    assert.ok(twice.data.every((value) => value === 255));
  });

  it('draws each object with its number, and its sign without colour', () => {
    const found = [
      { name: 'dog', influence: 2, box: [0, 0, 4, 4] as const },
      { name: 'ball', influence: -1, box: [8, 6, 2, 2] as const },
    ];
    const { shapes, width: wide, height: high } = objectsDrawing('t', [], 200, { found, wide: 10, high: 8 });
    const frames = shapes.flatMap((shape) => (shape.is === 'path' && shape.closed ? [shape] : []));
    assert.deepEqual(
      frames.map(({ dash, points }) => [dash, points[0][0]]),
      [
        [undefined, 0],
        [[3, 3], 160],
      ],
    );
    const texts = shapes.flatMap((shape) => (shape.is === 'text' ? [shape.text] : []));
    for (const text of ['1', '2', '1. dog', '2. ball', '+2.000', '−1.000']) assert.ok(texts.includes(text));
    for (const shape of shapes)
      if (shape.is === 'box') assert.ok(shape.x + shape.wide <= wide && shape.y + shape.high <= high);
  });
});

describe('objects of a dataset', () => {
  let folder: string;
  before(() => (folder = mkdtempSync(join(tmpdir(), 'captious-objects-'))));
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('without a file of them, or without the image in it, are an error with its code', async () => {
    const name = '000000062554.jpg';
    const dataset = join(folder, 'one.jsonl');
    writeFileSync(dataset, JSON.stringify({ image: name, caption: 'Food on a table' }));
    const other = join(folder, 'other.json');
    writeFileSync(other, JSON.stringify({ images: [], annotations: [], categories: [] }));
    const explainer = await FileExplainer.open({
      ...{
        dataset,
        evaluator: 'test/fixtures/models/clip',
        images: [resolve('samples/images')],
        home: folder,
      },
      signal: new AbortController().signal,
    });
    try {
      const found = await explainer.find({ line: 1 });
      for (const [instances, code] of [
        [undefined, 'explain.noObjectsFile'],
        [other, 'explain.noObjectsInImage'],
      ] as const)
        await assert.rejects(
          explainer.explain(found, { objects: { fill: 'grey', instances }, options: {} }),
          (error) => error instanceof CaptiousError && (error.what as Said).code === code,
        );
    } finally {
      await explainer.close();
    }
  });
});
