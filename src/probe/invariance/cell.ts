import { english } from '../../base/english';
import { say } from '../../base/say';
import type { Steps } from '../../base/turns/steps';
import { pEquals } from '../../base/pValue';
import { mixedModel } from '../../stats/regression/mixedModel';
import { clusterRobustError } from '../../stats/regression/clusterRobust';
import { studentQuantile } from '../../stats/distributions';
import { leastClusters } from '../../stats/decisions/smallSample';
import { isDefined } from '../../stats/outcome';
import { cliffsDelta } from '../../stats/rankTests';
import { shapiroWilk } from '../../stats/shapiro';
import { median, plainMean } from '../../stats/summary';
import { pairedTTest } from '../../stats/tTest';
import { wilcoxonPaired } from '../../stats/wilcoxon';
import { imageInterval } from '../inference/interval';
import type { Metric, Slice } from '../metric';
import { changeOf } from '../largeChange';
import { flipRiskMetrics } from './rrf';

/** The score after a change (`score`) and the score that it is compared with (`against`). */
export interface Shift {
  against: number;
  score: number;
  photo: number;
  /** The id of the observation behind `against`. Several changes may share one observation. */
  reference: string;
  category: string;
  /** For a comparison of two moves: the larger `seam` and the larger `background` of the two (see `Seams`). */
  seam?: number;
  background?: number;
}

/** The significance level of the normality test. */
const normalFrom = 0.05;

/** A paired t-test if Shapiro–Wilk accepts both samples as normal, otherwise Wilcoxon's test. */
export function testOfPairs(
  before: Float64Array,
  after: Float64Array,
): { pValue: number | null; note: string } {
  const looks = [before, after].map(shapiroWilk);
  const seen = looks.map((look) => (isDefined(look) ? pEquals(look.pValue) : look.reason));
  const why = english(say('invariance.shapiroWilkResults', seen[0], seen[1]));
  const normal = looks.every((look) => isDefined(look) && look.pValue >= normalFrom);
  if (normal) {
    const test = pairedTTest(after, before);
    return isDefined(test)
      ? { pValue: test.pValue, note: english(say('invariance.pairedTest', why)) }
      : { pValue: null, note: english(say('invariance.pairedTestImpossible', test.reason, why)) };
  }
  const test = wilcoxonPaired(after, before);
  return isDefined(test)
    ? { pValue: test.pValue, note: english(say('invariance.wilcoxonTest', test.method, why)) }
    : { pValue: null, note: english(say('invariance.wilcoxonImpossible', test.reason, why)) };
}

export class Cell {
  readonly shifts: Shift[] = [];
  /** The number of shifts that are excluded because `against` is too close to zero for a change in percent. */
  leftOut = 0;

  add(shift: Shift): void {
    if (changeOf(shift.score, shift.against) === null) this.leftOut++;
    else this.shifts.push(shift);
  }

  get changes(): Float64Array {
    return Float64Array.from(this.shifts, ({ score, against }) => changeOf(score, against)!);
  }

  get deltas(): Float64Array {
    return Float64Array.from(this.shifts, ({ score, against }) => score - against);
  }

  get photos(): Uint32Array {
    return Uint32Array.from(this.shifts, ({ photo }) => photo);
  }

  /** The median size of the shifts so far. */
  soFar(prefix: string): Metric {
    const { deltas } = this;
    return {
      ...this.start(`${prefix}.absDelta`),
      value: deltas.length === 0 ? null : median(deltas.map(Math.abs)),
    };
  }

  /** The median metrics. Slices have only these metrics. */
  *medians(prefix: string, slice?: Slice): Steps<Metric[]> {
    const { changes, deltas } = this;
    return [
      yield* this.medianOf(`${prefix}.median`, changes, slice, percentNote),
      yield* this.medianOf(`${prefix}.absMedian`, changes.map(Math.abs), slice, percentNote),
      yield* this.medianOf(`${prefix}.delta`, deltas, slice),
      yield* this.medianOf(`${prefix}.absDelta`, deltas.map(Math.abs), slice),
    ];
  }

  /** All metrics of a family. `width` is the length of the evaluator's range. */
  *all(prefix: string, width: number): Steps<Metric[]> {
    const shifts = this.deltas.map((delta) => delta / width);
    return [
      ...(yield* this.medians(prefix)),
      yield* this.cliff(`${prefix}.cliff`),
      yield* this.test(`${prefix}.p`),
      yield* this.beta1(`${prefix}.beta1`),
      ...(yield* flipRiskMetrics(prefix, shifts, this.photos, undefined)),
    ];
  }

  private *medianOf(
    id: string,
    values: Float64Array,
    slice: Slice | undefined,
    note?: string,
  ): Steps<Metric> {
    const metric = this.start(id, slice);
    const notes = note === undefined ? [] : [note];
    if (this.leftOut > 0) notes.push(english(say('invariance.nearZeroLeftOut', this.leftOut)));
    if (values.length > 0) {
      metric.value = median(values);
      yield;
      const interval = yield* imageInterval({
        values,
        clusters: this.photos,
        statistic: 'median',
      });
      if (isDefined(interval)) metric.ci = [interval.low, interval.high];
      else notes.push(`No interval: ${interval.reason}.`);
    } else notes.push(english(say('invariance.noPairs')));
    if (notes.length > 0) metric.note = notes.join(' ');
    return metric;
  }

  private start(id: string, slice?: Slice): Metric {
    const metric: Metric = { id, value: null, n: this.shifts.length };
    const images = new Set(this.photos).size;
    if (images < metric.n) metric.images = images;
    if (slice !== undefined) metric.slice = slice;
    return metric;
  }

  private get sides(): { before: Float64Array; after: Float64Array } {
    return {
      before: Float64Array.from(this.shifts, ({ against }) => against),
      after: Float64Array.from(this.shifts, ({ score }) => score),
    };
  }

  /** The scores before and after the changes, averaged by image. */
  private get byImage(): { before: Float64Array; after: Float64Array } {
    const { before, after } = this.sides;
    const { photos } = this;
    const places = new Map<number, number[]>();
    photos.forEach((photo, i) => {
      const own = places.get(photo);
      if (own === undefined) places.set(photo, [i]);
      else own.push(i);
    });
    if (places.size === photos.length) return { before, after };
    const means = (of: Float64Array) =>
      Float64Array.from(places.values(), (own) => plainMean(own.map((i) => of[i])));
    return { before: means(before), after: means(after) };
  }

  private *cliff(id: string): Steps<Metric> {
    yield;
    const { before, after } = this.sides;
    const delta = cliffsDelta(after, before);
    return isDefined(delta)
      ? {
          ...this.start(id),
          value: delta,
          note: english(say('invariance.comparesAfterWithBefore')),
        }
      : { ...this.start(id), note: english(say('invariance.noPairs')) };
  }

  /**
   * A test of scores before and after the changes. It needs independent pairs, so each image counts as one pair
   * of means.
   */
  *test(id: string): Steps<Metric> {
    const { before, after } = this.byImage;
    yield;
    const metric = this.start(id);
    const over =
      metric.images === undefined ? '' : ` ${english(say('invariance.testedOnImageMeans', metric.images))}`;
    if (before.length < leastClusters)
      return { ...metric, note: english(say('invariance.testNeedsImages', leastClusters)) };
    const { pValue, note } = testOfPairs(before, after);
    return { ...metric, value: pValue, note: `${note}${over}` };
  }

  /**
   * β₁ of the mixed model score ~ 1 + changed + (1 | image) + (1 | category), by REML. Each unchanged score
   * counts once.
   */
  *beta1(id: string): Steps<Metric> {
    const metric = this.start(id);
    const response: number[] = [];
    const changed: number[] = [];
    const photos: number[] = [];
    const kinds: string[] = [];
    const add = ({ photo, category }: Shift, value: number, is: number): void => {
      response.push(value);
      changed.push(is);
      photos.push(photo);
      kinds.push(category);
    };
    const seen = new Set<string>();
    for (const shift of this.shifts) {
      if (!seen.has(shift.reference)) {
        seen.add(shift.reference);
        add(shift, shift.against, 0);
      }
      add(shift, shift.score, 1);
    }
    if (response.length === 0) return { ...metric, note: english(say('invariance.noPairs')) };
    const fixed = [response.map(() => 1), changed];
    const crossed = yield* mixedModel({ response, fixed, random: [photos, kinds] });
    const fit = isDefined(crossed) ? crossed : yield* mixedModel({ response, fixed, random: [photos] });
    const model = isDefined(crossed)
      ? english(say('invariance.mixedModel'))
      : english(say('invariance.mixedModelWithoutCategory', crossed.reason));
    if (!isDefined(fit)) return { ...metric, note: `${model}: ${fit.reason}.` };
    const { estimate } = fit.fixed[1];
    const input = { response, fixed, coefficients: fit.fixed.map((one) => one.estimate) };
    yield;
    const error = clusterRobustError(input, photos, kinds, fit.groupVariances[0] / fit.residualVariance);
    if (error.clusters < leastClusters)
      return {
        ...metric,
        value: estimate,
        note: `${model}. ${english(say('invariance.ciNeedsImages', leastClusters))}`,
      };
    const reach = studentQuantile(0.975, error.clusters - 1) * error.standardErrors[1];
    return {
      ...metric,
      value: estimate,
      ci: [estimate - reach, estimate + reach],
      note: english(say('invariance.modelWithClusteredCi', model)),
    };
  }
}

const percentNote = english(say('invariance.percentOfScoreBefore'));
