import { say, together } from '../../base/say';
import { allOf, type Steps } from '../../base/turns/steps';
import { flipTypes, type FlipType } from '../../perturb/text/variant';
import { isDefined } from '../../stats/outcome';
import { plainMean, sum } from '../../stats/summary';
import { Figure } from '../figure';
import { imageInterval } from '../inference/interval';
import type { Metric, Slice } from '../metric';
import { LongColumn } from '../../base/files/longColumn';
import type { LgipVariant } from './row';
import { strengthBins, strengths, typePrior } from './strength';

/** Collects two metrics of flips: the mean gap (`sens`) and the share of caught flips (`pr`). */
export class Gaps {
  readonly sens = new Figure();
  readonly pr = new Figure();

  /** Adds the flips of one (image, caption) pair. Eq. 4 and 5 average within pairs first. */
  add(gaps: readonly number[], cluster: number): void {
    if (gaps.length === 0) return;
    this.sens.add(plainMean(gaps), cluster);
    this.pr.add(plainMean(gaps.map((gap) => (gap > 0 ? 1 : 0))), cluster);
    this.pr.ties += gaps.filter((gap) => gap === 0).length;
  }

  soFar(name: (figure: 'sens' | 'pr') => string): Metric[] {
    return [this.sens.soFar(name('sens')), this.pr.soFar(name('pr'), { rate: true })];
  }

  *metrics(name: (figure: 'sens' | 'pr') => string, slice?: Slice): Steps<Metric[]> {
    return [
      yield* this.sens.metric(name('sens'), { slice }),
      yield* this.pr.metric(name('pr'), { slice, rate: true }),
    ];
  }
}

/** A run's flips in columns until its end, because the strength of a flip depends on all flips. */
export class FlipRecord {
  private readonly gaps = new LongColumn(Float64Array);
  private readonly priors = new LongColumn(Float64Array);
  private readonly distances = new LongColumn(Float64Array);
  private readonly clusters = new LongColumn(Uint32Array);
  /** For each flip, the index of its (image, caption) pair. The flips of a pair are adjacent. */
  private readonly pairs = new LongColumn(Uint32Array);
  private pair = 0;
  private withoutDistance = 0;

  add(flips: readonly LgipVariant[], cluster: number): void {
    if (flips.length === 0) return;
    for (const { kind, gap, distance } of flips) {
      // A dataset's flip of unknown type has no prior.
      if (gap === undefined || !isFlipType(kind)) continue;
      this.gaps.push(gap);
      this.priors.push(typePrior[kind]);
      this.distances.push(distance ?? 0);
      if (distance === undefined) this.withoutDistance++;
      this.clusters.push(cluster);
      this.pairs.push(this.pair);
    }
    this.pair++;
  }

  *metrics(alpha: number, textSpace: boolean): Steps<Metric[]> {
    const gaps = this.gaps.all();
    const known = textSpace && this.withoutDistance === 0;
    const { values, bins } = strengths(this.priors.all(), known ? this.distances.all() : undefined, alpha);
    const note = known
      ? undefined
      : textSpace
        ? say('lgip.flipsWithoutDistance')
        : say('lgip.evaluatorWithoutDistance');
    yield;
    const metrics = [...(yield* this.weighted(gaps, values)), ...(yield* this.binned(gaps, bins))];
    return note === undefined
      ? metrics
      : metrics.map((metric) => ({ ...metric, note: together(metric.note, note) }));
  }

  private *weighted(gaps: Float64Array, weights: Float64Array): Steps<Metric[]> {
    const caught = gaps.map((gap) => (gap > 0 ? 1 : 0));
    return [
      yield* this.weightedMean('lgip.sens.weighted', gaps, weights),
      {
        ...(yield* this.weightedMean('lgip.pr.weighted', caught, weights)),
        ties: gaps.filter((gap) => gap === 0).length,
      },
    ];
  }

  /** The mean of the values over all flips, weighted by strength: Σ s·x / Σ s. */
  private *weightedMean(id: string, values: Float64Array, weights: Float64Array): Steps<Metric> {
    const metric: Metric = { id, value: null, n: values.length };
    if (!weights.some((weight) => weight > 0)) {
      return {
        ...metric,
        note: values.length === 0 ? say('probe.noExamples') : say('lgip.strengthZero'),
      };
    }
    const products = values.map((value, i) => value * weights[i]);
    const interval = yield* imageInterval({
      statistic: 'ratio',
      values: products,
      denominators: weights,
      clusters: this.clusters.all(),
    });
    metric.value = sum(products) / sum(weights);
    const images = new Set(this.clusters.all()).size;
    if (images < metric.n) metric.images = images;
    if (isDefined(interval)) metric.ci = [interval.low, interval.high];
    else metric.note = say('probe.noInterval', interval.reason);
    return metric;
  }

  private *binned(gaps: Float64Array, bins: Uint8Array): Steps<Metric[]> {
    const clusters = this.clusters.all();
    const pairs = this.pairs.all();
    const bands = strengthBins.map(() => new Gaps());
    for (let from = 0; from < gaps.length;) {
      let to = from;
      while (to < gaps.length && pairs[to] === pairs[from]) to++;
      for (const [bin, band] of bands.entries())
        band.add(
          [...gaps.subarray(from, to)].filter((_, i) => bins[from + i] === bin),
          clusters[from],
        );
      from = to;
    }
    return yield* allOf(strengthBins, (name, bin) =>
      bands[bin].metrics((figure) => `lgip.${figure}.${name}`),
    );
  }
}

function isFlipType(kind: string): kind is FlipType {
  return (flipTypes as readonly string[]).includes(kind);
}
