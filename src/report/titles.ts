/* Makes the displayed names of metrics. Loads the views of all probes. */
import { entryOf } from '../base/entryOf';
import { english } from '../base/english';
import { inARow, say, type Words } from '../base/say';
import type { Metric } from '../probe/metric';
import { metricNames, sliceNames } from '../probe/metricNames';
import { viewFor } from '../probe/views';

/** Returns a function that gives the displayed name of a metric with its slice. */
export function metricWords(probe: string, metrics: readonly Metric[]): (metric: Metric) => Words {
  const nameOf = metricNames(viewFor(probe), metrics);
  return ({ id, slice }) => {
    const parts = Object.entries(slice ?? {}).map(([key, value]) =>
      say('base.labelledPart', entryOf(sliceNames, key) ?? key, String(value)),
    );
    return parts.length === 0 ? nameOf(id) : say('probe.nameWithDetail', nameOf(id), inARow(parts, ', '));
  };
}

/** The same in English. */
export function metricTitles(probe: string, metrics: readonly Metric[]): (metric: Metric) => string {
  const words = metricWords(probe, metrics);
  return (metric) => english(words(metric));
}
