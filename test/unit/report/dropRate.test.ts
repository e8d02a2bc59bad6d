import assert from 'node:assert/strict';
import { pairedDifferences } from '../../../src/report/paired';
import type { PhotoRow } from '../../../src/probe/rococo/row';
import { Random } from '../../../src/base/random';

/** 60 images. `found` is the share with clean hits, and `kept` the share of these that also have stressed hits. */
function rows(seed: number, found: number, kept: number): PhotoRow[] {
  return Array.from({ length: 60 }, (_, at) => {
    const random = new Random(seed, String(at), 0, 'test');
    const clean = random.uniform() < found ? 1 : 0;
    const stressed = clean === 1 && random.uniform() < kept ? 1 : 0;
    return {
      kind: 'photo',
      example: String(at),
      row: at,
      image: `${at}.jpg`,
      caption: '',
      score: 0,
      clean: { r1: clean },
      first: [],
      lists: [{ source: 'file', stressed: { r1: stressed }, rsms: clean - stressed, first: [] }],
    };
  });
}

async function* stream(all: readonly PhotoRow[]) {
  yield* all;
}

const rate = (all: readonly PhotoRow[]) => {
  const sum = (of: (row: PhotoRow) => number) => all.reduce((total, row) => total + of(row), 0);
  return 1 - sum(({ lists }) => lists[0].stressed.r1) / sum(({ clean }) => clean.r1);
};

const compare = async (a: readonly PhotoRow[], b: readonly PhotoRow[]) =>
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
    assert.ok(Math.abs(test.standardError! / error - 1) < 0.05, `${test.standardError} ${error}`);
  });

  it('are undecided between equal reports, and absent if the clean gallery has no hit', async () => {
    const a = rows(3, 0.8, 0.6);
    assert.equal((await compare(a, a))?.verdict, 'undecided');
    assert.equal(await compare(rows(4, 0, 0), a), undefined);
  });
});
