import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { atOnce } from '../../../src/base/turns/steps';
import { bcaFromReplicates } from '../../../src/stats/bootstrap';
import { spearman } from '../../../src/stats/correlation';
import { binomialTails, chiSquaredTails, fUpper, studentTails } from '../../../src/stats/distributions';
import { fleissKappa } from '../../../src/stats/fleiss';
import { holm } from '../../../src/stats/holm';
import { kendallTauB } from '../../../src/stats/kendall';
import { mixedModel } from '../../../src/stats/regression/mixedModel';
import { normalCdf, normalQuantile, normalSurvival } from '../../../src/stats/normal';
import { isDefined, type Outcome } from '../../../src/stats/outcome';
import { mcNemarExact, wilsonInterval } from '../../../src/stats/proportion';
import { cliffsDelta, kruskalWallis, mannWhitney } from '../../../src/stats/rankTests';
import { ratioResampler } from '../../../src/stats/resampling/resample';
import { shapiroWilk } from '../../../src/stats/shapiro';
import type { Tails } from '../../../src/stats/special';
import { mean, median, quantile, ranks, variance } from '../../../src/stats/summary';
import { pairedTTest, tTest } from '../../../src/stats/tTest';
import { wilcoxonPaired, wilcoxonSignedRank, type WilcoxonOptions } from '../../../src/stats/wilcoxon';
import { caseOf, cases, groups, mixed, partner, Stream, values } from './inputs';

type Row = (number | null)[] | null;

const expected = JSON.parse(readFileSync('test/oracle/stats/expected.json', 'utf8')) as Record<string, Row[]>;

/** Captious's values for a case. An undefined value is NaN. */
type Ours = (index: number) => number[];

/**
 * 'p' compares logarithms, because a p of 1e-149 depends on its statistic's last digits. A number is the size
 * below which the tolerance is absolute.
 */
type Scale = 'p' | number;

function close(ours: number, theirs: number, tolerance: number, scale: Scale): boolean {
  if (ours === theirs) return true;
  if (scale !== 'p') return Math.abs(ours - theirs) <= tolerance * Math.max(Math.abs(theirs), scale);
  if (Math.max(ours, theirs) < 1e-20) {
    // The p of ρ = 1 is 0, but the oracle's ρ may be 1 − 2^-53 with a tiny p. Tiny numbers may also underflow
    // to 0.
    if (Math.min(ours, theirs) < 1e-300) return true;
  }
  return Math.abs(Math.log(ours / theirs)) <= tolerance * Math.max(1, -Math.log(theirs));
}

function agrees(name: string, scales: Scale[], ours: Ours, tolerance = 1e-9): void {
  it(`${name}: equals the oracle on ${cases} inputs`, () => {
    const rows = expected[name];
    assert.equal(rows.length, cases);
    let compared = 0;
    const wrong: string[] = [];
    rows.forEach((row, index) => {
      const got = ours(index);
      got.forEach((value, at) => {
        const want = row?.[at] ?? NaN;
        compared++;
        const same = Number.isNaN(want) ? Number.isNaN(value) : close(value, want, tolerance, scales[at]);
        const { kind, n } = caseOf(index);
        if (!same) wrong.push(`case ${index} (${kind}, ${n}) [${at}]: ${value}, the oracle has ${want}`);
      });
      if (row !== null) assert.equal(got.length, row.length);
      assert.ok(got.length <= scales.length);
    });
    assert.deepEqual(wrong.slice(0, 40), [], `${wrong.length} of ${compared} differ`);
  });
}

/** A result's numbers. If the result is not defined, an array of `width` NaN values. */
function numbers<T>(outcome: Outcome<T>, of: (value: T) => (number | undefined)[], width = 2): number[] {
  return isDefined(outcome) ? of(outcome).map((value) => value ?? NaN) : new Array<number>(width).fill(NaN);
}

function discordant(index: number): [number, number] {
  const stream = new Stream(index + 700001);
  const most = caseOf(index).n;
  return [stream.below(most + 1), stream.below(most + 1)];
}

/** Rounds half to even, like NumPy. */
function roundHalfToEven(x: number): number {
  const below = Math.floor(x);
  const part = x - below;
  return part < 0.5 || (part === 0.5 && below % 2 === 0) ? below : below + 1;
}

describe('statistics agree with SciPy and statsmodels', () => {
  agrees('summary', new Array<Scale>(8).fill(0), (index) => {
    const x = values(index);
    return [
      mean(x),
      x.length > 1 ? variance(x) : NaN,
      variance(x, 0),
      median(x),
      quantile(x, 0.025),
      quantile(x, 0.1),
      quantile(x, 0.73),
      ranks(x).reduce((total, rank, i) => total + rank * ((i + 1) % 17), 0),
    ];
  });
  agrees('bca', [1, 0, 0], (index) => {
    const x = values(index);
    if (x.length < 2) return [NaN, NaN, NaN];
    const stream = new Stream(index + 600001);
    const most = Math.min(x.length, 50);
    const replicates = Float64Array.from({ length: 99 }, () =>
      mean(Float64Array.from({ length: most }, () => x[stream.below(x.length)])),
    ).sort();
    const ones = new Float64Array(x.length).fill(1);
    const leaveOneOut = atOnce(ratioResampler(x, ones, undefined).jackknife());
    return numbers(
      bcaFromReplicates(mean(x), replicates, leaveOneOut, 0.95),
      (r) => [r.acceleration, r.low, r.high],
      3,
    );
  });
  agrees('mcnemar', ['p'], (index) => [mcNemarExact(...discordant(index)).pValue]);
  agrees('wilson', [0, 0], (index) => {
    const [b, c] = discordant(index);
    return numbers(wilsonInterval(b, b + c), (r) => [r.low, r.high]);
  });
  agrees('spearman', [1, 'p'], (index) =>
    numbers(spearman(values(index), partner(index)), (r) => [r.coefficient, r.pValue]),
  );
  agrees('kendall', [1, 'p'], (index) =>
    numbers(kendallTauB(values(index), partner(index)), (r) => [r.coefficient, r.pValue]),
  );
  const testOf = (r: { statistic: number; pValue: number }): number[] => [r.statistic, r.pValue];
  agrees('tTest', [1, 'p'], (index) => numbers(tTest(values(index), 0.25), testOf));
  agrees('pairedT', [1, 'p'], (index) => numbers(pairedTTest(values(index), partner(index)), testOf));
  agrees('wilcoxon', [0, 'p', 0, 'p', 0, 'p', 0, 'p'], (index) => {
    const [a, b] = [values(index), partner(index)];
    return (
      [
        {},
        { zeros: 'pratt' },
        { method: 'normal', correction: true },
        { zeros: 'pratt', method: 'normal', correction: true },
      ] satisfies WilcoxonOptions[]
    ).flatMap((options) => numbers(wilcoxonPaired(a, b, options), testOf));
  });
  agrees('wilcoxonExact', ['p'], (index) => {
    const x = values(index);
    const largest = Math.max(...x.map(Math.abs));
    const few = x.slice(0, 10).map((value) => (largest === 0 ? 0 : roundHalfToEven((value / largest) * 4)));
    return numbers(wilcoxonSignedRank(few, { method: 'exact' }), (r) => [r.pValue], 1);
  });
  // With three values, p is a difference of two angles, so its absolute error is that of numbers near 1.
  agrees('shapiro', [0, 1e-6], (index) => numbers(shapiroWilk(values(index)), testOf));
  agrees('mannWhitney', [0, 'p', 1], (index) => {
    const [a, b] = groups(index);
    return [...numbers(mannWhitney(a, b), testOf), ...numbers(cliffsDelta(a, b), (delta) => [delta], 1)];
  });
  agrees('kruskal', [1, 'p'], (index) => numbers(kruskalWallis(groups(index)), testOf));
  agrees('holm', [0], (index) => {
    const stream = new Stream(index + 850001);
    const p = Float64Array.from({ length: 1 + (index % 12) }, (_, k) =>
      k % 5 ? stream.uniform() ** 3 : 0.01,
    );
    return [holm(p).reduce((total, value, k) => total + value * (k + 1), 0)];
  });
  agrees('fleiss', [1], (index) => {
    const stream = new Stream(index + 860001);
    const [items, raters, categories] = [1 + stream.below(40), 2 + stream.below(6), 1 + stream.below(5)];
    const table = Array.from({ length: items }, () => {
      const row = new Array<number>(categories).fill(0);
      for (let r = 0; r < raters; r++) row[Math.min(stream.below(categories), stream.below(categories))]++;
      return row;
    });
    return numbers(fleissKappa(table), (kappa) => [kappa], 1);
  });

  /** The fit's z values, its errors and variances in units of the response's spread, and its log-likelihood. */
  function mixedNumbers(index: number): number[] {
    const input = mixed(index);
    const spread = variance(input.response, 0);
    return numbers(
      atOnce(mixedModel(input)),
      (fit) => [
        ...fit.fixed.map(({ z }) => z),
        ...fit.fixed.map(({ standardError }) => standardError / Math.sqrt(spread)),
        ...fit.groupVariances.map((value) => value / spread),
        fit.residualVariance / spread,
        fit.logLikelihood,
      ],
      2 * input.fixed.length + 4,
    );
  }
  const mixedScales = new Array<Scale>(10).fill(1);
  agrees('mixed', mixedScales, mixedNumbers, 1e-4);
  it('mixed: equals statsmodels if its search converged', () => {
    let compared = 0;
    expected.mixedByStatsmodels.forEach((row, at) => {
      if (row === null || row.includes(null)) return;
      compared++;
      mixedNumbers(2 * at).forEach((value, i) => {
        assert.ok(
          close(value, row[i]!, 1e-4, 1),
          `case ${2 * at} [${i}]: ${value}, statsmodels has ${row[i]}`,
        );
      });
    });
    assert.ok(compared >= 35, `only ${compared} cases`);
  });

  it("distributions: equals the oracle's tails and quantiles over many magnitudes", () => {
    const rows = expected.distributions as unknown as [string, ...number[]][];
    assert.ok(rows.length >= 1000);
    const tails = ({ lower, upper }: Tails): number[] => [lower, upper];
    const ours: Record<string, (...x: number[]) => number[]> = {
      normal: (z) => [normalCdf(z), normalSurvival(z)],
      normalQuantile: (p) => [normalQuantile(p)],
      student: (t, degrees) => tails(studentTails(t, degrees)),
      chiSquared: (x, degrees) => tails(chiSquaredTails(x, degrees)),
      binomial: (k, n, p) => tails(binomialTails(k, n, p)),
      fUpper: (f, degrees, under) => [fUpper(f, degrees, under)],
    };
    const worst: Record<string, number> = {};
    const wrong: string[] = [];
    for (const [name, ...rest] of rows) {
      const values = ours[name](...rest);
      const want = rest.slice(-values.length);
      values.forEach((value, i) => {
        // Numbers below 1e-290 are close to the subnormal range, where doubles have fewer digits.
        if (Math.max(Math.abs(value), Math.abs(want[i])) < 1e-290) return;
        const error = value === want[i] ? 0 : Math.abs(value / want[i] - 1);
        worst[name] = Math.max(worst[name] ?? 0, error);
        if (!(error <= 1e-11)) wrong.push(`${name}(${rest.join(', ')}): ${values.join(', ')}`);
      });
    }
    assert.deepEqual(wrong.slice(0, 30), [], JSON.stringify(worst));
  });
});
