import { inARow, say, type Words, together } from '../../base/say';
import type { Steps } from '../../base/turns/steps';
import { pEquals } from '../../base/pValue';
import { mixedModel } from '../../stats/regression/mixedModel';
import { clusterRobustError } from '../../stats/regression/clusterRobust';
import { reaches } from '../../stats/decisions/clusterTest';
import { leastClusters } from '../../stats/decisions/smallSample';
import { isDefined } from '../../stats/outcome';
import { cliffsDelta } from '../../stats/rankTests';
import { shapiroWilk } from '../../stats/shapiro';
import { mean, median } from '../../stats/summary';
import { pairedTTest } from '../../stats/tTest';
import { wilcoxonPaired } from '../../stats/wilcoxon';
import { imageInterval, tooFewImages } from '../inference/interval';
import type { Metric, Slice } from '../metric';
import { changeOf } from '../largeChange';
import {
  countsOf,
  largerOf,
  meansBy,
  type Units,
  unitInterval,
  unitsOf,
  unitWords,
} from '../inference/units';
import { flipRiskMetrics } from './rrf';

/** The score after a change (`score`) and the score that it is compared with (`against`). */
export interface Shift {
  against: number;
  score: number;
  image: number;
  /** For a changed word: the caption without it (see `units.ts`). */
  text?: string;
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
): { pValue: number | null; note: Words } {
  const looks = [before, after].map(shapiroWilk);
  const seen = looks.map((look) => (isDefined(look) ? pEquals(look.pValue) : look.reason));
  const why = say('invariance.shapiroWilkResults', seen[0], seen[1]);
  const normal = looks.every((look) => isDefined(look) && look.pValue >= normalFrom);
  if (normal) {
    const test = pairedTTest(after, before);
    return isDefined(test)
      ? { pValue: test.pValue, note: say('invariance.pairedTest', why) }
      : { pValue: null, note: say('invariance.pairedTestImpossible', test.reason, why) };
  }
  const test = wilcoxonPaired(after, before);
  return isDefined(test)
    ? { pValue: test.pValue, note: say('invariance.wilcoxonTest', test.method, why) }
    : { pValue: null, note: say('invariance.wilcoxonImpossible', test.reason, why) };
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

  get images(): Uint32Array {
    return Uint32Array.from(this.shifts, ({ image }) => image);
  }

  get units(): Units {
    return unitsOf(this.shifts);
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
      ...(yield* flipRiskMetrics(prefix, shifts, this.units, undefined)),
    ];
  }

  private *medianOf(id: string, values: Float64Array, slice: Slice | undefined, note?: Words): Steps<Metric> {
    const metric = this.start(id, slice);
    const notes: Words[] = note === undefined ? [] : [note];
    if (this.leftOut > 0) notes.push(say('invariance.nearZeroLeftOut', this.leftOut));
    if (values.length > 0) {
      metric.value = median(values);
      yield;
      const interval = yield* unitInterval(this.units, (clusters) =>
        imageInterval({ values, clusters, statistic: 'median' }),
      );
      if (isDefined(interval)) metric.ci = [interval.low, interval.high];
      else notes.push(say('probe.noInterval', interval.reason));
    } else notes.push(say('invariance.noPairs'));
    if (notes.length > 0) metric.note = inARow(notes, ' ');
    return metric;
  }

  private start(id: string, slice?: Slice): Metric {
    const metric: Metric = { id, value: null, n: this.shifts.length, ...countsOf(this.units) };
    if (slice !== undefined) metric.slice = slice;
    return metric;
  }

  private get sides(): { before: Float64Array; after: Float64Array } {
    return {
      before: Float64Array.from(this.shifts, ({ against }) => against),
      after: Float64Array.from(this.shifts, ({ score }) => score),
    };
  }

  private *cliff(id: string): Steps<Metric> {
    yield;
    const { before, after } = this.sides;
    const delta = cliffsDelta(after, before);
    return isDefined(delta)
      ? { ...this.start(id), value: delta, note: say('invariance.comparesAfterWithBefore') }
      : { ...this.start(id), note: say('invariance.noPairs') };
  }

  /**
   * A test of scores before and after the changes. It needs independent pairs, so each image counts as one pair
   * of means, and each caption whose word changes in another test (the larger p counts).
   */
  *test(id: string): Steps<Metric> {
    const { before, after } = this.sides;
    const { images, texts } = this.units;
    yield;
    const metric = this.start(id);
    const [byImage, byText] = [images, texts].map((keys) => {
      if (keys === undefined) return undefined;
      const [own, changed] = [before, after].map((values) => meansBy(keys, values));
      const test = testOfPairs(own, changed);
      const side = own.length === 0 ? 0 : Math.sign(mean(changed) - mean(own));
      return { ...test, observations: own.length, side };
    });
    if (byImage!.observations < leastClusters)
      return { ...metric, note: say('invariance.testNeedsImages', leastClusters) };
    const words = unitWords([byImage, byText]);
    const over =
      words ??
      (metric.images === undefined ? undefined : say('invariance.testedOnImageMeans', metric.images));
    const note = together(byImage!.note, over);
    if (byText !== undefined && byText.observations < leastClusters) return { ...metric, note: words! };
    return { ...metric, value: largerOf(byText === undefined ? [byImage!] : [byImage!, byText]), note };
  }

  /**
   * β₁ of the mixed model score ~ 1 + changed + (1 | image) + (1 | category), by REML. Each unchanged score
   * counts once.
   */
  *beta1(id: string): Steps<Metric> {
    const metric = this.start(id);
    const response: number[] = [];
    const changed: number[] = [];
    const rows: Shift[] = [];
    const add = (shift: Shift, value: number, is: number): void => {
      response.push(value);
      changed.push(is);
      rows.push(shift);
    };
    const seen = new Set<string>();
    for (const shift of this.shifts) {
      if (!seen.has(shift.reference)) {
        seen.add(shift.reference);
        add(shift, shift.against, 0);
      }
      add(shift, shift.score, 1);
    }
    if (response.length === 0) return { ...metric, note: say('invariance.noPairs') };
    const fixed = [response.map(() => 1), changed];
    const images = rows.map(({ image }) => image);
    const kinds = rows.map(({ category }) => category);
    const crossed = yield* mixedModel({ response, fixed, random: [images, kinds] });
    const fit = isDefined(crossed) ? crossed : yield* mixedModel({ response, fixed, random: [images] });
    const model = isDefined(crossed)
      ? say('invariance.mixedModel')
      : say('invariance.mixedModelWithoutCategory', crossed.reason);
    if (!isDefined(fit))
      return { ...metric, note: inARow([model, say('dataset.asSentence', fit.reason)], ': ') };
    const { estimate } = fit.fixed[1];
    const input = { response, fixed, coefficients: fit.fixed.map((one) => one.estimate) };
    const effects = { of: images, groups: kinds, ratio: fit.groupVariances[0] / fit.residualVariance };
    const units = unitsOf(rows);
    const interval = yield* unitInterval(units, function* (clusters) {
      yield;
      const error = clusterRobustError(input, effects, clusters, 1);
      const few = tooFewImages(error.clusters);
      if (few !== undefined) return few;
      const [below, above] = reaches(0.975, error);
      return { low: estimate - below * error.standardError, high: estimate + above * error.standardError };
    });
    if (!isDefined(interval)) {
      const why = say('probe.noInterval', interval.reason);
      return { ...metric, value: estimate, note: together(say('dataset.asSentence', model), why) };
    }
    return {
      ...metric,
      value: estimate,
      ci: [interval.low, interval.high],
      note:
        units.texts === undefined
          ? say('invariance.modelWithClusteredCi', model)
          : say('invariance.modelWithUnitCi', model),
    };
  }
}

const percentNote = say('invariance.percentOfScoreBefore');
