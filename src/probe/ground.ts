/* Whether a metric says anything about an evaluator: whether another metric is above its chance level. */
import { baseId } from '../protocol/parts/spreads';
import { against } from './claim';
import type { Metric } from './metric';
import { type ProbeView, wholeMetric } from './view';

/** A ground that does not hold: the interval of its metric does not lie above chance level. */
export interface Lacking {
  metric: Metric & { value: number };
  interval: readonly [number, number];
  chance: number;
}

/** The positions of the reports that lack the ground of a metric. */
export function groundlessIn(
  view: Pick<ProbeView, 'ground'>,
  reports: readonly { metrics: readonly Metric[] }[],
  id: string,
): number[] {
  return reports.flatMap(({ metrics }, at) => (lackingGround(view, metrics, id) === undefined ? [] : [at]));
}

/**
 * The ground that a metric lacks. An evaluator that finds nothing cannot be misled, and one that ignores captions does not
 * change with them. Undefined if the metric needs none, if its ground holds, or if the report does not say.
 */
export function lackingGround(
  { ground }: Pick<ProbeView, 'ground'>,
  metrics: readonly Metric[],
  id: string,
): Lacking | undefined {
  const of = ground?.(baseId(id));
  const metric = of && wholeMetric(metrics, of.metric);
  if (metric?.ci === undefined || metric.value === null) return undefined;
  const chance = of!.chance(metric, metrics);
  return against(metric.ci, chance) === 'above'
    ? undefined
    : { metric: { ...metric, value: metric.value }, interval: metric.ci, chance };
}
