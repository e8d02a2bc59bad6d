import type { Words } from '../base/say';
import type { Attribute, Example, Place } from '../dataset/example';

/** A verdict about a report, and the rule from which it follows. */
export interface Claim {
  text: Words;
  rule: Words;
}

/**
 * What a metric in units of the score is. A `difference` of scores does not change if a constant is added to all
 * scores; a `level`, such as a mean score, does.
 */
export type Unit = 'difference' | 'level';

export type Slice = Readonly<Record<string, Attribute>>;

export interface Metric {
  id: string;
  /** Null if the metric is not defined (no examples, no variance). In a report, `note` then has the reason. */
  value: number | null;
  /** The number of examples, pairs or queries. */
  n: number;
  /** The number of images behind the examples, if smaller than `n`. */
  images?: number;
  /** The number of captions without the changed words, if a test counts them and they are fewer than the images. */
  texts?: number;
  ties?: number;
  chance?: number;
  /** The 95 % interval, unless `note` says otherwise. */
  ci?: readonly [number, number];
  /** Student's degrees of freedom of the interval, if it has them. */
  degrees?: number;
  /** The value of each draw of the variants, in the order of the seeds, if the run made several. */
  draws?: readonly (number | null)[];
  slice?: Slice;
  /** Whether the value says little, for the reason in `note`. It then has no chart and no verdict. */
  moot?: boolean;
  note?: Words;
  /** What the metric covers if reports have it for several kinds, such as kinds of altered entries, or baselines. */
  kind?: string;
}

/** The fields of every row. Probes add more. */
export interface Row {
  /** The example's id. `row` and `place` say where the example is in the file. */
  example: string;
  row: number;
  place?: Place;
  image?: string;
  /** What counts as one observation, if it is not the image. */
  cluster?: string;
  /** How many variants or settings of this row the evaluator gave no score. They are not in the row. */
  lost?: number;
  /** The seed of the row's draw, if the run made several draws of the variants. */
  seed?: number;
}

/** What counts as one observation: the group that the user named, the image, or an example without an image. */
export function clusterOf({ cluster, image, example }: Pick<Row, 'cluster' | 'image' | 'example'>): string {
  return cluster ?? image ?? example;
}

export function clusterOfExample({
  id,
  images,
  cluster,
}: Pick<Example, 'id' | 'images' | 'cluster'>): string {
  return clusterOf({ example: id, image: images.at(0)?.name, cluster });
}

/** The field of a row for the cluster that the user named. */
export function ownCluster({ cluster }: Pick<Example, 'cluster'>): Pick<Row, 'cluster'> {
  return cluster === undefined ? {} : { cluster };
}

/** The metric with this id and slice. */
export function metricOf(metrics: readonly Metric[], id: string, slice?: Slice): Metric | undefined {
  const key = JSON.stringify(slice ?? {});
  return metrics.find((metric) => metric.id === id && JSON.stringify(metric.slice ?? {}) === key);
}

/** The number of images. Several captions of an image count as one. */
export function imagesOf({ n, images }: Pick<Metric, 'n' | 'images'>): number {
  return images ?? n;
}

/** The number of independent observations: images or, if fewer, captions whose words change. */
export function observationsIn(metric: Pick<Metric, 'n' | 'images' | 'texts'>): number {
  return Math.min(imagesOf(metric), metric.texts ?? Infinity);
}

/** Tells the rows of the first draw from those of further draws, which have the same captions. */
export class FirstDraw {
  private seed: number | undefined;

  has({ seed }: Pick<Row, 'seed'>): boolean {
    if (seed === undefined) return true;
    this.seed ??= seed;
    return seed === this.seed;
  }
}
