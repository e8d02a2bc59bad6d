import assert from 'node:assert/strict';
import { say } from '../../../src/base/say';
import { readFileSync } from 'node:fs';
import { atOnce } from '../../../src/base/turns/steps';
import { type Association, association, type Measure } from '../../../src/stats/agreement/association';
import {
  associationDifference,
  associationInterval,
  rankInterval,
  williams,
} from '../../../src/stats/agreement/paired';
import { calibrateTies, ordersAlike, type RatedPair } from '../../../src/stats/agreement/ties';
import { studentQuantile, studentTails } from '../../../src/stats/distributions';
import { kendallTauB } from '../../../src/stats/kendall';
import { isDefined, type Outcome } from '../../../src/stats/outcome';
import { predictionPoweredMean } from '../../../src/stats/agreement/ppi';
import { numberClusters } from '../../../src/stats/clustering';

interface Case {
  people: number[];
  first: number[];
  second: number[];
  clusters: number[];
  values: Record<Measure, number>;
  capevalkit: Record<'tauB' | 'tauC', number>;
  without: Record<'tauB' | 'pearson' | 'spearman', number[]>;
  pairwise: { plain: number; epsilon: number; calibrated: number } | null;
  williams: [number, number];
}

interface PpiCase {
  labels: number[];
  scores: number[];
  unlabelled: number[];
  tuned: [number, number];
  plain: [number, number];
  estimate: number;
}

const { cases, ppi, rank } = JSON.parse(readFileSync('test/oracle/agreement/agreement.json', 'utf8')) as {
  cases: Case[];
  ppi: PpiCase[];
  rank: { value: number; n: number; tauB: number[]; spearman: number[] }[];
};

function defined<T>(outcome: Outcome<T>): T {
  assert.ok(isDefined(outcome), JSON.stringify(outcome));
  return outcome;
}

function near(ours: number, theirs: number, tolerance = 1e-9): void {
  assert.ok(Math.abs(ours - theirs) <= tolerance, `${ours} instead of ${theirs}`);
}

function agreementOf(measure: Measure, { first, people, clusters }: Case): Association {
  return defined(association(measure, first, people, numberClusters(clusters)));
}

describe('agreement with ratings', () => {
  for (const measure of ['tauB', 'tauC', 'spearman', 'pearson'] as const)
    it(`${measure} equals SciPy's on ${cases.length} lists with ties`, () => {
      for (const one of cases) near(agreementOf(measure, one).value, one.values[measure]);
    });

  for (const measure of ['tauB', 'tauC'] as const)
    it(`${measure} equals capevalkit's`, () => {
      for (const one of cases) near(agreementOf(measure, one).value, one.capevalkit[measure]);
    });

  it("rank correlations of a few items have the intervals of published variances, with SciPy's quantiles", () => {
    for (const { value, n, ...ends } of rank)
      for (const measure of ['tauB', 'spearman'] as const) {
        const { low, high } = defined(rankInterval(measure, value, n));
        near(low, ends[measure][0]);
        near(high, ends[measure][1]);
      }
    assert.ok(!isDefined(rankInterval('tauB', 0.5, 4)) && !isDefined(rankInterval('spearman', 1, 12)));
  });

  it("τ-b equals the test's own, which counts pairs in another way", () => {
    for (const { first, people } of cases)
      near(
        defined(association('tauB', first, people)).value,
        defined(kendallTauB(first, people)).coefficient,
      );
  });

  for (const measure of ['tauB', 'pearson'] as const)
    it(`${measure} without each cluster equals SciPy's of the rest`, () => {
      for (const one of cases)
        agreementOf(measure, one).without.forEach((value, g) => near(value, one.without[measure][g]));
    });

  it('Spearman without one of many images is close to its exact value', () => {
    for (const one of cases.filter(({ clusters }) => Math.max(...clusters) >= 40))
      agreementOf('spearman', one).without.forEach((value, g) => near(value, one.without.spearman[g], 2e-3));
  });

  it('is not defined for constant ratings', () => {
    const outcome = association('tauC', [1, 2, 3], [4, 4, 4]);
    assert.deepEqual(outcome, { reason: say('stats.constantVariable') });
  });

  it('has an interval that contains the value, and none if agreement is perfect', () => {
    for (const one of cases) {
      const found = agreementOf('tauB', one);
      const interval = associationInterval(found);
      if (isDefined(interval)) assert.ok(interval.low < found.value && found.value < interval.high);
    }
    assert.ok(!isDefined(associationInterval(defined(association('pearson', [1, 2, 3, 4], [2, 4, 6, 8])))));
  });
});

describe('paired tests of two metrics', () => {
  it("Williams' t equals Steiger's formula", () => {
    for (const { people, first, second, williams: expected } of cases) {
      const r = [
        [people, first],
        [people, second],
        [first, second],
      ].map(([a, b]) => defined(association('pearson', a, b)).value);
      const test = defined(williams(r[0], r[1], r[2], people.length));
      near(test.statistic, expected[0], 1e-9 * Math.max(1, Math.abs(expected[0])));
      near(test.pValue, expected[1], 1e-9);
    }
  });

  it('a metric differs from itself by 0 with p 1', () => {
    const one = agreementOf('tauB', cases[0]);
    const difference = defined(atOnce(associationDifference(one, one)));
    assert.deepEqual([difference.estimate, difference.pValue], [0, 1]);
  });

  it('swapped metrics change the sign and keep p', () => {
    const { people, first, second, clusters } = cases[3];
    const [a, b] = [first, second].map((scores) =>
      defined(association('spearman', people, scores, numberClusters(clusters))),
    );
    const [one, other] = [
      defined(atOnce(associationDifference(a, b))),
      defined(atOnce(associationDifference(b, a))),
    ];
    assert.equal(one.pValue, other.pValue);
    near(one.estimate, -other.estimate, 1e-15);
    near(one.low, -other.high, 1e-12);
  });

  it('a metric that is the ratings beats noise', () => {
    const people = Float64Array.from({ length: 60 }, (_, i) => (i * 7919) % 60);
    const close = people.map((value, i) => value + (i % 3));
    const noise = people.map((_, i) => (i * 104729) % 59);
    const [a, b] = [close, noise].map((scores) => defined(association('tauB', people, scores)));
    assert.ok(defined(atOnce(associationDifference(a, b))).pValue < 0.001);
  });
});

describe('tie calibration', () => {
  it('equals trying every threshold', () => {
    let seen = 0;
    for (const { first, people, clusters, pairwise } of cases) {
      if (pairwise === null || Math.max(...clusters) === clusters.length - 1) continue;
      seen++;
      const pairs: RatedPair[] = [];
      for (let i = 0; i < first.length; i++)
        for (let j = i + 1; j < first.length; j++)
          if (clusters[i] === clusters[j])
            pairs.push({ metric: first[i] - first[j], people: people[i] - people[j] });
      const { epsilon, accuracy } = defined(calibrateTies(pairs));
      near(accuracy, pairwise.calibrated);
      near(epsilon, pairwise.epsilon);
      near(pairs.filter((pair) => ordersAlike(pair, 0)).length / pairs.length, pairwise.plain);
    }
    assert.ok(seen > 5);
  });
});

describe('prediction-powered inference', () => {
  it("equals ppi-python's interval, tuned and not", () => {
    for (const { labels, scores, unlabelled, tuned, plain, estimate } of ppi) {
      const [best, fixed] = [undefined, 1].map((lambda) =>
        defined(predictionPoweredMean(labels, scores, unlabelled, { lambda })),
      );
      near(best.low, tuned[0]);
      near(best.high, tuned[1]);
      near(fixed.low, plain[0]);
      near(fixed.high, plain[1]);
      near(fixed.estimate, estimate);
    }
  });

  it('scores that say nothing leave the interval of the labels', () => {
    const labels = [1, 2, 3, 4, 5, 4];
    const constant = labels.map(() => 7);
    const result = defined(predictionPoweredMean(labels, constant, [7, 7, 7]));
    assert.equal(result.lambda, 0);
    assert.deepEqual([result.low, result.high], [result.labelsOnly.low, result.labelsOnly.high]);
  });
});

describe("quantile of Student's t", () => {
  it('inverts the distribution', () => {
    for (const degrees of [1, 2, 5, 49, 1e6])
      for (const p of [0.01, 0.3, 0.5, 0.975, 0.9999])
        near(studentTails(studentQuantile(p, degrees), degrees).lower, p, 1e-12);
  });
});
