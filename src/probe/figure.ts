import { say } from '../base/say';
import type { Steps } from '../base/turns/steps';
import { LongColumn } from '../base/files/longColumn';
import type { Interval } from '../stats/bootstrap';
import { isDefined, type Outcome } from '../stats/outcome';
import { clusteredMeanTest } from '../stats/decisions/clusterTest';
import { clusteredShareInterval, wilsonInterval } from '../stats/proportion';
import { mean, RunningSum, sorted, sum } from '../stats/summary';
import { imageInterval, tooFewImages } from './inference/interval';
import type { Metric, Slice } from './metric';

/** One figure for each name. */
export function figuresOf<K extends string>(...names: readonly K[]): Record<K, Figure> {
  return Object.fromEntries(names.map((name) => [name, new Figure()])) as Record<K, Figure>;
}

/** Numbers the images (clusters), because intervals resample images. */
export class Clusters {
  private readonly ids = new Map<string, number>();

  of(name: string): number {
    let id = this.ids.get(name);
    if (id === undefined) {
      id = this.ids.size;
      this.ids.set(name, id);
    }
    return id;
  }

  /** Counts a name as part of a cluster from now on. */
  assign(name: string, cluster: string): void {
    this.ids.set(name, this.of(cluster));
  }
}

interface MetricForm {
  slice?: Slice;
  /** Whether the value is a share of right comparisons. The metric then reports its number of ties. */
  rate?: boolean;
  /** Whether all values are from 0 to 1. */
  share?: boolean;
  ties?: boolean;
  interval?: IntervalKind;
}

/**
 * `wilson` has clustered standard errors. It is the default of shares, where `bca`, the default of other means, is too
 * short with few images. `test` is the interval of the clustered t-test, for verdicts that may rest on few images;
 * `skewed` always corrects it for skewness.
 */
type IntervalKind = 'bca' | 'wilson' | 'test' | 'skewed';

/** The cached interval of the first `n` values. */
interface Measured {
  n: number;
  kind: IntervalKind;
  images: number;
  interval: Outcome<Pick<Interval, 'low' | 'high'> & { degrees?: number }>;
}

const mostInRun = 255;

/**
 * Collects values with their clusters, for a mean with an interval. To save memory, successive values of a cluster
 * form a run. While all values are 0 or 1, only their counts are stored.
 */
export class Figure {
  private readonly clusters = new LongColumn(Uint32Array);
  private readonly counts = new LongColumn(Uint8Array);
  /** The number of ones in each run. While all values are 0 or 1, their order in a run has no effect. */
  private ones = new LongColumn(Uint8Array);
  /** All values in the order of their runs. Undefined until a value other than 0 and 1 is added. */
  private values: LongColumn<Float64Array> | undefined;
  private readonly total = new RunningSum();
  private measured: Measured | undefined;
  n = 0;
  ties = 0;

  add(value: number, cluster: number): void {
    if (this.values === undefined && value !== 1 && !Object.is(value, 0)) this.widen();
    if (!this.continues(cluster)) this.begin(cluster);
    this.n++;
    this.counts.increment();
    this.total.add(value);
    if (this.values !== undefined) this.values.push(value);
    else if (value === 1) this.ones.increment();
  }

  /** Adds 1 if `greater` is strictly greater, otherwise 0. Equal scores also count as a tie. */
  compare(greater: number, smaller: number, cluster: number): void {
    this.add(greater > smaller ? 1 : 0, cluster);
    if (greater === smaller) this.ties++;
  }

  /** Adds every value of `other`, multiplied by `factor`. */
  addScaled(other: Figure, factor: number): void {
    const values = other.listed();
    const counts = other.counts.all();
    let at = 0;
    for (const [run, cluster] of other.clusters.all().entries())
      for (let i = 0; i < counts[run]; i++) this.add(values[at++] * factor, cluster);
  }

  ascending(): Float64Array {
    return sorted(this.listed());
  }

  /** The mean so far, without an interval. */
  soFar(id: string, { rate = false }: { rate?: boolean } = {}): Metric {
    const metric: Metric = { id, value: this.n === 0 ? null : this.mean(), n: this.n };
    if (rate) metric.ties = this.ties;
    return metric;
  }

  /**
   * The mean with its interval over images. Shares of 0 and 1 get Wilson's interval with images as trials, because
   * they have no standard error. Rates also report their number of ties.
   */
  *metric(
    id: string,
    {
      slice,
      rate = false,
      share = rate,
      ties = rate,
      interval: kind = share ? 'wilson' : 'bca',
    }: MetricForm = {},
  ): Steps<Metric> {
    const metric: Metric = { id, value: null, n: this.n };
    if (ties) metric.ties = this.ties;
    if (slice !== undefined) metric.slice = slice;
    if (this.n === 0) {
      metric.note = say('probe.noExamples');
      return metric;
    }
    metric.value = this.mean();
    const { images, interval } = yield* this.intervalOf(kind);
    if (images < this.n) metric.images = images;
    if (isDefined(interval)) {
      metric.ci = [interval.low, interval.high];
      if (interval.degrees !== undefined) metric.degrees = interval.degrees;
    } else if (tooFewImages(images) === undefined && share && (metric.value === 0 || metric.value === 1)) {
      const score = wilsonInterval(metric.value * images, images);
      if (isDefined(score)) metric.ci = [score.low, score.high];
      metric.note = say('probe.wilsonInterval');
    } else metric.note = say('probe.noInterval', interval.reason);
    return metric;
  }

  /** The interval is cached, because a report may show the same values as a metric and as a slice. */
  private *intervalOf(kind: IntervalKind): Steps<Measured> {
    if (this.measured?.n === this.n && this.measured.kind === kind) return this.measured;
    yield;
    const { totals, sizes } = this.byCluster();
    yield;
    const images = totals.length;
    const interval =
      tooFewImages(images) ??
      (kind === 'bca'
        ? yield* imageInterval({ statistic: 'ratio', values: totals, denominators: sizes })
        : kind === 'wilson'
          ? clusteredShareInterval(totals, sizes)
          : clusteredMeanTest(this.listed(), this.clusterOfEach(), {
              correctsSkewness: kind === 'skewed' ? 'always' : true,
            }));
    this.measured = { n: this.n, kind, images, interval };
    return this.measured;
  }

  /** The mean of the values. Throws if a value is not finite, or if the sum is too large. */
  private mean(): number {
    return Number.isFinite(this.total.value) ? this.total.value / this.n : mean(this.listed());
  }

  /** Whether the next value, with this cluster, belongs to the last run. */
  private continues(cluster: number): boolean {
    return this.clusters.last === cluster && this.counts.last! < mostInRun;
  }

  private begin(cluster: number): void {
    this.clusters.push(cluster);
    this.counts.push(0);
    if (this.values === undefined) this.ones.push(0);
  }

  /** The values in the order of their runs. If `values` is undefined, the ones of each run come first. */
  private listed(): Float64Array {
    if (this.values !== undefined) return this.values.all();
    const values = new Float64Array(this.n);
    const counts = this.counts.all();
    let at = 0;
    for (const [run, ones] of this.ones.all().entries()) {
      values.fill(1, at, at + ones);
      at += counts[run];
    }
    return values;
  }

  /** The cluster of each value, in the order of `listed`. */
  private clusterOfEach(): Uint32Array {
    const clusters = new Uint32Array(this.n);
    const counts = this.counts.all();
    let at = 0;
    for (const [run, cluster] of this.clusters.all().entries())
      clusters.fill(cluster, at, (at += counts[run]));
    return clusters;
  }

  /** Creates `values` with all values so far. Called before the first value other than 0 and 1 is added. */
  private widen(): void {
    const values = new LongColumn<Float64Array>(Float64Array);
    values.append(this.listed());
    this.values = values;
    this.ones = new LongColumn(Uint8Array);
  }

  /** Each cluster's sum and size. Adds in ascending order: the order of rows must not affect rounding. */
  private byCluster(): { totals: Float64Array; sizes: Float64Array } {
    const clusters = this.clusters.all();
    const counts = this.counts.all();
    const most = clusters.reduce((a, b) => Math.max(a, b), 0) + 1;
    const sizes = new Float64Array(most);
    for (const [run, cluster] of clusters.entries()) sizes[cluster] += counts[run];
    const totals =
      this.values === undefined
        ? this.onesByCluster(clusters, most)
        : this.sumsByCluster(clusters, counts, sizes);
    const isThere = (_: number, cluster: number): boolean => sizes[cluster] > 0;
    return { totals: totals.filter(isThere), sizes: sizes.filter((size) => size > 0) };
  }

  private onesByCluster(clusters: Uint32Array, most: number): Float64Array {
    const totals = new Float64Array(most);
    const ones = this.ones.all();
    for (const [run, cluster] of clusters.entries()) totals[cluster] += ones[run];
    return totals;
  }

  private sumsByCluster(clusters: Uint32Array, counts: Uint8Array, sizes: Float64Array): Float64Array {
    const values = this.listed();
    const ends = new Uint32Array(sizes.length);
    for (let c = 1; c < ends.length; c++) ends[c] = ends[c - 1] + sizes[c - 1];
    const grouped = new Float64Array(values.length);
    let at = 0;
    for (const [run, cluster] of clusters.entries())
      for (let i = 0; i < counts[run]; i++) grouped[ends[cluster]++] = values[at++];
    return sizes.map((size, cluster) => sum(grouped.subarray(ends[cluster] - size, ends[cluster]).sort()));
  }
}
