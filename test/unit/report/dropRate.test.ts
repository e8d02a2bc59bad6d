import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { pairedDifferences } from '../../../src/report/paired';
import type { ImageRow } from '../../../src/probe/rococo/row';
import { Random } from '../../../src/base/random';

function image(at: number, clean: number, stressed: number): ImageRow {
  return {
    kind: 'image',
    example: String(at),
    row: at,
    image: `${at}.jpg`,
    caption: '',
    score: 0,
    clean: { r1: clean },
    first: [],
    lists: [{ source: 'file', stressed: { r1: stressed }, rsms: clean - stressed, first: [] }],
  };
}

/** 60 images. `found` is the share with clean hits, and `kept` the share of these that also have stressed hits. */
function rows(seed: number, found: number, kept: number): ImageRow[] {
  return Array.from({ length: 60 }, (_, at) => {
    const random = new Random(seed, String(at), 0, 'test');
    const clean = random.uniform() < found ? 1 : 0;
    return image(at, clean, clean === 1 && random.uniform() < kept ? 1 : 0);
  });
}

/** The first `found` of 100 images have clean hits, and the first `lost` of these have no stressed hit. */
const planned = (found: number, lost: number): ImageRow[] =>
  Array.from({ length: 100 }, (_, at) => image(at, at < found ? 1 : 0, at >= lost && at < found ? 1 : 0));

async function* stream(all: readonly ImageRow[]) {
  yield* all;
}

const rate = (all: readonly ImageRow[]) => {
  const sum = (of: (row: ImageRow) => number) => all.reduce((total, row) => total + of(row), 0);
  return 1 - sum(({ lists }) => lists[0].stressed.r1) / sum(({ clean }) => clean.r1);
};

const compare = async (a: readonly ImageRow[], b: readonly ImageRow[]) =>
  (await pairedDifferences('rococo', stream(a), stream(b))).find(
    ({ metric }) => metric === 'rococo.i2t.dropRate',
  );

describe('the drop rates of two reports', () => {
  it('differ by the difference of the rates, with the interval of a ratio', async () => {
    const [a, b] = [rows(1, 0.8, 0.9), rows(2, 0.7, 0.3)];
    const test = await compare(a, b);
    assert.ok(test?.ci !== undefined);
    assert.ok(Math.abs(test.difference - (rate(b) - rate(a))) < 1e-12);
    assert.equal(test.verdict, 'first');
    // The expected standard error is that of the jackknife, which needs no linear approximation.
    const leave = a.map((_, out) => {
      const [x, y] = [a, b].map((all) => rate(all.filter((__, at) => at !== out)));
      return y - x;
    });
    const mean = leave.reduce((sum, value) => sum + value, 0) / leave.length;
    const error = Math.sqrt(
      ((leave.length - 1) / leave.length) * leave.reduce((sum, value) => sum + (value - mean) ** 2, 0),
    );
    assert.ok(test.standardError! < error);
    assert.ok(Math.abs(test.standardError! / error - 1) < 0.05, `${test.standardError} ${error}`);
  });

  it('are undecided between equal reports, and absent if the clean gallery has no hit', async () => {
    const a = rows(3, 0.8, 0.6);
    assert.equal((await compare(a, a))?.verdict, 'undecided');
    assert.equal(await compare(rows(4, 0, 0), a), undefined);
  });

  it('have the test of two groups that share images, as computed from the matrices of CR2', async () => {
    const { cases } = JSON.parse(readFileSync('test/oracle/decisions/groups.json', 'utf8')) as {
      cases: ({ by: string } & Record<'values' | 'first' | 'clusters', number[]> &
        Record<'difference' | 'error' | 'degrees' | 'p' | 'low' | 'high', number>)[];
    };
    const drops = cases.filter(({ by }) => by === 'evaluator');
    assert.ok(drops.length > 0);
    for (const { values, first, clusters, difference, error, degrees, p, low, high } of drops) {
      const [a, b] = [0, 1].map((second) =>
        Array.from({ length: Math.max(...clusters) + 1 }, (_, at) => {
          const own = clusters.findIndex((image, i) => image === at && first[i] === second);
          return image(at, own < 0 ? 0 : 1, own < 0 ? 0 : 1 - values[own]);
        }),
      );
      const test = await compare(a, b);
      assert.ok(test?.ci !== undefined);
      const found = [test.difference, test.standardError!, test.degrees!, test.pValue, ...test.ci];
      for (const [i, expected] of [difference, error, degrees, p, low, high].entries())
        assert.ok(Math.abs(found[i] / expected - 1) < 1e-9, `${found[i]} ${expected}`);
    }
  });

  it('have no verdict if an evaluator has too few expected drops, or too few rows without one', async () => {
    // The second evaluator finds 15 images and loses none of them, which 2 expected losses do not make remarkable.
    for (const [a, b] of [
      [planned(70, 10), planned(15, 0)],
      [planned(70, 60), planned(15, 15)],
    ]) {
      const test = await compare(a, b);
      assert.deepEqual([test?.tooFew, test?.verdict, test?.ci], ['drops', 'undecided', undefined]);
    }
    const enough = await compare(planned(70, 40), planned(40, 3));
    assert.deepEqual([enough?.tooFew, enough?.verdict], [undefined, 'second']);
  });
});
