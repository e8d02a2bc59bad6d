import { say, type Words } from '../../../src/base/say';
import assert from 'node:assert/strict';
import { atOnce } from '../../../src/base/turns/steps';
import { bcaInterval } from '../../../src/stats/bootstrap';
import { spearman } from '../../../src/stats/correlation';
import { chiSquaredTails, studentTails } from '../../../src/stats/distributions';
import { fleissKappa } from '../../../src/stats/fleiss';
import { holm } from '../../../src/stats/holm';
import { kendallTauB } from '../../../src/stats/kendall';
import { mixedModel } from '../../../src/stats/regression/mixedModel';
import { normalCdf, normalQuantile } from '../../../src/stats/normal';
import { ascendingOrder } from '../../../src/stats/order';
import { isDefined, type NotDefined } from '../../../src/stats/outcome';
import { mcNemarExact, wilsonInterval } from '../../../src/stats/proportion';
import { cliffsDelta, kruskalWallis, mannWhitney, pairwiseMannWhitney } from '../../../src/stats/rankTests';
import { shapiroWilk } from '../../../src/stats/shapiro';
import { mean, median, quantile, ranks, standardDeviation, sum, variance } from '../../../src/stats/summary';
import { pairedTTest, tTest } from '../../../src/stats/tTest';
import { wilcoxonPaired, wilcoxonSignedRank } from '../../../src/stats/wilcoxon';
import { Stream } from './inputs';

function reasonOf(outcome: unknown): Words {
  assert.ok(!isDefined(outcome), JSON.stringify(outcome));
  return (outcome as NotDefined).reason;
}

describe('statistics at the edges', () => {
  it('reject NaN and infinities in every function', () => {
    const good = [1, 2, 3.5, 4, 8, 2.5];
    const functions: Record<string, (x: number[]) => unknown> = {
      sum,
      mean,
      median,
      variance: (x) => variance(x),
      standardDeviation: (x) => standardDeviation(x),
      quantile: (x) => quantile(x, 0.5),
      ranks,
      ascendingOrder,
      bca: (values) => atOnce(bcaInterval({ values, statistic: 'mean' })),
      spearman: (x) => spearman(good, x),
      kendall: (x) => kendallTauB(x, good),
      tTest: (x) => tTest(x),
      pairedTTest: (x) => pairedTTest(good, x),
      wilcoxon: (x) => wilcoxonSignedRank(x),
      wilcoxonPaired: (x) => wilcoxonPaired(x, good),
      shapiroWilk,
      kruskalWallis: (x) => kruskalWallis([good, x]),
      mannWhitney: (x) => mannWhitney(x, good),
      pairwise: (x) => pairwiseMannWhitney([good, good, x]),
      cliffsDelta: (x) => cliffsDelta(good, x),
      holm,
      fleissKappa: (x) => fleissKappa([x]),
      mixedModel: (response) => atOnce(mixedModel({ response, fixed: [good], random: [[1, 1, 2, 2, 3, 3]] })),
    };
    for (const [name, f] of Object.entries(functions)) {
      for (const bad of [NaN, Infinity, -Infinity]) {
        assert.throws(() => f(good.with(2, bad)), RangeError, `${name} takes ${bad}`);
      }
    }
    for (const f of [
      normalCdf,
      normalQuantile,
      (x: number) => studentTails(x, 3),
      (x: number) => chiSquaredTails(x, 3),
    ])
      assert.throws(() => f(NaN), RangeError);
  });

  it('reject lists of unequal length, and invalid counts', () => {
    for (const f of [spearman, kendallTauB, pairedTTest, wilcoxonPaired])
      assert.throws(() => f([1, 2, 3], [1, 2]), RangeError);
    assert.throws(
      () =>
        fleissKappa([
          [1, 2],
          [2, 2],
        ]),
      /different numbers/,
    );
    assert.throws(
      () =>
        fleissKappa([
          [1, 2],
          [1, 1, 1],
        ]),
      /length/,
    );
    assert.throws(() => holm([0.5, 1.5]), RangeError);
    assert.throws(() => mcNemarExact(-1, 2), RangeError);
    assert.throws(() => wilsonInterval(3, 2), RangeError);
    assert.throws(() => quantile([1, 2], 50), RangeError);
  });

  it('say why there is no result', () => {
    assert.deepEqual(reasonOf(spearman([1, 1, 1], [1, 2, 3])), say('stats.constantVariable'));
    assert.deepEqual(reasonOf(kendallTauB([1, 2, 3], [5, 5, 5])), say('stats.constantVariable'));
    assert.deepEqual(reasonOf(tTest([0.1, 0.1, 0.1])), say('stats.valuesConstant'));
    assert.deepEqual(reasonOf(pairedTTest([1], [2])), say('stats.tooFewValues'));
    assert.deepEqual(reasonOf(wilcoxonSignedRank([0, 0])), say('stats.differencesZero'));
    assert.deepEqual(reasonOf(shapiroWilk([1, 2])), say('stats.normalityNeedsValues'));
    assert.deepEqual(
      reasonOf(shapiroWilk(new Float64Array(5001).map((_, i) => i))),
      say('stats.normalityTooManyValues'),
    );
    assert.deepEqual(reasonOf(shapiroWilk([2, 2, 2, 2])), say('stats.valuesConstant'));
    assert.deepEqual(reasonOf(kruskalWallis([[1, 2]])), say('stats.tooFewGroups'));
    assert.deepEqual(reasonOf(kruskalWallis([[1, 2], []])), say('stats.numberedGroupEmpty', 2));
    assert.deepEqual(reasonOf(kruskalWallis([[3, 3], [3]])), say('stats.valuesConstant'));
    assert.deepEqual(reasonOf(mannWhitney([], [1])), say('stats.groupEmpty'));
    assert.deepEqual(reasonOf(cliffsDelta([1], [])), say('stats.groupEmpty'));
    assert.deepEqual(
      reasonOf(
        fleissKappa([
          [3, 0],
          [3, 0],
        ]),
      ),
      say('stats.ratingsConstant'),
    );
    assert.deepEqual(
      reasonOf(
        fleissKappa([
          [1, 0],
          [0, 1],
        ]),
      ),
      say('stats.tooFewAnnotators'),
    );
    assert.deepEqual(reasonOf(fleissKappa([])), say('stats.noCompletelyJudgedItem'));
    assert.deepEqual(reasonOf(wilsonInterval(0, 0)), say('stats.noTrials'));
  });

  it('return trivial results', () => {
    assert.equal(mcNemarExact(0, 0).pValue, 1);
    const none = wilsonInterval(0, 5);
    assert.ok(isDefined(none) && none.low === 0 && none.high > 0.4 && none.high < 0.5);
    assert.equal(cliffsDelta([5, 6], [1, 2]), 1);
    assert.equal(cliffsDelta([1, 2], [1, 2]), 0);
    assert.equal(normalQuantile(0), -Infinity);
    assert.deepEqual([...ranks([-0, 0, 1])], [1.5, 1.5, 3]);
    assert.deepEqual([...holm([])], []);
  });

  it('keep their digits near the limits of doubles', () => {
    const small = [1, 2, 4, 7, 11, 3.5, 2.25];
    for (const unit of [1e-300, 1e-150, 1e150, 1e300]) {
      const x = small.map((value) => value * unit);
      const near = (a: number, b: number): void =>
        assert.ok(Math.abs(a / b - 1) < 1e-13, `${a} against ${b}`);
      near(standardDeviation(x) / unit, standardDeviation(small));
      const [t, plain] = [tTest(x), tTest(small)];
      assert.ok(isDefined(t) && isDefined(plain));
      near(t.statistic, plain.statistic);
      const [w, v] = [shapiroWilk(x), shapiroWilk(small)];
      assert.ok(isDefined(w) && isDefined(v));
      near(w.statistic, v.statistic);
      const [b, c] = [x, small].map((values) => atOnce(bcaInterval({ values, statistic: 'mean', seed: 3 })));
      assert.ok(isDefined(b) && isDefined(c));
      near(b.low / unit, c.low);
    }
    assert.throws(() => variance([1e200, -1e200]), /overflow/);
    assert.throws(() => mean([1e308, 1e308]), /overflow/);
    assert.equal(median([1e308, 1.5e308]), 1.25e308);
  });

  it('sort long lists like short ones', () => {
    const stream = new Stream(77);
    const draws: (() => number)[] = [
      () => stream.bell() * 1e10,
      () => stream.below(7) - 3,
      () => Math.fround(stream.uniform()),
      () => (stream.below(2) ? -0 : 0),
      () => (stream.uniform() - 0.5) * Number.MAX_VALUE,
      () => (stream.uniform() - 0.5) * Number.MIN_VALUE * 1000,
    ];
    for (const draw of draws) {
      const values = Float64Array.from({ length: 3000 }, draw);
      const expected = [...values.keys()].sort((a, b) => values[a] - values[b] || a - b);
      assert.deepEqual([...ascendingOrder(values)], expected);
    }
  });
});

describe('mixed models', () => {
  const stream = new Stream(5);
  const n = 60;
  const list = (of: (i: number) => number): number[] => Array.from({ length: n }, (_, i) => of(i));
  const ones = list(() => 1);
  const x = list(() => stream.bell());
  const a = list((i) => i % 6);
  const b = list((i) => Math.floor(i / 15));
  const response = list((i) => x[i] + a[i] + stream.bell());

  it('say why variances cannot be estimated', () => {
    const fit = (random: number[][], fixed = [ones, x], y = response): Words =>
      reasonOf(atOnce(mixedModel({ response: y, fixed, random })));
    assert.deepEqual(fit([a, ones]), say('stats.factorConstant', 2));
    assert.deepEqual(fit([list((i) => i)]), say('stats.factorLevelPerRow', 1));
    assert.deepEqual(fit([a, list((i) => 10 - (i % 6))]), say('stats.factorsAlike', 1, 2));
    assert.deepEqual(fit([a], [ones, x, x]), say('stats.predictorsDependent'));
    const inFixed = fit([list((i) => i % 2)], [ones, list((i) => i % 2)]);
    assert.deepEqual(inFixed, say('stats.factorInFixed', 1));
    assert.deepEqual(fit([a], [ones], ones), say('stats.effectsExplainResponse'));
    assert.deepEqual(fit([a], [ones], a), say('stats.groupsExplainResponse'));
    assert.throws(() => atOnce(mixedModel({ response, fixed: [], random: [a] })), RangeError);
    assert.throws(() => atOnce(mixedModel({ response, fixed: [ones], random: [[1, 2]] })), RangeError);
  });

  it('do not depend on names, order of rows, or order of factors', () => {
    const fit = atOnce(mixedModel({ response, fixed: [ones, x], random: [a, b] }));
    const turned = atOnce(
      mixedModel({
        response: response.toReversed(),
        fixed: [ones, x.toReversed()],
        random: [b.toReversed().map((level) => `b${level}`), a.toReversed().map((level) => `a${level}`)],
      }),
    );
    assert.ok(isDefined(fit) && isDefined(turned));
    const near = (p: number, q: number): void =>
      assert.ok(Math.abs(p - q) <= 1e-5 * Math.abs(q) + 1e-9, `${p}, ${q}`);
    near(fit.logLikelihood, turned.logLikelihood);
    fit.fixed.forEach((effect, i) => near(effect.standardError, turned.fixed[i].standardError));
    near(fit.groupVariances[0], turned.groupVariances[1]);
    near(fit.groupVariances[1], turned.groupVariances[0]);
  });

  it('equal the analysis of variance for one factor and equal groups', () => {
    const fit = atOnce(mixedModel({ response, fixed: [ones], random: [a] }));
    assert.ok(isDefined(fit));
    const groups = [0, 1, 2, 3, 4, 5].map((level) => response.filter((_, i) => a[i] === level));
    const within = mean(groups.map((group) => variance(group)));
    const between = variance(groups.map((group) => mean(group))) - within / 10;
    assert.ok(Math.abs(fit.residualVariance / within - 1) < 1e-6);
    assert.ok(Math.abs(fit.groupVariances[0] / between - 1) < 1e-6);
    assert.ok(Math.abs(fit.fixed[0].estimate - mean(response)) < 1e-9);
    assert.ok(Math.abs(fit.fixed[0].standardError ** 2 / ((between + within / 10) / 6) - 1) < 1e-5);
  });
});
