import { LongColumn } from '../base/files/longColumn';
import { bcaInterval, type Interval } from '../stats/bootstrap';
import { isDefined, notDefined, type Outcome } from '../stats/outcome';
import { clusteredShareInterval, wilsonInterval } from '../stats/proportion';
import { mean, RunningSum, sorted, sum } from '../stats/summary';
import type { Metric, Slice } from './metric';

/**
 * The seed of all intervals. It differs from the seed of the perturbations, so that the two can change
 * independently.
 */
export const intervalSeed = 2025;

/** Numbers the images, because intervals resample images instead of captions. */
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
}

interface MetricForm {
  slice?: Slice;
  /** Whether the value is a share of right comparisons, which has ties. */
  rate?: boolean;
  /** Whether all values are between 0 and 1. */
  share?: boolean;
  ties?: boolean;
  /** Wilson's interval with clustered standard errors instead of BCa's, for values between 0 and 1. */
  wilson?: boolean;
}

/** The interval of the first `n` values. */
interface Measured {
  n: number;
  wilson: boolean;
  images: number;
  interval: Outcome<Pick<Interval, 'low' | 'high'>>;
}

const mostInRun = 255;

/**
 * Collects values by cluster to compute their mean. Successive values of a cluster form a run. A run takes at
 * most six bytes. If a value is neither 0 nor 1, every value takes eight more.
 */
export class Figure {
  private readonly clusters = new LongColumn(Uint32Array);
  private readonly counts = new LongColumn(Uint8Array);
  /**
   * For each run, how many of its values are 1. Used as long as all values are 0 or 1, because their order
   * within a run does not matter.
   */
  private ones = new LongColumn(Uint8Array);
  /** All values, after one of them was neither 0 nor 1. */
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

  /** Right only if `greater` is strictly greater. Equal scores count as a tie, not as right. */
  compare(greater: number, smaller: number, cluster: number): void {
    this.add(greater > smaller ? 1 : 0, cluster);
    if (greater === smaller) this.ties++;
  }

  /** Adds every value of the other collection, multiplied by a factor. */
  addScaled(other: Figure, factor: number): void {
    const values = other.listed();
    const counts = other.counts.all();
    let at = 0;
    for (const [run, cluster] of other.clusters.all().entries())
      for (let i = 0; i < counts[run]; i++) this.add(values[at++] * factor, cluster);
  }

  /** The values in ascending order. */
  ascending(): Float64Array {
    return sorted(this.listed());
  }

  /** The mean so far, without an interval. */
  soFar(id: string, { rate = false }: { rate?: boolean } = {}): Metric {
    const metric: Metric = {
      id,
      value: this.n === 0 ? null : this.mean(),
      n: this.n,
    };
    if (rate) metric.ties = this.ties;
    return metric;
  }

  /**
   * The mean with its BCa interval over images. A rate also has its number of ties. If a rate or share is 0
   * or 1, the bootstrap gives no interval, so Wilson's interval is used, with images as trials.
   */
  metric(
    id: string,
    { slice, rate = false, share = rate, ties = rate, wilson = false }: MetricForm = {},
  ): Metric {
    const metric: Metric = { id, value: null, n: this.n };
    if (ties) metric.ties = this.ties;
    if (slice !== undefined) metric.slice = slice;
    if (this.n === 0) {
      metric.note = 'No examples.';
      return metric;
    }
    metric.value = this.mean();
    const { images, interval } = this.intervalOf(wilson);
    if (images < this.n) metric.images = images;
    if (isDefined(interval)) metric.ci = [interval.low, interval.high];
    else if (share && (metric.value === 0 || metric.value === 1)) {
      const score = wilsonInterval(metric.value * images, images);
      if (isDefined(score)) metric.ci = [score.low, score.high];
      metric.note = "Wilson's interval over images, because resampling gives none.";
    } else metric.note = `No interval: ${interval.reason}.`;
    return metric;
  }

  /** Computed once, because a report may show the same values as a metric and as a slice. */
  private intervalOf(wilson: boolean): Measured {
    if (this.measured?.n === this.n && this.measured.wilson === wilson) return this.measured;
    const { totals, sizes } = this.byCluster();
    const images = totals.length;
    const interval =
      images === 1
        ? notDefined('there is only one cluster')
        : wilson
          ? clusteredShareInterval(totals, sizes)
          : bcaInterval({ statistic: 'ratio', values: totals, denominators: sizes, seed: intervalSeed });
    this.measured = { n: this.n, wilson, images, interval };
    return this.measured;
  }

  /** The values in order have this sum, to the bit; a value that is not finite is an error. */
  private mean(): number {
    return Number.isFinite(this.total.value) ? this.total.value / this.n : mean(this.listed());
  }

  /** Whether the next value belongs to the last run. */
  private continues(cluster: number): boolean {
    return this.clusters.last === cluster && this.counts.last! < mostInRun;
  }

  private begin(cluster: number): void {
    this.clusters.push(cluster);
    this.counts.push(0);
    if (this.values === undefined) this.ones.push(0);
  }

  /** The values in order of their runs. */
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

  /** Called at the first value that is neither 0 nor 1. */
  private widen(): void {
    const values = new LongColumn<Float64Array>(Float64Array);
    values.append(this.listed());
    this.values = values;
    this.ones = new LongColumn(Uint8Array);
  }

  /**
   * The sum and the number of each cluster's values. Values are added in ascending order, so that the order
   * of the rows does not change the sum.
   */
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
