/* Displayed names of metrics. Separate from figures.ts, because loading all probes' views is slow. */
import { english } from '../base/say';
import type { Metric } from '../probe/metric';
import { viewFor } from '../probe/views';
import { metricName } from './figures';

/** The displayed name of a metric and its slice: the panel card's title, otherwise the id. */
export function metricTitles(probe: string, metrics: readonly Metric[]): (metric: Metric) => string {
  const titles = new Map(
    viewFor(probe)
      .cards(metrics)
      .map(({ metric, title, group }) => [
        metric,
        group === undefined ? english(title) : `${english(group)}: ${english(title)}`,
      ]),
  );
  return (metric) => metricName({ ...metric, id: titles.get(metric.id) ?? metric.id });
}
