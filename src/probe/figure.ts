import { bcaInterval } from '../stats/bootstrap';
import { isDefined } from '../stats/outcome';
import { mean } from '../stats/summary';
import type { Metric, Slice } from './metric';

/**
 * Seed of all intervals. It differs from the seed of the perturbations, so that changing one does not affect the
 * other.
 */
export const intervalSeed = 2025;

/** Numbers the images, because intervals resample images, not captions. */
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

/** Collects values for a mean, each with its cluster, in twelve bytes a value. */
export class Figure {
  private values = new Float64Array(64);
  private clusters = new Uint32Array(64);
  private size = 0;
  ties = 0;

  get n(): number {
    return this.size;
  }

  add(value: number, cluster: number): void {
    if (this.size === this.values.length) {
      const values = new Float64Array(this.size * 2);
      values.set(this.values);
      this.values = values;
      const clusters = new Uint32Array(this.size * 2);
      clusters.set(this.clusters);
      this.clusters = clusters;
    }
    this.values[this.size] = value;
    this.clusters[this.size++] = cluster;
  }

  /** Right if strictly greater. An equal score counts as a tie, which is not right. */
  compare(greater: number, smaller: number, cluster: number): void {
    this.add(greater > smaller ? 1 : 0, cluster);
    if (greater === smaller) this.ties++;
  }

  /** Adds every value of another, times a number. */
  addScaled(other: Figure, factor: number): void {
    for (let i = 0; i < other.size; i++) this.add(other.values[i] * factor, other.clusters[i]);
  }

  /** The mean so far, without an interval. */
  soFar(id: string, { rate = false }: { rate?: boolean } = {}): Metric {
    const metric: Metric = {
      id,
      value: this.size === 0 ? null : mean(this.values.subarray(0, this.size)),
      n: this.size,
    };
    if (rate) metric.ties = this.ties;
    return metric;
  }

  /** The mean with its BCa interval over clusters. A rate also reports its ties. */
  metric(id: string, { slice, rate = false }: { slice?: Slice; rate?: boolean } = {}): Metric {
    const metric: Metric = { id, value: null, n: this.size };
    if (rate) metric.ties = this.ties;
    if (slice !== undefined) metric.slice = slice;
    if (this.size === 0) {
      metric.note = 'No examples.';
      return metric;
    }
    const values = this.values.subarray(0, this.size);
    const clusters = this.clusters.subarray(0, this.size);
    const interval = bcaInterval({ values, clusters, statistic: 'mean', seed: intervalSeed });
    metric.value = mean(values);
    if (isDefined(interval)) metric.ci = [interval.low, interval.high];
    else metric.note = `No interval: ${interval.reason}.`;
    return metric;
  }
}
