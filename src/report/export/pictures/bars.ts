import type { Metric } from '../../../probe/probe';
import type { Bar } from '../chart';

export function barsOf(metrics: readonly Metric[], name: (metric: Metric) => string): Bar[] {
  return metrics.flatMap((metric) =>
    metric.value === null
      ? []
      : [{ name: name(metric), value: metric.value, n: metric.n, ...(metric.ci ? { ci: metric.ci } : {}) }],
  );
}
