import assert from 'node:assert/strict';
import { findSaid, say } from '../../../src/base/say';
import { atOnce } from '../../../src/base/turns/steps';
import { Random } from '../../../src/base/random';
import { adjustedTogether, isSupported, pOfInterval, testOf } from '../../../src/probe/claimFamily';
import { Figure } from '../../../src/probe/figure';
import { headlineOf } from '../../../src/probe/headline';
import { lgip } from '../../../src/probe/lgip/lgip';
import type { Metric } from '../../../src/probe/metric';
import { prsmClaims } from '../../../src/probe/prsm/claims';
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
    // With Student's tails: 2 * stats.t.sf(stats.t.ppf(0.975, df) * distance / reach, df).
    near(pOfInterval(0.6, [0.52, 0.68], 0.5, 19), 0.01698427510209591);
    near(pOfInterval(0.45, [0.36, 0.53], 0.5, 7.4), 0.18490914077411025);
    assert.equal(pOfInterval(0.5, [0.4, 0.6], 0.5, 19), 1);
  });

  it('have the p value of the t-test whose interval they state', () => {
    const values = [
      ...[0.62, 0.71, 0.9, 0.85, 0.77, 0.69, 0.93, 0.88, 0.81, 0.74],
      ...[0.79, 0.95, 0.66, 0.83, 0.87, 0.72, 0.91, 0.78, 0.84, 0.86],
    ];
    const figure = new Figure();
    for (const [image, value] of values.entries()) figure.add(value, image);
    const metric = atOnce(figure.metric('overlap', { interval: 'test' }));
    // By SciPy's t-test of one sample against the limit.
    for (const [limit, expected] of [
      [0.8, 0.7943570055474715],
      [0.75, 0.015217185000284485],
    ])
      assert.ok(Math.abs(testOf([metric], 'overlap', limit)!.pValue - expected) < 1e-12);
    // A share of right answers of few images has Student's tails, too.
    const share = new Figure();
    for (let image = 0; image < 24; image++) share.add(Number(image % 4 > 0), image);
    const rate = atOnce(share.metric('rate', { rate: true, interval: 'wilson' }));
    assert.equal(rate.degrees, 23);
    const [student, normal] = [rate, { ...rate, degrees: undefined }].map(
      (one) => testOf([one], 'rate', 0.5)!.pValue,
    );
    assert.ok(student > normal);
  });

  it('of PRSM print the p value of the t-test', () => {
    const set = { set: 'P1' };
    const own: Metric = { id: 'prsm.local@10.beyond', value: 0.9, n: 20, ci: [0.81, 0.99], slice: set };
    const pValue = (beyond: Metric) => {
      const floor = { id: 'prsm.local@10.floor', value: 0.3, n: 100, chance: 0.1, slice: set };
      const other = { ...beyond, slice: { set: 'P2' } };
      const [{ rule }] = prsmClaims([beyond, other, floor, { ...floor, slice: { set: 'P2' } }]);
      return findSaid(rule, 'probe.holmRule')?.values[1];
    };
    // 2 * stats.t.sf(stats.t.ppf(0.975, 19) * 0.1 / 0.09, 19), twice for Holm's correction.
    assert.equal(pValue({ ...own, degrees: 19 }), 'p = 0.0625');
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
    assert.deepEqual(group.text, say('winoground.groupNotFromChance'));
    assert.ok(findSaid(group.rule, 'probe.ciAbove'));
    assert.deepEqual(findSaid(group.rule, 'probe.holmRule')?.values.slice(0, 2), ['2', 'p = 0.0782']);
    const [alone] = winoground.claims([barely('winoground.group', 1 / 6)]);
    assert.deepEqual(alone.text, say('winoground.groupAboveChance'));
    const searches = rococo.claims([
      barely('rococo.i2t.dropRate', 0.05),
      barely('rococo.t2i.dropRate', 0.05),
    ]);
    assert.ok(findSaid(searches[0].text, 'rococo.captionSearchesLostUndecided'));
    assert.ok(findSaid(searches[1].text, 'rococo.imageSearchesLostUndecided'));
    assert.equal(searches.length, 2);
  });

  it('are the reason of a headline whose interval alone would show more', () => {
    const drop = barely('rococo.i2t.dropRate', 0.05);
    const doubtOf = (metric: Metric) => {
      const metrics = [metric, barely('rococo.t2i.dropRate', 0.05)];
      const words = headlineOf(rococo, 'A', { metrics, claims: rococo.claims(metrics) });
      return (['rococo.doubtMore', 'rococo.doubtMoreTogether'] as const).filter(
        (code) => findSaid(words!, code) !== undefined,
      );
    };
    assert.deepEqual(doubtOf(drop), ['rococo.doubtMoreTogether']);
    assert.deepEqual(doubtOf({ ...drop, ci: [0.01, 0.3] }), ['rococo.doubtMore']);
    assert.deepEqual(doubtOf({ ...drop, value: 0.5, ci: [0.4, 0.6] }), []);
  });

  it('include the slices of a headline', () => {
    const types = ['object', 'color', 'number'].map((type) => barely(`lgip.pr.${type}`, 0.5));
    const metrics = [{ id: 'lgip.pr', value: 0.9, n: 300, ci: [0.85, 0.95] } as const, ...types];
    const isDoubted = (of: readonly Metric[]) =>
      findSaid(headlineOf(lgip, 'A', { metrics: of, claims: [] }), 'probe.notFromChanceNeeds') !== undefined;
    assert.ok(isDoubted(metrics));
    assert.ok(!isDoubted(metrics.slice(0, 2)));
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
