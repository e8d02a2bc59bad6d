import type { Steps } from '../../base/turns/steps';
import { Clusters, Figure } from '../figure';
import type { Metric, Slice } from '../metric';
import type { Item } from './items';
import { valueIn } from '../../base/lists';

/** A tag with more values than this has no slices. Its values probably identify examples. */
const mostValues = 60;
const longestValue = 80;

/** One number for each item. Items with NaN are not measured. */
export interface Column {
  id: string;
  shares: Float64Array;
  /** The credit of each item that is expected from random scores. */
  chances?: Float64Array;
  /** Whether a part of a credit is a tie, so that the metric reports how many there are. */
  ties?: boolean;
}

/** Turns columns into metrics over all items and by slice, with intervals over images. */
export class Columns {
  readonly clusterOf: Uint32Array;
  readonly clusters: number;
  private readonly slices: { slice: Slice; at: readonly number[] }[];

  constructor(items: readonly Item[]) {
    const clusters = new Clusters();
    this.clusterOf = Uint32Array.from(items, ({ observation }) => clusters.of(observation));
    this.clusters = this.clusterOf.reduce((most, cluster) => Math.max(most, cluster + 1), 0);
    this.slices = slicesOf(items);
  }

  /** The metric over all items, and then those of the slices. */
  *metrics(column: Column): Steps<Metric[]> {
    const whole = yield* this.metric(column);
    if (whole.n === 0) return [];
    const parts: Metric[] = [];
    for (const { slice, at } of this.slices) {
      const part = yield* this.metric(column, slice, at);
      if (part.n > 0) parts.push(part);
    }
    return [whole, ...parts];
  }

  /** The metric of some items; of all by default. */
  *metric(
    { id, shares, chances, ties = false }: Column,
    slice?: Slice,
    at: Iterable<number> = shares.keys(),
  ): Steps<Metric> {
    const figure = new Figure();
    let chance = 0;
    for (const i of at) {
      if (Number.isNaN(shares[i])) continue;
      figure.add(shares[i], this.clusterOf[i]);
      if (shares[i] > 0 && shares[i] < 1) figure.ties++;
      chance += chances?.[i] ?? 0;
    }
    const metric = yield* figure.metric(id, { slice, share: true, ties });
    return chances === undefined || figure.n === 0 ? metric : { ...metric, chance: chance / figure.n };
  }
}

/** The items of each value of each tag, as for the metrics of choices. */
function slicesOf(items: readonly Item[]): { slice: Slice; at: readonly number[] }[] {
  const tags = new Map<string, Map<string | number | boolean, number[]>>();
  for (const [i, { tags: own }] of items.entries())
    for (const [tag, value] of Object.entries(own)) {
      const isNumber = typeof value === 'number' && !Number.isInteger(value);
      if (value === null || value === '' || isNumber || String(value).length > longestValue) continue;
      const values = valueIn(tags, tag, () => new Map());
      const at = values.get(value);
      if (at !== undefined) at.push(i);
      else if (values.size <= mostValues) values.set(value, [i]);
    }
  return [...tags].flatMap(([tag, values]) =>
    values.size < 2 || values.size > mostValues || 2 * values.size > items.length
      ? []
      : [...values].map(([value, at]) => ({ slice: { [tag]: value }, at })),
  );
}
