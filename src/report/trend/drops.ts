import { largest } from '../../base/extent';
import type { Gate } from '../gate';
import type { Report } from '../report';
import type { Trend } from './trend';

/** How much worse each step is than the best step before it; 0 for the first step. Steps at chance level are not best. */
export function dropsOf({ better, steps }: Pick<Trend, 'better' | 'steps'>): number[] {
  const sign = better === 'higher' ? 1 : -1;
  return steps.map(({ value }, i) => {
    const before = steps.slice(0, i).filter(({ groundless }) => groundless !== true);
    return largest([0, ...before.map((step) => sign * (step.value - value))]);
  });
}

/** The steps for which a condition is true. In it, `<metric>.drop` is the drop of the trend's metric. */
export function failingSteps(
  gate: Gate,
  trend: Pick<Trend, 'metric' | 'better' | 'steps'>,
  reports: readonly Report[],
): number[] {
  const drops = dropsOf(trend);
  return trend.steps.flatMap(({ step }, i) =>
    gate.holds([reports[i]], (id) => (id === `${trend.metric}.drop` ? drops[i] : undefined)) ? [step] : [],
  );
}
