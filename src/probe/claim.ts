import { leastImages } from '../stats/decisions/smallSample';
import { imagesOf, type Metric } from './metric';
import type { Claim, Probe } from './probe';

export type Side = 'above' | 'below' | 'across';

/**
 * The interval of a metric without a slice. Undefined without an interval, or with fewer than `leastImages`
 * images.
 */
export function intervalOf(metrics: readonly Metric[], id: string): readonly [number, number] | undefined {
  const metric = metrics.find((one) => one.id === id && one.slice === undefined);
  return metric === undefined || imagesOf(metric) < leastImages ? undefined : metric.ci;
}

/** A probe's verdicts, or a sentence that there are too few images for a verdict. */
export function claimsOf({ claims }: Pick<Probe, 'claims'>, metrics: readonly Metric[]): Claim[] {
  const made = claims(metrics);
  const small = metrics.find(
    (one) => one.slice === undefined && one.ci !== undefined && imagesOf(one) < leastImages,
  );
  if (made.length > 0 || small === undefined) return made;
  return [
    {
      text: `Too few images for a verdict: ${small.id} has ${imagesOf(small)}, and a verdict needs ${leastImages}.`,
      rule: `Captious draws a verdict only from intervals over ${leastImages} or more images.`,
    },
  ];
}

/** The side of a value (such as chance level or zero) on which an interval lies. */
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

/** Compares a rate with its chance level. Returns the text for the result. */
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
