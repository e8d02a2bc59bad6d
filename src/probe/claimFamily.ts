/** Verdicts that are drawn together: each needs its p value at the level adjusted for their number. */
import { say, type Words } from '../base/say';
import { pEquals } from '../base/pValue';
import { holm } from '../stats/holm';
import { studentQuantile, studentTwoSided } from '../stats/distributions';
import { normalSurvival } from '../stats/normal';
import { against, exactP, intervalOf, rateClaim, type Side } from './claim';
import { type Metric, metricOf, type Slice, type Claim } from './metric';

/** A verdict of a family holds if its adjusted p value is below this level. */
export const verdictLevel = 0.05;

export interface Tested {
  /** The two-sided p value of the verdict's own test. */
  pValue: number;
}

export type Adjusted<T extends Tested> = T & {
  /** The p value after Holm's correction over the family. */
  adjusted: number;
  /** The number of tests in the family. */
  of: number;
  /** A verdict needs an adjusted p value below this level. */
  level: number;
};

/**
 * Adjusts the tests of a family by Holm's method, so that the probability of any wrong verdict in the family
 * stays below the level. A family that is tested in two sets gives each set half the level.
 */
export function adjustedTogether<T extends Tested>(
  family: readonly T[],
  level = verdictLevel,
): Adjusted<T>[] {
  const adjusted = holm(family.map(({ pValue }) => pValue));
  return family.map((test, i) => ({ ...test, adjusted: adjusted[i], of: family.length, level }));
}

export function isSupported({ adjusted, level }: Adjusted<Tested>): boolean {
  return adjusted < level;
}

/** The adjusted p value as a sentence for a verdict's rule. */
export function adjustedWords({ adjusted, of, level }: Adjusted<Tested>): Words {
  return of === 1
    ? say('probe.testRule', pEquals(adjusted), level)
    : say('probe.holmRule', of, pEquals(adjusted), level);
}

/** The 97.5 % quantile of the normal distribution. */
const tail = 1.959963984540054;

/**
 * The two-sided p value against a number that belongs to a 95 % interval. It is below 0.05 exactly if the interval
 * excludes the number. On the side of the number it has the interval's tails: Student's, or normal ones without `degrees`.
 */
export function pOfInterval(
  estimate: number,
  [low, high]: readonly [number, number],
  value: number,
  degrees?: number,
): number {
  const reach = estimate > value ? estimate - low : high - estimate;
  const distance = Math.abs(estimate - value);
  if (distance === 0) return 1;
  if (reach <= 0) return against([low, high], value) === 'across' ? 1 : 0;
  return degrees === undefined
    ? 2 * normalSurvival((tail * distance) / reach)
    : studentTwoSided((studentQuantile(0.975, degrees) * distance) / reach, degrees);
}

/** The test of a metric against a number, from its interval. Undefined if there are too few images for a verdict. */
export function testOf(
  metrics: readonly Metric[],
  id: string,
  value: number,
  slice?: Slice,
): Tested | undefined {
  const interval = intervalOf(metrics, id, slice);
  const metric = metricOf(metrics, id, slice);
  return interval === undefined || metric === undefined || metric.value === null
    ? undefined
    : { pValue: pOfInterval(metric.value, interval, value, metric.degrees) };
}

/** The test of a share against a level. Near 0 and 1, the exact test must agree. */
export function shareTestOf(metrics: readonly Metric[], id: string, level: number): Tested | undefined {
  const test = testOf(metrics, id, level);
  return test && { pValue: Math.max(test.pValue, exactP(metricOf(metrics, id)!, level)) };
}

/** Compares several rates with their chance levels. One verdict for each rate with an interval. */
export function rateClaims(
  metrics: readonly Metric[],
  rates: readonly { id: string; chance: number; words: Record<Side, Words> }[],
): Claim[] {
  const tested = rates.flatMap((rate) => {
    const test = shareTestOf(metrics, rate.id, rate.chance);
    return test === undefined ? [] : [{ ...rate, ...test }];
  });
  return adjustedTogether(tested).flatMap((one) =>
    rateClaim(
      metrics,
      one.id,
      one.chance,
      one.words,
      one.of === 1 ? undefined : { isSupported: isSupported(one), rule: adjustedWords(one) },
    ),
  );
}
