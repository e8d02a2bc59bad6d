import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Random } from '../../../../src/base/random';
import { flips } from '../../../../src/perturb/text/flip/flip';
import { perturb, type Perturbed } from '../../../../src/perturb/text/perturb';
import { lgipOptionsFrom } from '../../../../src/probe/lgip/options';

const file = join(__dirname, '../../../../../shared/data/rococo/coco_karpathy_test.json');

describe('the 25,010 captions of the Karpathy test split', function () {
  this.timeout(120_000);
  let entries: { image: string; caption: string[] }[] = [];
  before(function () {
    if (existsSync(file)) entries = JSON.parse(readFileSync(file, 'utf8')) as typeof entries;
    else {
      console.log('      skipped: ../shared/data/rococo/coco_karpathy_test.json is not there');
      this.skip();
    }
  });

  it('are perturbed within 500 MB, and none is mistaken for another language', () => {
    const rss = process.memoryUsage().rss;
    const options = lgipOptionsFrom({});
    const all: Perturbed[] = [];
    for (const { image, caption } of entries)
      for (const [i, text] of caption.entries())
        all.push(perturb(text.trim(), options, (purpose) => new Random(42, image, i, purpose)));
    assert.equal(all.length, 25_010);
    assert.ok(process.memoryUsage().rss - rss < 500e6);
    assert.deepEqual([...new Set(all.map(({ reading }) => reading))], ['english']);
  });

  it('get as many flips as in the paper if capitals do not match', () => {
    const perCaption = (capitals: boolean) => {
      const random = new Random(42);
      const made = entries.flatMap(({ caption }) =>
        caption.flatMap((text) => flips(text, () => random, { capitals })),
      );
      return made.length / 25_010;
    };
    // The paper has 80,632 flips of 200,000 captions, or 0.403 per caption.
    assert.ok(Math.abs(perCaption(false) - 80_632 / 200_000) < 0.01);
    assert.ok(perCaption(true) > 0.45);
  });
});
