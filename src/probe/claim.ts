import type { Claim } from './probe';
import type { Metric } from './metric';

export type Side = 'above' | 'below' | 'across';

/** The interval of a metric without a slice; undefined where it has none: then nothing may be claimed of it. */
export function intervalOf(metrics: readonly Metric[], id: string): readonly [number, number] | undefined {
  return metrics.find((metric) => metric.id === id && metric.slice === undefined)?.ci;
}

/** Where an interval lies, measured by a value that means something: chance, zero. */
export function against([low, high]: readonly [number, number], value: number): Side {
  if (low > value) return 'above';
  return high < value ? 'below' : 'across';
}

export function percent(value: number): string {
  return `${(value * 100).toFixed(1)} %`;
}

/** "[67.9 %, 74.2 %]" */
export function percents([low, high]: readonly [number, number]): string {
  return `[${percent(low)}, ${percent(high)}]`;
}

/** A rate against what guessing gets, in the words given for each side. */
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
      rule: `The 95 % interval of ${id}, ${percents(interval)}, lies ${side} ${percent(chance)}, which guessing gets.`,
    },
  ];
}
