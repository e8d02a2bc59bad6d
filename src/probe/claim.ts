import type { Claim } from './probe';
import type { Metric } from './metric';

export type Side = 'above' | 'below' | 'across';

/** The interval of a metric without a slice. Without an interval there must be no verdict. */
export function intervalOf(metrics: readonly Metric[], id: string): readonly [number, number] | undefined {
  return metrics.find((metric) => metric.id === id && metric.slice === undefined)?.ci;
}

/** On which side of a value, such as chance level or zero, an interval lies. */
export function against([low, high]: readonly [number, number], value: number): Side {
  if (low > value) return 'above';
  return high < value ? 'below' : 'across';
}

export function percent(value: number): string {
  return `${(value * 100).toFixed(1)} %`;
}

export function percents([low, high]: readonly [number, number]): string {
  return `[${percent(low)}, ${percent(high)}]`;
}

/** Compares a rate with its chance level, and picks the text for the result. */
export function rateClaim(
  metrics: readonly Metric[],
  id: string,
  chance: number,
  words: Record<Side, string>,
): Claim[] {
  const interval = intervalOf(metrics, id);
  if (interval === undefined) return [];
  const side = against(interval, chance);
  return [
    {
      text: words[side],
      rule: `The 95 % interval of ${id}, ${percents(interval)}, lies ${side} chance level (${percent(chance)}).`,
    },
  ];
}
