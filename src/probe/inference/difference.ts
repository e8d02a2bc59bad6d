import { say, type Words } from '../../base/say';
import { smallest } from '../../base/extent';
import type { Steps } from '../../base/turns/steps';
import { LongColumn } from '../../base/files/longColumn';
import { clusteredMeanTest, type MeanTest } from '../../stats/decisions/clusterTest';
import {
  clusteredDifferenceTest,
  clusteredShareDifference,
  exchangeableTest,
} from '../../stats/decisions/groupTest';
import { leastDiscordant, leastImages } from '../../stats/decisions/smallSample';
import { isDefined, type Outcome } from '../../stats/outcome';
import { mean } from '../../stats/summary';
import { tooFewImages } from './interval';
import { imagesOf, type Metric, metricOf, type Slice } from '../metric';
import type { Tested } from '../claimFamily';

/**
 * What is compared: two right or wrong results, or two numbers, of the same example; or the numbers of two groups of
 * examples, rare events in two groups of examples, or values from 0 to 1 in two groups of examples.
 */
type Kind = 'results' | 'numbers' | 'groups' | 'events' | 'shares';

/**
 * Collects values for the test of a difference. Its metrics are the difference with the interval of the test, and
 * the p value with the id of the difference and ".p".
 */
export class Difference {
  private readonly values = new LongColumn<Float64Array>(Float64Array);
  private readonly clusters = new LongColumn(Uint32Array);
  private readonly firsts = new LongColumn(Uint8Array);

  constructor(private readonly kind: Kind) {}

  /** Adds the difference of an example's two values. */
  add(value: number, cluster: number): void {
    this.values.push(value);
    this.clusters.push(cluster);
  }

  /** Adds a value of the first or the second group. */
  addTo(group: 'first' | 'second', value: number, cluster: number): void {
    this.add(value, cluster);
    this.firsts.push(group === 'first' ? 1 : 0);
  }

  *metrics(id: string, slice?: Slice): Steps<Metric[]> {
    yield;
    const [values, clusters, firsts] = [this.values.all(), this.clusters.all(), this.firsts.all()];
    const images = new Set(clusters).size;
    const shared = {
      n: values.length,
      ...(images < values.length ? { images } : {}),
      ...(slice === undefined ? {} : { slice }),
    };
    const [whole, p] = [id, `${id}.p`].map((each): Metric => ({ id: each, value: null, ...shared }));
    const isGroups = this.kind !== 'results' && this.kind !== 'numbers';
    const sides = [1, 0].map((side) => values.filter((_, i) => firsts[i] === side));
    const parts = isGroups ? sides : [values];
    if (parts.some(({ length }) => length === 0))
      return [whole, p].map((one) => ({ ...one, note: say('probe.noExamples') }));
    whole.value = isGroups ? mean(sides[0]) - mean(sides[1]) : mean(values);
    const fewest = isGroups
      ? smallest([1, 0].map((side) => new Set(clusters.filter((_, i) => firsts[i] === side)).size))
      : images;
    yield;
    const test: Outcome<Pick<MeanTest, 'low' | 'high' | 'pValue'>> =
      tooFewImages(fewest) ??
      (isGroups
        ? this.kind === 'shares'
          ? clusteredShareDifference(values, firsts, clusters)
          : clusteredDifferenceTest(values, firsts, clusters)
        : clusteredMeanTest(values, clusters, { correctsSkewness: this.kind === 'numbers' }));
    const why = this.tooFewDiffer(values) ?? (isDefined(test) ? undefined : test.reason);
    if (why !== undefined || !isDefined(test)) {
      whole.note = say('probe.noInterval', why ?? '');
      p.note = say('inference.noTest', why ?? '');
      return [whole, p];
    }
    whole.ci = [test.low, test.high];
    if (this.kind === 'events') {
      const exchanged = exchangeableTest(values, firsts, clusters);
      whole.note = say('inference.clusteredIntervalOnly');
      p.value = isDefined(exchanged) ? exchanged.pValue : null;
      p.note = isDefined(exchanged)
        ? say('inference.pooledVarianceTest')
        : say('inference.noTest', exchanged.reason);
      return [whole, p];
    }
    whole.note = say('inference.intervalOfReportedTest');
    p.value = test.pValue;
    p.note = testNames[this.kind === 'shares' ? 'shares' : isGroups ? 'groups' : 'paired'];
    return [whole, p];
  }

  private tooFewDiffer(values: Float64Array): Words | undefined {
    if (this.kind !== 'results') return undefined;
    const differing = values.filter((value) => value !== 0).length;
    return differing >= leastDiscordant
      ? undefined
      : say('inference.tooFewDiscordant', differing, leastDiscordant);
  }
}

const testNames: Record<'paired' | 'groups' | 'shares', Words> = {
  paired: say('inference.pairedTest'),
  groups: say('inference.twoGroupTest'),
  shares: say('inference.testOfInterval'),
};

/** The test of a difference. Undefined if it has no test or too few images for a verdict. */
export function differenceTest(metrics: readonly Metric[], id: string, slice?: Slice): Tested | undefined {
  const p = metricOf(metrics, `${id}.p`, slice);
  return p === undefined || p.value === null || imagesOf(p) < leastImages ? undefined : { pValue: p.value };
}
