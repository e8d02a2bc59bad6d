import assert from 'node:assert/strict';
import { english } from '../../../src/base/english';
import { Random } from '../../../src/base/random';
import { adjustedTogether, isSupported, pOfInterval } from '../../../src/probe/claimFamily';
import { headlineOf } from '../../../src/probe/headline';
import { lgip } from '../../../src/probe/lgip/lgip';
import type { Metric } from '../../../src/probe/metric';
import { rococo } from '../../../src/probe/rococo/rococo';
import { winoground } from '../../../src/probe/winoground/winoground';
import { normalQuantile } from '../../../src/stats/normal';

describe('verdicts that are drawn together', () => {
  it('have the p values that SciPy computes from their intervals', () => {
    const near = (given: number, expected: number): void =>
      assert.ok(Math.abs(given - expected) < 1e-12, `${given}`);
    near(pOfInterval(0.6, [0.52, 0.68], 0.5), 0.014287407697654771);
    near(pOfInterval(0.45, [0.36, 0.53], 0.5), 0.22058370172813735);
    assert.equal(pOfInterval(0.5, [0.4, 0.6], 0.5), 1);
  });

  it('are adjusted by Holm’s method as in statsmodels', () => {
    const adjusted = adjustedTogether([0.03, 0.2, 0.001, 0.04].map((pValue) => ({ pValue })));
    for (const [i, expected] of [0.09, 0.2, 0.004, 0.09].entries())
      assert.ok(Math.abs(adjusted[i].adjusted - expected) < 1e-12);
    assert.deepEqual(adjusted.map(isSupported), [false, false, true, false]);
  });

  /** A metric whose unadjusted interval lies barely above the limit: p is about 0.04. */
  const barely = (id: string, limit: number): Metric => ({
    id,
    value: limit + 0.08,
    n: 100,
    ci: [limit + 0.004, limit + 0.16],
  });

  it('need more than an interval that excludes chance level', () => {
    const clear: Metric = { id: 'winoground.text', value: 0.26, n: 100, ci: [0.18, 0.35] };
    const [group] = winoground.claims([barely('winoground.group', 1 / 6), clear]);
    assert.equal(
      english(group.text),
      'Its matches of two captions with two images cannot be told from chance.',
    );
    assert.match(
      english(group.rule),
      /lies above chance level .* After Holm's correction over 2 tests, p = 0\.0782/,
    );
    const [alone] = winoground.claims([barely('winoground.group', 1 / 6)]);
    assert.match(english(alone.text), /more often than chance/);
    const searches = rococo.claims([
      barely('rococo.i2t.dropRate', 0.05),
      barely('rococo.t2i.dropRate', 0.05),
    ]);
    assert.ok(searches.every(({ text }) => english(text).startsWith('The data do not show whether')));
  });

  it('include the slices of a headline', () => {
    const types = ['object', 'color', 'number'].map((type) => barely(`lgip.pr.${type}`, 0.5));
    const metrics = [{ id: 'lgip.pr', value: 0.9, n: 300, ci: [0.85, 0.95] } as const, ...types];
    assert.match(english(headlineOf(lgip, 'A', metrics)!), /cannot be told from chance/);
    assert.doesNotMatch(english(headlineOf(lgip, 'A', metrics.slice(0, 2))!), /cannot be told/);
  });

  it('are wrong in at most one family in 20 if there is no effect', () => {
    let wrong = 0;
    const runs = 400;
    for (let run = 0; run < runs; run++) {
      const random = new Random(run, 'no effect', 0, 'noise');
      const tests = Array.from({ length: 8 }, () => {
        const z = normalQuantile((random.uniform() + 1e-12) / (1 + 2e-12));
        return { pValue: pOfInterval(z, [z - 1.959964, z + 1.959964], 0) };
      });
      if (adjustedTogether(tests).some(isSupported)) wrong++;
    }
    assert.ok(wrong / runs < 0.08, `${wrong} of ${runs} families`);
  });
});
