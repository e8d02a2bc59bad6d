import { say } from '../../../base/say';
import { eachOf, type Steps } from '../../../base/turns/steps';
import { pEquals } from '../../../base/pValue';
import { isDefined } from '../../../stats/outcome';
import { kruskalWallis, pairwiseMannWhitney } from '../../../stats/rankTests';
import { leastClusters } from '../../../stats/decisions/smallSample';
import { median, plainMean } from '../../../stats/summary';
import { imageInterval } from '../../inference/interval';
import { imagesOf, type Metric } from '../../metric';

interface Group {
  name: string;
  values: readonly number[];
  /** The image of each value. */
  photos: readonly number[];
}

/** The mean of each image's values, because several values of one image are not independent. */
function byImage({ values, photos }: Group): number[] {
  const own = new Map<number, number[]>();
  for (const [i, photo] of photos.entries()) own.set(photo, [...(own.get(photo) ?? []), values[i]]);
  return [...own.values()].map((some) => (some.length === 1 ? some[0] : plainMean(some)));
}

function countsOf(groups: readonly Group[]): Pick<Metric, 'n' | 'images'> {
  const n = groups.reduce((sum, { values }) => sum + values.length, 0);
  const images = new Set(groups.flatMap(({ photos }) => photos)).size;
  return images < n ? { n, images } : { n };
}

/**
 * A Kruskal–Wallis test over all groups of images, and a Mann–Whitney test for each pair of groups with Holm's
 * correction. An image counts once.
 */
export function* betweenGroups(id: string, what: string, groups: readonly Group[]): Steps<Metric[]> {
  const full = groups
    .filter(({ values }) => values.length > 0)
    .map((group) => ({ ...group, means: byImage(group) }));
  const metric: Metric = { id, value: null, ...countsOf(full) };
  if (full.length < 2)
    return [
      {
        ...metric,
        note: full.length === 1 ? say('invariance.onlyOneGroup') : say('invariance.noGroup'),
      },
    ];
  if (imagesOf(metric) < leastClusters)
    return [{ ...metric, note: say('invariance.testNeedsImages', leastClusters) }];
  yield;
  const test = kruskalWallis(full.map(({ means }) => means));
  if (!isDefined(test)) return [{ ...metric, note: say('invariance.kruskalWallisImpossible', test.reason) }];
  yield;
  const pairs = pairwiseMannWhitney(full.map(({ means }) => means)).map(
    ({ first, second, adjusted, pValue }): Metric => ({
      id,
      value: adjusted,
      ...countsOf([full[first], full[second]]),
      slice: { [what]: full[first].name, against: full[second].name },
      note: say('invariance.mannWhitneyTest', pEquals(pValue)),
    }),
  );
  return [
    {
      ...metric,
      value: test.pValue,
      note: say('invariance.kruskalWallisTest', test.statistic.toPrecision(6), full.length),
    },
    ...pairs,
  ];
}

/** Each group's median score with its interval over images, in the given order. */
export function* groupMedians(
  prefix: string,
  groups: readonly { name: string; values: readonly number[]; photos: readonly number[] }[],
): Steps<Metric[]> {
  return yield* eachOf(groups, function* ({ name, values, photos }): Steps<Metric> {
    const metric: Metric = { id: `${prefix}.${name}.median`, value: null, n: values.length };
    if (values.length === 0) return { ...metric, note: say('invariance.noImages') };
    metric.value = median(values);
    const images = new Set(photos).size;
    if (images < metric.n) metric.images = images;
    const interval = yield* imageInterval({ values, clusters: photos, statistic: 'median' });
    if (isDefined(interval)) metric.ci = [interval.low, interval.high];
    else metric.note = say('probe.noInterval', interval.reason);
    return metric;
  });
}
