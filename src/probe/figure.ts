import { Column } from '../base/column';
import { bcaInterval } from '../stats/bootstrap';
import { isDefined } from '../stats/outcome';
import { wilsonInterval } from '../stats/proportion';
import { mean } from '../stats/summary';
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

/** The number of distinct clusters, which are numbered from 0. */
function distinct(clusters: Uint32Array): number {
  const seen = new Uint8Array(clusters.reduce((most, one) => Math.max(most, one), 0) + 1);
  let count = 0;
  for (const cluster of clusters) {
    count += 1 - seen[cluster];
    seen[cluster] = 1;
  }
  return count;
}

interface MetricForm {
  slice?: Slice;
  /** Whether the value is a share of right comparisons, which has ties. */
  rate?: boolean;
  /** Whether all values are between 0 and 1. */
  share?: boolean;
  ties?: boolean;
}

/**
 * Collects values for a mean, with the cluster of each value. Takes five bytes per value for a rate,
 * otherwise twelve.
 */
export class Figure {
  private values: Column<Uint8Array> | Column<Float64Array> = new Column(Uint8Array);
  private readonly clusters = new Column(Uint32Array);
  ties = 0;

  get n(): number {
    return this.values.length;
  }

  /** The values in the order in which they were added. */
  get all(): ArrayLike<number> {
    return this.values.filled;
  }

  add(value: number, cluster: number): void {
    if (this.values.width === 1 && value !== 1 && !Object.is(value, 0)) this.widen();
    this.values.push(value);
    this.clusters.push(cluster);
  }

  /** Called at the first value other than 0 and 1, which needs more than one byte. */
  private widen(): void {
    const wide = new Column(Float64Array);
    wide.append(Float64Array.from(this.values.filled));
    this.values = wide;
  }

  /** Right only if `greater` is strictly greater. Equal scores count as a tie, not as right. */
  compare(greater: number, smaller: number, cluster: number): void {
    this.add(greater > smaller ? 1 : 0, cluster);
    if (greater === smaller) this.ties++;
  }

  /** Adds every value of the other collection, multiplied by a factor. */
  addScaled(other: Figure, factor: number): void {
    const clusters = other.clusters.filled;
    for (const [i, value] of other.values.filled.entries()) this.add(value * factor, clusters[i]);
  }

  /** The mean so far, without an interval. */
  soFar(id: string, { rate = false }: { rate?: boolean } = {}): Metric {
    const metric: Metric = {
      id,
      value: this.n === 0 ? null : mean(this.values.filled),
      n: this.n,
    };
    if (rate) metric.ties = this.ties;
    return metric;
  }

  /**
   * The mean with its BCa interval over images. A rate also has its number of ties. A rate or share of 0 or 1
   * gets Wilson's interval, with images as trials, because the bootstrap has none there.
   */
  metric(id: string, { slice, rate = false, share = rate, ties = rate }: MetricForm = {}): Metric {
    const metric: Metric = { id, value: null, n: this.n };
    if (ties) metric.ties = this.ties;
    if (slice !== undefined) metric.slice = slice;
    if (this.n === 0) {
      metric.note = 'No examples.';
      return metric;
    }
    const values = this.values.filled;
    const clusters = this.clusters.filled;
    const interval = bcaInterval({ values, clusters, statistic: 'mean', seed: intervalSeed });
    metric.value = mean(values);
    const images = distinct(clusters);
    if (images < this.n) metric.images = images;
    if (isDefined(interval)) metric.ci = [interval.low, interval.high];
    else if (share && (metric.value === 0 || metric.value === 1)) {
      const wilson = wilsonInterval(metric.value * images, images);
      if (isDefined(wilson)) metric.ci = [wilson.low, wilson.high];
      metric.note = "Wilson's interval over images, because resampling gives none.";
    } else metric.note = `No interval: ${interval.reason}.`;
    return metric;
  }
}
