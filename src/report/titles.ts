/* Makes the displayed names of metrics. Loads the views of all probes. */
import { entryOf } from '../base/entryOf';
import { english } from '../base/english';
import { say } from '../base/say';
import type { Metric } from '../probe/metric';
import { metricNames, sliceNames } from '../probe/metricNames';
import { viewFor } from '../probe/views';

/** Returns a function that gives the displayed name of a metric with its slice. */
export function metricTitles(probe: string, metrics: readonly Metric[]): (metric: Metric) => string {
  const nameOf = metricNames(viewFor(probe), metrics);
  return ({ id, slice }) => {
    const parts = Object.entries(slice ?? {}).map(
      ([key, value]) => `${english(entryOf(sliceNames, key) ?? key)}: ${value}`,
    );
    return english(
      parts.length === 0 ? nameOf(id) : say('probe.nameWithDetail', nameOf(id), parts.join(', ')),
    );
  };
}
