import { valueIn } from '../../base/lists';
import { allOf, type Steps } from '../../base/turns/steps';
import type { Attribute } from '../../dataset/example';
import type { Metric, Slice } from '../metric';
import { Rate } from './rate';

/** A tag outside `kept` with more values than this has no slices. Its values probably identify examples. */
const mostValues = 60;
const longestValue = 80;
const mostCells = 200;

export type Tags = Readonly<Record<string, Attribute>>;

export class Slices {
  /** Rates by tag, value and metric. A tag with too many values maps to undefined. */
  private readonly tags = new Map<string, Map<Attribute, Map<string, Rate>> | undefined>();

  /** The tags in `kept` have slices even if they have many values. */
  constructor(private readonly kept: ReadonlySet<string> = new Set()) {}

  compare(tags: Tags | undefined, metric: string, lead: number, cluster: number, chance?: number): void {
    for (const [tag, value] of Object.entries(tags ?? {}))
      this.rate(tag, value, metric)?.compare(lead, cluster, chance);
  }

  private rate(tag: string, value: Attribute, metric: string): Rate | undefined {
    if (value === null || value === '') return undefined;
    if (
      typeof value === 'string'
        ? value.length > longestValue
        : value !== true && value !== false && !Number.isInteger(value)
    )
      return undefined;
    if (this.tags.has(tag) && this.tags.get(tag) === undefined) return undefined;
    const values = valueIn(this.tags, tag, () => new Map<Attribute, Map<string, Rate>>())!;
    let metrics = values.get(value);
    if (metrics === undefined) {
      if (values.size === mostValues && !this.kept.has(tag)) {
        this.tags.set(tag, undefined);
        return undefined;
      }
      values.set(value, (metrics = new Map()));
    }
    return valueIn(metrics, metric, () => new Rate());
  }

  /**
   * One metric per value of each tag. A tag is left out if it has only one value. A tag outside `kept` is also
   * left out if it has fewer than two examples per value on average.
   */
  *metrics(id: string, name: string, examples: number): Steps<Metric[]> {
    const { kept } = this;
    return yield* allOf(this.tags, function* ([tag, values]): Steps<Metric[]> {
      if (values === undefined || values.size < 2) return [];
      if (2 * values.size > examples && !kept.has(tag)) return [];
      return yield* allOf(values, function* ([value, metrics]): Steps<Metric[]> {
        const rate = metrics.get(name);
        return rate === undefined ? [] : [yield* rate.metric(id, { [tag]: value })];
      });
    });
  }

  /** The rates of one metric: one rate per value of a tag. */
  rates(tag: string, name: string): Rate[] {
    return [...(this.tags.get(tag)?.values() ?? [])].flatMap((metrics) => metrics.get(name) ?? []);
  }
}

/** Rates for combinations of tags, as in the benchmark's tables, up to the first `mostCells`. */
export class Combined {
  private readonly cells = new Map<string, { slice: Slice; rates: Map<string, Rate> }>();

  compare(slice: Slice, metric: string, lead: number, cluster: number, chance?: number): void {
    const key = JSON.stringify(slice);
    let cell = this.cells.get(key);
    if (cell === undefined) {
      if (this.cells.size === mostCells) return;
      this.cells.set(key, (cell = { slice, rates: new Map() }));
    }
    const rate = valueIn(cell.rates, metric, () => new Rate());
    rate.compare(lead, cluster, chance);
  }

  *metrics(id: string, name: string): Steps<Metric[]> {
    return yield* allOf(this.cells.values(), function* ({ slice, rates }): Steps<Metric[]> {
      const rate = rates.get(name);
      return rate === undefined ? [] : [yield* rate.metric(id, slice)];
    });
  }
}
