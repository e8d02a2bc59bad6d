import assert from 'node:assert/strict';
import { atOnce } from '../../../src/base/turns/steps';
import { Random } from '../../../src/base/random';
import type { InvarianceRow, InvarianceVariant } from '../../../src/probe/invariance/row';
import type { Row } from '../../../src/probe/metric';
import { nonInferiority, ranksOfReports } from '../../../src/report/decisions/decisions';
import { pairedDifferences, type PairedDifference } from '../../../src/report/paired';
import { type RowShares, sharesByRow } from '../../../src/report/shares';
import { normalQuantile } from '../../../src/stats/normal';

const noise = (...key: (string | number)[]): number => normalQuantile(new Random(7, ...key).uniform());

/** One evaluator's changes: by words, the same on all images with one caption, and by flips, which differ by image. */
function rows(images: number, captions: number, evaluator: string, shift = 0): InvarianceRow[] {
  return Array.from({ length: images }, (_, image) => {
    const caption = image % captions;
    const text = `There is a thing ${caption}.`;
    const word = 1 + shift + 0.2 * noise(evaluator, 'caption', caption) + 0.01 * noise(evaluator, image);
    const flip = 1 + shift + 0.2 * noise(evaluator, 'image', image);
    const variant = (axis: string, family: string, delta: number) => ({
      ...{ axis, family, variant: family, text, against: 1, score: 1 + delta, delta, change: 100 * delta },
    });
    return {
      ...{ example: String(image), row: image, image: `${image}.jpg`, objects: 'single', source: 'template' },
      ...{ text, score: 1, rejected: [] },
      variants: [
        variant('societal', 'cultural', word),
        variant('spatial', 'hflip', flip),
      ] as InvarianceVariant[],
    };
  });
}

async function* stream(of: readonly Row[]): AsyncGenerator<Row> {
  yield* of;
}

async function compared(images: number, captions: number, shift = 0): Promise<Map<string, PairedDifference>> {
  const [a, b] = [rows(images, captions, 'a'), rows(images, captions, 'b', shift)];
  const found = await pairedDifferences('invariance', stream(a), stream(b));
  return new Map(found.map((one) => [one.metric, one]));
}

const [words, flips] = ['societal.cultural', 'spatial.hflip'].map(
  (name) => `invariance.${name}.meanAbsDelta`,
);

describe('a comparison of changed words whose images share captions', () => {
  it('also holds with one observation per caption', async () => {
    const found = await compared(200, 24);
    const { pValue, texts, images, ci, verdict } = found.get(words)!;
    assert.ok(pValue > 0.05, `p = ${pValue}`);
    assert.deepEqual([texts, images, verdict], [24, 200, 'undecided']);
    assert.ok(ci![0] < 0 && ci![1] > 0);
    assert.equal(found.get(flips)!.texts, undefined, 'flips count images alone');
  });

  it('finds a difference that most captions have', async () => {
    const found = (await compared(200, 24, 0.5)).get(words)!;
    assert.ok(found.pValue < 0.001 && found.ci![0] > 0);
    assert.equal(found.verdict, 'first');
    assert.equal(nonInferiority({ ...found, difference: -found.difference }, 0.1).shown, true);
  });

  it('has no verdict for fewer than 20 captions', async () => {
    const found = await compared(200, 19, 0.5);
    const { tooFew, verdict, ci } = found.get(words)!;
    assert.deepEqual([tooFew, verdict, ci], ['texts', 'undecided', undefined]);
    assert.equal(nonInferiority(found.get(words)!, 10).shown, false);
    assert.equal(found.get(flips)!.verdict, 'first');
  });

  it('counts images alone if each has its own caption', async () => {
    const found = (await compared(60, 60)).get(words)!;
    assert.equal(found.texts, undefined);
    assert.equal(found.tooFew, undefined);
  });

  it('draws captions with their images for ranks', async () => {
    const ranked = async (captions: number) => {
      const shares: RowShares[] = [];
      for (const name of ['a', 'b'])
        shares.push(await sharesByRow('invariance', stream(rows(200, captions, name))));
      const of = (metric: string) =>
        atOnce(ranksOfReports('invariance', shares)).find((one) => one.metric === metric)!;
      return [of(words), of(flips)];
    };
    const [own, others] = await ranked(24);
    assert.deepEqual([own.texts, own.images, others.texts], [24, 200, undefined]);
    const best = Math.max(...own.ranks!.map((one) => one!.best));
    assert.ok(best < 0.975, `P(best) = ${best}`);
    assert.equal((await ranked(19))[0].ranks, undefined);
  });
});
