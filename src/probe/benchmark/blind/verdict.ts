/* Which baselines are better than chance. They are one family of tests, because the best one is chosen afterwards. */
import { say } from '../../../base/say';
import { against, lies, percent, percents } from '../../claim';
import { adjustedTogether, adjustedWords, isSupported, shareTestOf } from '../../claimFamily';
import type { Metric, Claim } from '../../metric';
import { wholeMetric } from '../../view';
import { type Baseline, baselines, blindMetric } from './baselines';
import { baselineNames } from './names';

export interface TestedBaseline {
  name: Baseline;
  metric: Metric;
  chance: number;
  pValue: number;
  /** The p value after Holm's correction. */
  adjusted: number;
  isAbove: boolean;
}

/** The tests of all baselines against chance, best first. Empty if there are too few images for a test. */
export function testedBaselines(metrics: readonly Metric[]): (TestedBaseline & { claim: Claim })[] {
  const tested = baselines.flatMap((name) => {
    const metric = wholeMetric(metrics, blindMetric(name));
    const chance = metric?.chance;
    if (metric?.ci === undefined || chance === undefined || metric.value === null) return [];
    const test = shareTestOf(metrics, metric.id, chance);
    return test === undefined ? [] : [{ ...test, name, metric, chance, ci: metric.ci, value: metric.value }];
  });
  return adjustedTogether(tested)
    .map((one) => {
      const { name, metric, chance, ci, value, pValue } = one;
      const isAbove = isSupported(one) && value > chance;
      const rule = say(
        'base.joinedParts',
        lies(metric.id, percents(ci), against(ci, chance), say('probe.chanceLevel', percent(chance))),
        adjustedWords(one),
      );
      const text = say('benchmark.bestBlind', baselineNames[name], percent(value));
      return { ...{ name, metric, chance, pValue, isAbove }, adjusted: one.adjusted, claim: { text, rule } };
    })
    .sort((a, b) => b.metric.value! - b.chance - (a.metric.value! - a.chance));
}

/** The adjusted p value of each baseline. */
export function pMetrics(tested: readonly TestedBaseline[]): Metric[] {
  return tested.map(({ metric: { id, n, images }, adjusted }) => ({
    ...{ id: `${id}.p`, value: adjusted, n },
    ...(images === undefined ? {} : { images }),
    note: say('benchmark.holmOverBaselines', tested.length),
  }));
}

/** The best baseline above chance, or that there is none. */
export function blindClaims(metrics: readonly Metric[]): Claim[] {
  const tested = testedBaselines(metrics);
  const best = tested.find(({ isAbove }) => isAbove);
  if (best !== undefined) return [best.claim];
  const [first] = tested;
  return first === undefined ? [] : [{ text: say('benchmark.noBlind'), rule: first.claim.rule }];
}

/** 1 for each item that none of the baselines solves, otherwise 0. */
export function leftBy(
  n: number,
  solvers: readonly (readonly [name: string, shares: Float64Array])[],
): Float64Array {
  const left = new Float64Array(n).fill(1);
  for (const [, shares] of solvers) for (const [i, share] of shares.entries()) if (share === 1) left[i] = 0;
  return left;
}
