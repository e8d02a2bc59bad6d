import type { Attribute } from '../../dataset/example';
import type { Metric } from '../metric';
import { Figure } from '../figure';

/** Values of a tag above which it tells examples apart rather than kinds of them. */
const mostValues = 60;
const longestValue = 80;

export type Tags = Readonly<Record<string, Attribute>>;

/** The same metrics over the examples of each value of each tag. */
export class Slices {
  /** By tag, by value, by metric; undefined once a tag has too many values. */
  private readonly tags = new Map<string, Map<Attribute, Map<string, Figure>> | undefined>();

  /** `kept`: tags that are sliced however many values they have. */
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

  /** Of tags with at least two values, each with two examples on average. */
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

  /** The sizes of the values of a tag, for one metric. */
  figures(tag: string, name: string): Figure[] {
    return [...(this.tags.get(tag)?.values() ?? [])].flatMap((metrics) => metrics.get(name) ?? []);
  }
}
