import assert from 'node:assert/strict';
import { atOnce } from '../../../src/base/turns/steps';
import { Random } from '../../../src/base/random';
import { clusteredShareInterval } from '../../../src/stats/proportion';
import { say } from '../../../src/base/say';
import { Figure } from '../../../src/probe/figure';
import { intervalSeed } from '../../../src/probe/inference/interval';
import { bcaInterval } from '../../../src/stats/bootstrap';
import { isDefined } from '../../../src/stats/outcome';
import { mean, sorted } from '../../../src/stats/summary';

type Value = [value: number, cluster: number];

function figureOf(values: readonly Value[]): Figure {
  const figure = new Figure();
  for (const [value, cluster] of values) figure.add(value, cluster);
  return figure;
}

/** Values of up to 60 clusters. Each draw of `length` says how many successive values belong to one cluster. */
function values(of: (random: Random) => number, length: (random: Random) => number): Value[] {
  const random = new Random(7, 'figure');
  return Array.from({ length: 120 }).flatMap(() => {
    const cluster = random.below(60);
    return Array.from({ length: length(random) }, (): Value => [of(random), cluster]);
  });
}

describe('a mean by cluster', () => {
  const rate = (random: Random): number => random.below(2);
  const score = (random: Random): number => random.uniform() - 0.3;
  const cases: [name: string, values: Value[]][] = [
    ['a rate', values(rate, (random) => 1 + random.below(5))],
    ['a rate of clusters without neighbours', values(rate, () => 1)],
    ['a rate of more than 255 successive values', values(rate, (random) => 200 + random.below(400))],
    ['scores', values(score, (random) => 1 + random.below(5))],
    [
      'scores that begin with 0 and 1',
      [...values(rate, (random) => 1 + random.below(300)), ...values(score, () => 3)],
    ],
    ['one score for each cluster', Array.from({ length: 90 }, (_, i): Value => [Math.sin(i), i])],
    ['negative zeros', Array.from({ length: 90 }, (_, i): Value => [i % 3 === 0 ? -0 : i % 2, i >> 1])],
  ];
  for (const [name, of] of cases)
    it(`has the value and interval of its rows, to the bit: ${name}`, () => {
      const rows = of.map(([value]) => value);
      const clusters = of.map(([, cluster]) => cluster);
      const interval = atOnce(bcaInterval({ statistic: 'mean', values: rows, clusters, seed: intervalSeed }));
      assert.ok(isDefined(interval));
      const metric = atOnce(figureOf(of).metric('m'));
      assert.deepEqual(
        [metric.n, metric.value, metric.ci],
        [rows.length, mean(rows), [interval.low, interval.high]],
      );
      assert.equal(metric.images ?? rows.length, interval.clusters);
      assert.deepEqual(figureOf(of).ascending(), sorted(rows));
    });

  it('has the sum of scaled values, to the bit', () => {
    const [, of] = cases[0];
    const scaled = new Figure();
    scaled.addScaled(figureOf(of), 1 / 7);
    scaled.addScaled(figureOf(cases[3][1]), 1 / 3);
    const rows = [...of.map(([value]) => value / 7), ...cases[3][1].map(([value]) => value * (1 / 3))];
    assert.equal(atOnce(scaled.metric('m')).value, mean(rows));
  });

  it('says that one cluster has no interval', () => {
    const metric = atOnce(figureOf(Array.from({ length: 300 }, (_, i): Value => [i / 300, 0])).metric('m'));
    assert.deepEqual(metric.note, say('probe.noInterval', say('inference.oneCluster')));
  });

  it('has no interval for fewer than five images, whatever its values', () => {
    for (const value of [(i: number) => i / 300, () => 1, (i: number) => i % 2])
      for (const interval of ['bca', 'wilson', 'test'] as const) {
        const rows = Array.from({ length: 40 }, (_, i): Value => [value(i), i % 4]);
        const { ci, note } = atOnce(figureOf(rows).metric('m', { rate: true, interval }));
        assert.deepEqual(
          [ci, note],
          [undefined, say('probe.noInterval', say('inference.tooFewClusters', 4, 5))],
        );
      }
  });

  it("has Wilson's clustered interval for shares, and a bootstrap for other means", () => {
    const rows = Array.from({ length: 60 }, (_, i): Value => [i % 3 === 0 || i < 20 ? 1 : 0, i % 20]);
    const [totals, sizes] = [new Float64Array(20), new Float64Array(20)];
    for (const [value, cluster] of rows) {
      totals[cluster] += value;
      sizes[cluster]++;
    }
    const theirs = clusteredShareInterval(totals, sizes);
    assert.ok(isDefined(theirs));
    for (const form of [{ rate: true }, { share: true }])
      assert.deepEqual(atOnce(figureOf(rows).metric('m', form)).ci, [theirs.low, theirs.high]);
    assert.notDeepEqual(atOnce(figureOf(rows).metric('m')).ci, [theirs.low, theirs.high]);
    // Of 20 coins, an interval excludes one half from 5 heads or tails on: in 4.1 % of cases.
    const excludes = (heads: number): boolean => {
      const coins = Array.from({ length: 20 }, (_, i): Value => [i < heads ? 1 : 0, i]);
      const { ci } = atOnce(figureOf(coins).metric('m', { share: true }));
      return ci![0] > 0.5 || ci![1] < 0.5;
    };
    assert.deepEqual([5, 6, 14, 15].map(excludes), [true, false, false, true]);
  });

  it("has Wilson's interval for a share without variance, and says why", () => {
    for (const [of, interval] of [
      [Array.from({ length: 9 }, (_, i): Value => [1, i]), 'bca'],
      [Array.from({ length: 9 }, (_, i): Value => [1, i]), 'wilson'],
      [Array.from({ length: 9 }, (_, i): Value => [1, i % 5]), 'bca'],
    ] as const) {
      const { ci, note } = atOnce(figureOf(of).metric('m', { rate: true, interval }));
      assert.ok(ci !== undefined && ci[0] < 1);
      assert.deepEqual(note, say('probe.wilsonInterval'));
    }
  });
});
