import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Random } from '../../../src/base/random';
import { openDataset } from '../../../src/dataset/open';
import { mineSpatial, type SpatialYield } from '../../../src/mining/spatial';

const data = resolve('../shared/data/vsr/random_test.jsonl');

interface Judged {
  id: string;
  image: string;
  p1: string;
  p2: string;
  n: string;
  needsEdit: boolean;
  why?: string;
}
const { judged, seed } = JSON.parse(readFileSync('test/oracle/visla/mined-judgements.json', 'utf8')) as {
  judged: Judged[];
  seed: number;
};

describe('spatial mining on VSR', () => {
  let found: SpatialYield;
  before(async function () {
    if (!existsSync(data)) {
      console.log(`      skipped: ${data} is not there`);
      this.skip();
    }
    found = await mineSpatial((await openDataset(data)).read());
  });

  it('yields at least 200 triplets, each with three different sentences', () => {
    assert.ok(found.halves.length >= 200, `${found.halves.length}`);
    for (const { caption, positives, negatives } of found.halves) {
      const texts = [caption, positives[0].text, ...negatives.map(({ text }) => text)];
      assert.equal(new Set(texts).size, texts.length, caption);
      assert.ok(negatives.length <= 3);
    }
    console.log(`      ${found.halves.length} triplets from ${found.statements} statements`);
  });

  it('still yields the hundred that were drawn and judged', () => {
    const drawn = new Random(seed, 'mined-judgements').shuffle(found.halves).slice(0, judged.length);
    assert.deepEqual(
      drawn.map(({ id, image, caption, positives, negatives }) => [
        id,
        image,
        caption,
        positives[0].text,
        negatives[0].text,
      ]),
      judged.map(({ id, image, p1, p2, n }) => [id, image, p1, p2, n]),
    );
  });
});

describe('the judgments of mined triplets', () => {
  it('find that at least 80 of 100 need no edit, and say why the others do', () => {
    assert.equal(judged.length, 100);
    assert.ok(judged.filter(({ needsEdit }) => !needsEdit).length >= 80);
    for (const { needsEdit, why, id } of judged) assert.equal(why !== undefined, needsEdit, id);
  });
});
