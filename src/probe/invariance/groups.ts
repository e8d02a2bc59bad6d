import { english, say } from '../../base/say';
import { pEquals } from '../../base/pValue';
import { isDefined } from '../../stats/outcome';
import { kruskalWallis, pairwiseMannWhitney } from '../../stats/rankTests';
import { median } from '../../stats/summary';
import { imageInterval } from '../inference/interval';
import type { Metric } from '../metric';

/**
 * A Kruskal–Wallis test over all groups, and a Mann–Whitney test for each pair of groups with Holm's
 * correction.
 */
export function betweenGroups(
  id: string,
  what: string,
  groups: readonly { name: string; values: readonly number[] }[],
): Metric[] {
  const full = groups.filter(({ values }) => values.length > 0);
  const metric: Metric = { id, value: null, n: full.reduce((sum, { values }) => sum + values.length, 0) };
  if (full.length < 2)
    return [
      {
        ...metric,
        note: english(
          full.length === 1
            ? say`The Kruskal–Wallis test needs at least two groups with values, but only one group has values.`
            : say`The Kruskal–Wallis test needs at least two groups with values, but no group has values.`,
        ),
      },
    ];
  const test = kruskalWallis(full.map(({ values }) => values));
  if (!isDefined(test)) return [{ ...metric, note: english(say`Kruskal–Wallis: ${test.reason}.`) }];
  const pairs = pairwiseMannWhitney(full.map(({ values }) => values)).map(
    ({ first, second, adjusted, pValue }): Metric => ({
      id,
      value: adjusted,
      n: full[first].values.length + full[second].values.length,
      slice: { [what]: full[first].name, against: full[second].name },
      note: english(say`Mann–Whitney, Holm-adjusted; unadjusted ${pEquals(pValue)}.`),
    }),
  );
  return [
    {
      ...metric,
      value: test.pValue,
      note: english(
        say`Kruskal–Wallis with tie correction, H = ${test.statistic.toPrecision(6)} over ${full.length} groups.`,
      ),
    },
    ...pairs,
  ];
}

/** Each group's median score with its interval over images, in the given order. */
export function groupMedians(
  prefix: string,
  groups: readonly { name: string; values: readonly number[]; photos: readonly number[] }[],
): Metric[] {
  return groups.map(({ name, values, photos }) => {
    const metric: Metric = { id: `${prefix}.${name}.median`, value: null, n: values.length };
    if (values.length === 0) return { ...metric, note: english(say`No images.`) };
    metric.value = median(values);
    const images = new Set(photos).size;
    if (images < metric.n) metric.images = images;
    const interval = imageInterval({ values, clusters: photos, statistic: 'median' });
    if (isDefined(interval)) metric.ci = [interval.low, interval.high];
    else metric.note = english(say`No interval: ${interval.reason}.`);
    return metric;
  });
}
