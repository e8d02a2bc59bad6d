import { say, together } from '../../../base/say';
import { eachOf, type Steps } from '../../../base/turns/steps';
import { pEquals } from '../../../base/pValue';
import { holm } from '../../../stats/holm';
import { isDefined } from '../../../stats/outcome';
import { kruskalWallis, pairwiseMannWhitney } from '../../../stats/rankTests';
import { leastClusters } from '../../../stats/decisions/smallSample';
import { median } from '../../../stats/summary';
import { imageInterval } from '../../inference/interval';
import {
  countsOf,
  largerOf,
  meansBy,
  unitInterval,
  type Units,
  unitsOf,
  type UnitTest,
  unitWords,
} from '../../inference/units';
import { imagesOf, type Metric } from '../../metric';

/** Values of a group, such as the scores of all animals. */
export interface Group {
  name: string;
  values: readonly number[];
  /** The image of each value. */
  images: readonly number[];
  /** The caption of each value, if images may share captions. */
  texts?: readonly string[];
}

function unitsIn(groups: readonly Group[]): Units {
  return unitsOf(
    groups.flatMap(({ images, texts }) => images.map((image, i) => ({ image, text: texts?.[i] }))),
  );
}

function counted(id: string, groups: readonly Group[]): Metric {
  const n = groups.reduce((sum, { values }) => sum + values.length, 0);
  return { id, value: null, n, ...countsOf(unitsIn(groups)) };
}

interface Means {
  observations: number;
  isOfTexts: boolean;
  means: Float64Array[];
}

/** The groups with one value per image and, if images share captions, with one per caption. */
function meansIn(groups: readonly Group[]): Means[] {
  const { images, texts } = unitsIn(groups);
  const by = (key: 'images' | 'texts', keys: readonly (number | string)[]) => ({
    observations: new Set(keys).size,
    isOfTexts: key === 'texts',
    means: groups.map((group) => meansBy(group[key]!, group.values)),
  });
  return [by('images', images), ...(texts === undefined ? [] : [by('texts', texts)])];
}

/**
 * A Kruskal–Wallis test over all groups of images, and a Mann–Whitney test for each pair of groups with Holm's
 * correction. An image counts once and, in tests of their own, a caption once in each group.
 */
export function* betweenGroups(id: string, what: string, groups: readonly Group[]): Steps<Metric[]> {
  const full = groups.filter(({ values }) => values.length > 0);
  const metric = counted(id, full);
  if (full.length < 2)
    return [
      { ...metric, note: full.length === 1 ? say('invariance.onlyOneGroup') : say('invariance.noGroup') },
    ];
  if (imagesOf(metric) < leastClusters)
    return [{ ...metric, note: say('invariance.testNeedsImages', leastClusters) }];
  yield;
  const sets = meansIn(full);
  const found = sets.map(({ means }) => kruskalWallis(means));
  const [test] = found;
  if (!isDefined(test)) return [{ ...metric, note: say('invariance.kruskalWallisImpossible', test.reason) }];
  const tests = found.map((one, i): UnitTest => unitTest(sets[i], isDefined(one) ? one.pValue : null));
  const words = unitWords([tests[0], tests.at(1)]);
  const whole = say('invariance.kruskalWallisTest', test.statistic.toPrecision(6), full.length);
  yield;
  const value = largerOf(tests);
  return [{ ...metric, value, note: together(whole, words) }, ...pairMetrics(id, what, full)];
}

function pairMetrics(id: string, what: string, full: readonly Group[]): Metric[] {
  const pairs = full.flatMap((first, i) => full.slice(i + 1).map((second) => [first, second]));
  const tested = pairs.map((both) => {
    const tests = meansIn(both).map((set): UnitTest => {
      const [{ pValue, statistic }] = pairwiseMannWhitney(set.means);
      const [a, b] = set.means;
      return unitTest(set, pValue, Math.sign(2 * statistic - a.length * b.length));
    });
    return { both, tests, pValue: largerOf(tests) };
  });
  const adjusted = holm(tested.flatMap(({ pValue }) => pValue ?? [])).values();
  return tested.map(({ both: [first, second], tests, pValue }): Metric => {
    const words = unitWords([tests[0], tests.at(1)]);
    const note =
      pValue === null ? words! : together(say('invariance.mannWhitneyTest', pEquals(pValue)), words);
    return {
      ...counted(id, [first, second]),
      value: pValue === null ? null : adjusted.next().value!,
      slice: { [what]: first.name, against: second.name },
      note,
    };
  });
}

function unitTest({ observations, isOfTexts }: Means, pValue: number | null, side = 0): UnitTest {
  return { observations, side, pValue: isOfTexts && observations < leastClusters ? null : pValue };
}

/** Each group's median score with its interval, in the given order. */
export function* groupMedians(prefix: string, groups: readonly Group[]): Steps<Metric[]> {
  return yield* eachOf(groups, function* (group): Steps<Metric> {
    const { name, values } = group;
    const metric = counted(`${prefix}.${name}.median`, [group]);
    if (values.length === 0) return { ...metric, note: say('invariance.noImages') };
    metric.value = median(values);
    const interval = yield* unitInterval(unitsIn([group]), (clusters) =>
      imageInterval({ values, clusters, statistic: 'median' }),
    );
    if (isDefined(interval)) metric.ci = [interval.low, interval.high];
    else metric.note = say('probe.noInterval', interval.reason);
    return metric;
  });
}
