import type { Words } from '../base/say';
import type { Bar } from '../chart/chart';
import type { Metric } from './metric';

/** The parts of a report that charts use, in addition to its rows. */
export interface Charted {
  evaluator: { name: string };
  metrics: readonly Metric[];
}

/** One bar per metric with a value. */
export function barsOf(metrics: readonly Metric[], name: (metric: Metric) => Words): Bar<Words>[] {
  return metrics.flatMap((metric) =>
    metric.value === null
      ? []
      : [{ name: name(metric), value: metric.value, n: metric.n, ...(metric.ci ? { ci: metric.ci } : {}) }],
  );
}
