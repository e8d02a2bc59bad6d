import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { createImageFinder } from '../../../src/dataset/images/images';
import { openDataset } from '../../../src/dataset/open';
import { type Sample, samplePairs } from '../../../src/parity/sample';
import type { ImageSpec } from '../../../src/protocol/imageSpec';

const spec: ImageSpec = {
  resize: { rule: 'exact', width: 8, height: 8, filter: 'bicubic' },
  crop: undefined,
  rescale: 1,
  mean: [0, 0, 0],
  std: [1, 1, 1],
  order: 'rgb',
  layout: 'channels-first',
  width: 8,
  height: 8,
};

describe('the sample of pairs', () => {
  const folder = mkdtempSync(join(tmpdir(), 'captious-parity-sample-'));
  const rows: { image: string; caption: string }[] = [];

  before(async () => {
    mkdirSync(join(folder, 'images'));
    for (let i = 0; i < 120; i++) {
      const channels = i % 12 === 0 ? 4 : 3;
      const create = { width: 8, height: 8, channels, background: { r: i, g: 9, b: 9, alpha: 0.5 } } as const;
      await sharp({ create })
        .png()
        .toFile(join(folder, 'images', `${i}.png`));
      for (const caption of [
        'a dog',
        'a cat',
        i % 12 === 1 ? 'two  birds' : 'two birds',
        'a bus',
        'long'.repeat(i % 12),
      ])
        rows.push({ image: `${i}.png`, caption: caption || 'a tree' });
    }
  });

  after(() => rmSync(folder, { recursive: true, force: true }));

  async function sample(all: readonly object[], pairs = 120): Promise<Sample> {
    const path = join(folder, 'captions.jsonl');
    writeFileSync(path, all.map((row) => JSON.stringify(row)).join('\n'));
    const signal = new AbortController().signal;
    const dataset = await openDataset(path, {});
    const finder = createImageFinder({ dataset, folders: [join(folder, 'images')], signal });
    const cuts = (texts: readonly string[]): Promise<boolean[]> =>
      Promise.resolve(texts.map((text) => text.length > 40));
    return samplePairs(dataset, finder, { pairs, seed: 1, signal, spec, cuts });
  }

  it('prefers images and captions that show rare settings, on both sides', async () => {
    const { pairs, searched, traits, looked } = await sample(rows);
    assert.equal(looked, 120);
    assert.deepEqual(traits.alpha, { sample: 10, looked: 10 });
    assert.deepEqual(traits.whitespace, { sample: 10, looked: 10 });
    assert.deepEqual(traits.long, { sample: 10, looked: 10 });
    assert.deepEqual(traits.turned, { sample: 0, looked: 0 });
    assert.equal(pairs.length, 120);
    assert.equal(searched, 60);
    const sides = [pairs.slice(0, searched), pairs.slice(searched)];
    const [first, second] = sides.map((side) => new Set(side.map(({ image }) => image.source.name)));
    assert.equal(first.size + second.size, new Set([...first, ...second]).size);
    for (const side of [first, second])
      assert.equal([...side].filter((name) => Number.parseInt(name) % 12 === 0).length, 5);
    for (const side of sides) assert.equal(side.filter(({ caption }) => caption === 'two  birds').length, 5);
  });

  it('does not depend on the order of the file', async () => {
    const names = ({ pairs }: Sample): string[] =>
      pairs.map(({ image, caption }) => image.source.name + caption);
    assert.deepEqual(names(await sample([...rows].reverse())), names(await sample(rows)));
  });

  it('searches on at most 60 pairs and confirms on all others', async () => {
    const { pairs, searched } = await sample(rows, 200);
    assert.equal(pairs.length, 200);
    assert.equal(searched, 60);
  });
});
