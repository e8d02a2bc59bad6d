import assert from 'node:assert/strict';
import type { Row } from '../../../src/probe/metric';
import type { LongRow } from '../../../src/probe/long/row';
import type { ImageRow, CaptionRow } from '../../../src/probe/rococo/row';
import type { WinogroundRow } from '../../../src/probe/winoground/row';
import { pairedDifferences } from '../../../src/report/paired';
import { rightOnly } from '../../../src/report/discordant';

function rows(right: readonly boolean[]): WinogroundRow[] {
  return right.map((text, i) => ({
    example: String(i),
    row: i,
    image: `${i}.jpg`,
    captions: ['a', 'b'],
    images: ['a.jpg', 'b.jpg'] as [string, string],
    ...{ c0i0: 0, c1i0: 0, c0i1: 0, c1i1: 0 },
    right: { text, image: true, group: text },
  }));
}

async function* stream(of: readonly Row[]): AsyncGenerator<Row> {
  yield* of;
}

const half = Array.from({ length: 100 }, (_, i) => i % 2 === 0);

describe('paired differences', () => {
  it('are undecided between a report and itself', async () => {
    for (const one of await pairedDifferences('winoground', stream(rows(half)), stream(rows(half)))) {
      assert.deepEqual([one.difference, one.n, one.verdict], [0, 100, 'undecided']);
      assert.deepEqual(one.mcNemar, { onlyFirst: 0, onlySecond: 0, pValue: 1 });
    }
  });

  it('name the better report if p is below 0.05, and count who got what right', async () => {
    const better = half.map((right, i) => right || i % 4 === 1);
    const [text, image] = await pairedDifferences('winoground', stream(rows(half)), stream(rows(better)));
    assert.equal(text.metric, 'winoground.text');
    assert.equal(text.difference, 0.25);
    assert.equal(text.verdict, 'second');
    // 25 rows are discordant in one direction, so p = 2 · 0.5^25.
    assert.deepEqual([text.mcNemar?.onlyFirst, text.mcNemar?.onlySecond], [0, 25]);
    assert.ok(Math.abs(text.mcNemar!.pValue - 2 * 0.5 ** 25) < 1e-15);
    assert.equal(image.verdict, 'undecided');
    const [other] = await pairedDifferences('winoground', stream(rows(better)), stream(rows(half)));
    assert.equal(other.verdict, 'first');
  });

  it('have an interval that excludes zero exactly if p is below 0.05', async () => {
    const sides = new Set<boolean>();
    for (let better = 10; better < 24; better++) {
      const right = half.map((is, i) => (i < 20 ? i < better : is));
      const reference = half.map((is, i) => (i < 20 ? i >= better : is));
      const [text] = await pairedDifferences('winoground', stream(rows(reference)), stream(rows(right)));
      const excludes = text.ci![0] > 0 || text.ci![1] < 0;
      assert.equal(excludes, text.pValue < 0.05);
      assert.equal(text.verdict === 'undecided', !excludes);
      sides.add(excludes);
    }
    assert.equal(sides.size, 2);
  });

  it('give no verdict and no interval under 20 images', async () => {
    const [before, after] = [0, 1].map((right) => rows(half.slice(0, 19).map(() => right === 1)));
    const [text] = await pairedDifferences('winoground', stream(before), stream(after));
    assert.deepEqual(
      [text.images, text.tooFew, text.ci, text.verdict],
      [19, 'images', undefined, 'undecided'],
    );
    assert.ok(text.pValue < 0.001);
  });

  it('give no verdict under 10 discordant rows, however many rows agree', async () => {
    const of = (discordant: number) =>
      pairedDifferences(
        'winoground',
        stream(rows(half.map(() => false))),
        stream(rows(half.map((_, i) => i < discordant))),
      );
    const [nine] = await of(9);
    assert.deepEqual([nine.tooFew, nine.verdict], ['discordant', 'undecided']);
    const [ten] = await of(10);
    assert.deepEqual([ten.tooFew, ten.verdict], [undefined, 'second']);
  });

  it('count captions of one image as one observation', async () => {
    const ofImages = (right: readonly boolean[], images: number) =>
      rows(right).map((row, i) => ({ ...row, image: `${i % images}.jpg` }));
    const worse = half.map((right, i) => right && i % 25 !== 0);
    const p = async (images: number) =>
      (
        await pairedDifferences('winoground', stream(ofImages(half, images)), stream(ofImages(worse, images)))
      )[0];
    const [many, few] = [await p(100), await p(25)];
    assert.equal(many.difference, few.difference);
    assert.ok(few.pValue > many.pValue * 2, `${few.pValue}, ${many.pValue}`);
  });

  it('use the rows of both reports', async () => {
    const [text] = await pairedDifferences('winoground', stream(rows(half)), stream(rows(half.slice(0, 30))));
    assert.equal(text.n, 30);
    assert.deepEqual(await pairedDifferences('winoground', stream(rows(half)), stream([])), []);
  });

  it('match every row with its own, however many an example has', async () => {
    // One image, which finds its caption, and three captions, two of which are equal. In the second report only, the
    // last caption does not find its image.
    const of = (last: number, best: string): (ImageRow | CaptionRow)[] => {
      const clean = (r1: number) => ({ r1, r5: 1, r10: 1 });
      const about = { example: 'e', row: 0, image: 'e.jpg' };
      const found = (caption: string, r1: number): CaptionRow => ({
        ...about,
        kind: 'caption',
        caption,
        altered: [],
        search: { score: 1, hits: [], clean: clean(r1) },
      });
      const image: ImageRow = {
        ...about,
        kind: 'image',
        caption: best,
        score: 1,
        clean: clean(1),
        first: [],
        lists: [],
      };
      return [image, found('a', 1), found('b', 0), found('b', last)];
    };
    const found = await pairedDifferences('rococo', stream(of(1, 'a')), stream(of(0, 'b')));
    const line = (metric: string) => {
      const { n, difference, mcNemar } = found.find((one) => one.metric === metric)!;
      return [n, difference, mcNemar?.onlyFirst, mcNemar?.onlySecond];
    };
    assert.deepEqual(line('rococo.t2i.r1'), [3, -1 / 3, 1, 0]);
    assert.deepEqual(line('rococo.i2t.r1'), [1, 0, 0, 0]);
  });

  it('compare each variant of a row with the same variant, whatever the other report lacks', async () => {
    // The score is the number of the error, so the first error is not detected. The second report lacks it.
    const of = (kept: readonly string[]): LongRow[] =>
      Array.from({ length: 24 }, (_, i) => ({
        ...{ example: String(i), row: i, image: `${i}.jpg`, caption: 0, field: 'caption', text: 'a' },
        ...{ words: 9, sentences: [], score: 0 },
        variants: kept.map((text, at) => ({
          ...{ kind: 'color', text, span: [0, 1], was: [0, 1], position: 0, decile: 1 },
          ...{ score: text === 'b' ? 1 : -1 - at, delta: text === 'b' ? 1 : -1 - at },
        })),
      }));
    const reports = [of(['b', 'c', 'd']), of(['d', 'c'])] as const;
    const [pr] = await pairedDifferences('long', stream(reports[0]), stream(reports[1]));
    assert.deepEqual([pr.metric, pr.n, pr.difference], ['long.pr', 48, 0]);
    const [missed] = await pairedDifferences('long', stream(of(['c', 'd', 'b'])), stream(of(['b', 'c'])));
    assert.deepEqual([missed.metric, missed.n, missed.difference], ['long.pr', 48, 0]);
  });

  it('counts a row as right only in one report, also if the value 1 is wrong', () => {
    const mcNemar = { onlyFirst: 3, onlySecond: 5, pValue: 1 };
    assert.deepEqual(rightOnly({ better: 'higher', mcNemar }), [3, 5]);
    assert.deepEqual(rightOnly({ better: 'lower', mcNemar }), [5, 3]);
    assert.equal(rightOnly({ better: 'higher' }), undefined);
  });
});
