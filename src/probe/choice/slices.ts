import type { Attribute } from '../../dataset/example';
import type { Metric } from '../metric';
import { Figure } from '../figure';

/** A tag with more values than this identifies examples, so it gives no slices. */
const mostValues = 60;
const longestValue = 80;

export type Tags = Readonly<Record<string, Attribute>>;

/** The metrics for each value of each tag. */
export class Slices {
  /** By tag, value and metric; undefined for a tag with too many values. */
  private readonly tags = new Map<string, Map<Attribute, Map<string, Figure>> | undefined>();

  /** `kept`: tags that give slices regardless of their number of values. */
  constructor(private readonly kept: ReadonlySet<string> = new Set()) {}

  compare(tags: Tags | undefined, metric: string, lead: number, cluster: number): void {
    for (const [tag, value] of Object.entries(tags ?? {}))
      this.figure(tag, value, metric)?.compare(lead, 0, cluster);
  }

  private figure(tag: string, value: Attribute, metric: string): Figure | undefined {
    if (value === null || value === '') return undefined;
    if (
      typeof value === 'string'
        ? value.length > longestValue
        : value !== true && value !== false && !Number.isInteger(value)
    )
      return undefined;
    if (this.tags.has(tag) && this.tags.get(tag) === undefined) return undefined;
    let values = this.tags.get(tag);
    if (values === undefined) this.tags.set(tag, (values = new Map()));
    let metrics = values.get(value);
    if (metrics === undefined) {
      if (values.size === mostValues && !this.kept.has(tag)) {
        this.tags.set(tag, undefined);
        return undefined;
      }
      values.set(value, (metrics = new Map()));
    }
    let figure = metrics.get(metric);
    if (figure === undefined) metrics.set(metric, (figure = new Figure()));
    return figure;
  }

  /** For tags with at least two values and two examples a value on average. */
  metrics(id: string, name: string, examples: number): Metric[] {
    return [...this.tags].flatMap(([tag, values]) => {
      if (values === undefined || values.size < 2) return [];
      if (2 * values.size > examples && !this.kept.has(tag)) return [];
      return [...values].flatMap(([value, metrics]) => {
        const figure = metrics.get(name);
        return figure === undefined ? [] : [figure.metric(id, { slice: { [tag]: value }, rate: true })];
      });
    });
  }

  /** The values of one metric for each value of a tag. */
  figures(tag: string, name: string): Figure[] {
    return [...(this.tags.get(tag)?.values() ?? [])].flatMap((metrics) => metrics.get(name) ?? []);
  }
}
