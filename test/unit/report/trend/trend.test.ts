import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { CaptiousError } from '../../../../src/base/errors';
import { Random } from '../../../../src/base/random';
import { atOnce } from '../../../../src/base/turns/steps';
import { metricLines } from '../../../../src/cli/metricsLog';
import type { CommonRows } from '../../../../src/report/decisions/commonRows';
import { parseGate } from '../../../../src/report/gate';
import { dropsOf, failingSteps } from '../../../../src/report/trend/drops';
import { stepOf, stepPattern, usualSteps } from '../../../../src/report/trend/step';
import { inStepOrder, requireOneSeries, trendIn } from '../../../../src/report/trend/trend';
import { simultaneousLevel } from '../../../../src/stats/decisions/simultaneous';
import { reportOf } from '../reportOf';

const rowsOf = (images: number, valuesOf: (image: number) => number[]): CommonRows => ({
  better: 'higher',
  rows: Array.from({ length: images }, (_, i) => ({ image: `${i}.jpg`, values: valuesOf(i), weight: 1 })),
});

/** Whether an error says the message of this code. */
const isCaptious = (code: string) => (error: unknown) => {
  assert.ok(error instanceof CaptiousError);
  assert.equal((error.what as { code?: string }).code, code);
  return true;
};

describe('a trend over checkpoints', () => {
  it('finds the planted change, and no other', () => {
    // Of 100 images, 30 are right at the first two steps, 80 at the third, and 79 at the fourth.
    const right = [30, 30, 80, 79];
    const trend = atOnce(
      trendIn(
        'x',
        rowsOf(100, (i) => right.map((n) => Number(i < n))),
        { steps: [1, 2, 3, 4] },
      ),
    );
    assert.deepEqual(
      trend.steps.map(({ value }) => value),
      [0.3, 0.3, 0.8, 0.79],
    );
    assert.deepEqual(
      trend.steps.map(({ change }) => change?.verdict),
      [undefined, 'undecided', 'better', 'undecided'],
    );
    assert.equal(trend.best, 3);
    assert.deepEqual(
      trend.steps.map(({ inBest }) => inBest),
      [false, false, true, true],
    );
    const { adjusted, pValue } = trend.steps[3].change!;
    assert.equal(adjusted, Math.min(1, pValue * 12));
    for (const { value, band } of trend.steps) assert.ok(band![0] < value && value < band![1]);
  });

  it('neither ranks nor judges steps at chance level', () => {
    const common = rowsOf(100, (i) => [Number(i < 90), Number(i < 30)]);
    const { best, steps } = atOnce(trendIn('x', common, { steps: [1, 2], groundless: [0] }));
    assert.equal(best, 2);
    assert.deepEqual([steps[1].change?.verdict, steps[0].inBest], ['undecided', false]);
  });

  it('fails the steps that are too much worse than the best before them', () => {
    const steps = [0.5, 0.75, 0.5, 0.625, 1, 0.75].map((value, i) => ({ step: 10 * i, value }));
    const trend = { metric: 'visla.t2t', better: 'higher' as const, n: 40, images: 40, steps };
    assert.deepEqual(dropsOf(trend), [0, 0, 0.25, 0.125, 0, 0.25]);
    assert.deepEqual(dropsOf({ ...trend, better: 'lower' }), [0, 0.25, 0, 0.125, 0.5, 0.25]);
    const chance = steps.map((step, i) => (i === 1 ? { ...step, groundless: true as const } : step));
    assert.deepEqual(dropsOf({ ...trend, steps: chance }), [0, 0, 0, 0, 0, 0.25]);
    const reports = steps.map(({ value }) => reportOf({ metrics: [{ id: 'visla.t2t', value, n: 40 }] }));
    const failing = (text: string): number[] => failingSteps(parseGate(text), trend, reports);
    assert.deepEqual(failing('visla.t2t.drop > 0.125'), [20, 50]);
    assert.deepEqual(failing('visla.t2t.drop > 0.1 && visla.t2t < 0.7'), [20, 30]);
    assert.throws(() => failing('visla.t2i.drop > 0'), isCaptious('report.metricMissing'));
  });

  it('says nothing with few images', () => {
    const { steps } = atOnce(
      trendIn(
        'x',
        rowsOf(4, (i) => [0, i + 1]),
        { steps: [1, 2] },
      ),
    );
    assert.deepEqual(
      [steps[1].band, steps[1].inBest, steps[1].change?.verdict],
      [undefined, undefined, 'undecided'],
    );
  });

  it('keeps its levels for series without a change', () => {
    const rounds = 100;
    let [changed, missed, lost] = [0, 0, 0];
    for (let round = 0; round < rounds; round++) {
      const random = new Random(7, `${round}`, 'trend');
      const noise = (): number =>
        Array.from({ length: 12 }, () => random.uniform()).reduce((a, b) => a + b) - 6;
      const common = rowsOf(40, () => {
        const shared = noise();
        return [0, 1, 2, 3].map(() => shared + noise());
      });
      const { steps } = atOnce(trendIn('x', common, { steps: [1, 2, 3, 4], draws: 500 }));
      if (steps.some(({ change }) => change !== undefined && change.verdict !== 'undecided')) changed++;
      if (steps.some(({ band }) => band![0] > 0 || band![1] < 0)) missed++;
      if (steps[0].inBest === false) lost++;
    }
    // 5 % of 100 are 5, with a standard deviation of 2.2.
    for (const count of [changed, missed, lost]) assert.ok(count <= 12, `${changed} ${missed} ${lost}`);
  });

  it('finds the level that integrals of the normal density give', () => {
    const { cases } = JSON.parse(readFileSync('test/oracle/decisions/simultaneous.json', 'utf8')) as {
      cases: { residuals: number[][]; level: number }[];
    };
    for (const { residuals, level } of cases) {
      const found = atOnce(simultaneousLevel(residuals.map((own) => Float64Array.from(own))));
      // The joint level of 20,000 draws has a standard error of 0.0015, and each interval's share of it is smaller.
      assert.ok(Math.abs(found - level) < 0.001, `${found} ${level}`);
    }
  });

  it('uses one level for equal steps, and nearly Bonferroni’s for independent ones', () => {
    const own = Float64Array.of(1, -1, 0, 0);
    const apart = [own, Float64Array.of(0, 0, 1, -1)];
    assert.ok(Math.abs(atOnce(simultaneousLevel([own, own])) - 0.95) < 0.004);
    assert.ok(Math.abs(atOnce(simultaneousLevel(apart)) - Math.sqrt(0.95)) < 0.004);
  });
});

describe('steps', () => {
  it('are read from the first name that has one', () => {
    for (const name of ['step_500', 'ckpt/checkpoint-500', 'Iter500'])
      assert.equal(stepOf([undefined, 'clip', name], usualSteps), 500);
    assert.equal(stepOf(['model'], usualSteps), undefined);
    assert.equal(stepOf(['run-7'], stepPattern('run-(\\d+)')), 7);
  });

  it('must be present, distinct and of one audit', () => {
    assert.throws(() => stepPattern('('), isCaptious('report.stepPatternInvalid'));
    assert.throws(() => stepPattern('step'), isCaptious('report.stepPatternInvalid'));
    assert.throws(() => inStepOrder([{ path: 'a' }]), isCaptious('report.stepMissing'));
    const two = [
      { path: 'a', step: 1 },
      { path: 'b', step: 1 },
    ];
    assert.throws(() => inStepOrder(two), isCaptious('report.stepTwice'));
    const other = { ...reportOf().dataset, sha256: 'other' };
    assert.throws(
      () => requireOneSeries([reportOf(), reportOf({ dataset: other })]),
      isCaptious('report.trendDatasetsDiffer'),
    );
    assert.throws(
      () => requireOneSeries([reportOf(), reportOf({ seed: 1 })]),
      isCaptious('report.optionDiffers'),
    );
    assert.throws(
      () => requireOneSeries([reportOf(), reportOf({ probe: 'lgip' })]),
      isCaptious('report.probesDiffer'),
    );
  });
});

describe('lines of metrics', () => {
  it('have the step, the interval and the slice', () => {
    const { evaluator } = reportOf();
    const metrics = [
      { id: 'visla.t2t', value: 0.5, n: 40, ci: [0.4, 0.6] as [number, number] },
      { id: 'visla.t2t', value: null, n: 0, slice: { length: 'short' } },
    ];
    const lines = metricLines(reportOf({ evaluator: { ...evaluator, name: 'step_20' }, metrics }));
    const same = { probe: 'visla', evaluator: 'step_20', step: 20, id: 'visla.t2t' };
    assert.deepEqual(
      lines
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
      [
        { ...same, value: 0.5, low: 0.4, high: 0.6, n: 40 },
        { ...same, value: null, n: 0, slice: { length: 'short' } },
      ],
    );
  });
});
