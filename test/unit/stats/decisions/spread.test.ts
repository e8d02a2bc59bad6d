import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { atOnce } from '../../../../src/base/turns/steps';
import { spreadFrom } from '../../../../src/audit/spread/spread';
import { isDefinedSpread, type Spread, withRelative } from '../../../../src/probe/spread';
import { comparedShares } from '../../../../src/report/paired';
import type { RowShares } from '../../../../src/report/shares';
import { type ScoredPair, spreadOfPairs } from '../../../../src/stats/decisions/spread';

interface Oracle {
  spreads: {
    pairs: ScoredPair[];
    mean: number;
    deviation: number;
    error: number;
    influence: Record<string, number>;
  }[];
  differences: {
    rows: { image: string; first: number; second: number }[];
    pairs: [ScoredPair[], ScoredPair[]];
    difference: number;
    error: number;
    degrees: number;
    p: number;
    jackknife: number;
  }[];
}

const oracle = JSON.parse(readFileSync('test/oracle/stats/spread.json', 'utf8')) as Oracle;

function near(found: number, expected: number, what: string): void {
  assert.ok(
    Math.abs(found - expected) <= 1e-9 * Math.max(1, Math.abs(expected)),
    `${what}: ${found}, expected ${expected}`,
  );
}

describe('the spread of an evaluator', () => {
  for (const [i, expected] of oracle.spreads.entries())
    it(`has the error of a jackknife over images, case ${i + 1}`, () => {
      const found = spreadOfPairs(expected.pairs)!;
      for (const key of ['mean', 'deviation', 'error'] as const) near(found[key], expected[key], key);
      assert.equal(found.influence.size, Object.keys(expected.influence).length);
      for (const [unit, part] of found.influence) near(part, expected.influence[unit], unit);
    });

  it('has the linear part of an image on which it depends alone', () => {
    const pairs = ['b', 'c', 'd', 'e'].map((right, i) => ({ left: 'a', right, score: i === 0 ? 1 : 0 }));
    const { influence } = spreadOfPairs(pairs)!;
    assert.ok([...influence.values()].every(Number.isFinite));
  });

  it('has no error if the pairs are of two units only, so that reports stay valid', () => {
    const { value, error, influence } = spreadFrom('image-text', [
      { left: 'a', right: 'b', score: 0.1 },
      { left: 'b', right: 'a', score: 0.3 },
    ]);
    assert.ok(Number.isFinite(value));
    assert.deepEqual([error, influence], [undefined, undefined]);
  });

  it('has an error from 50 images on, and without one no interval in its units', () => {
    const of = (images: number) =>
      spreadFrom(
        'image-text',
        Array.from({ length: 3 * images }, (_, i) => ({
          left: String(i % images),
          right: String((i + 1 + Math.floor(i / images)) % images),
          score: Math.sin(i * i),
        })),
      );
    const inSpreads = (spread: Spread) =>
      withRelative({ unit: () => 'difference' }, [{ id: 'm', value: 1, n: 50, ci: [0.5, 1.5] }], spread)[1];
    const [few, enough] = [of(49), of(50)];
    assert.deepEqual([few.error, typeof enough.error], [undefined, 'number']);
    // Comparisons use what each image contributes, which holds from 20 images on.
    assert.deepEqual(
      [few, enough].map(({ influence }) => Object.keys(influence!).length),
      [49, 50],
    );
    const { value, ci, note } = inSpreads(few);
    assert.deepEqual([value, ci], [1 / few.value!, undefined]);
    assert.deepEqual(note, {
      code: 'probe.noInterval',
      values: [{ code: 'spread.errorUnknown', values: [] }],
    });
    assert.ok(inSpreads(enough).ci![0] < 0.5 / enough.value!);
    assert.equal(inSpreads(enough).note, undefined);
  });

  for (const [i, expected] of oracle.differences.entries())
    it(`and its error are in the test of a difference, case ${i + 1}`, () => {
      const sharesOf = (key: 'first' | 'second'): RowShares =>
        new Map(
          expected.rows.map((row, at) => [
            String(at),
            { image: row.image, shares: [{ metric: 'lgip.inv', value: row[key], better: 'lower' as const }] },
          ]),
        );
      const spreads = expected.pairs.map((pairs) => spreadFrom('image-text', pairs)).filter(isDefinedSpread);
      const reports: [RowShares, RowShares] = [sharesOf('first'), sharesOf('second')];
      const [found] = atOnce(comparedShares('lgip', reports, { basis: { kind: 'relative', spreads } }));
      near(found.difference, expected.difference, 'difference');
      near(found.standardError!, expected.error, 'error');
      near(found.degrees!, expected.degrees, 'degrees');
      if (found.skewness === undefined) near(found.pValue, expected.p, 'p');
      // A jackknife of the whole statistic counts the square of each mismatched pair twice, so it is a little larger.
      const ratio = expected.jackknife / found.standardError!;
      assert.ok(ratio > 0.9 && ratio < 1.3, `${ratio}`);
    });
});
