/* The best blind baseline, by the adjusted p values that the report contains. Nothing is computed again. */
import { verdictLevel } from '../claimFamily';
import type { Metric } from '../metric';
import { wholeMetric } from '../view';
import type { Baseline } from './blind/baselines';
import { baselineNames } from './blind/names';

interface MeasuredBaseline {
  name: Baseline;
  metric: Metric & { value: number };
  /** Whether its adjusted test shows that it is better than chance. */
  isAbove: boolean;
}

/** The baselines of a report, those with the highest lead over chance first. */
export function baselinesOf(metrics: readonly Metric[]): MeasuredBaseline[] {
  const lead = ({ metric: { value, chance = 0 } }: MeasuredBaseline): number => value - chance;
  return (Object.keys(baselineNames) as Baseline[])
    .flatMap((name): MeasuredBaseline[] => {
      const metric = wholeMetric(metrics, `benchmark.blind.${name}`);
      const p = wholeMetric(metrics, `benchmark.blind.${name}.p`)?.value ?? 1;
      if (typeof metric?.value !== 'number') return [];
      const isAbove = p < verdictLevel && metric.value > (metric.chance ?? Infinity);
      return [{ name, metric: { ...metric, value: metric.value }, isAbove }];
    })
    .sort((a, b) => lead(b) - lead(a));
}

/** The best baseline, if it is better than chance. Of several at chance level, the best one would be best by chance. */
export function bestBaseline(metrics: readonly Metric[]): MeasuredBaseline | undefined {
  return baselinesOf(metrics).find(({ isAbove }) => isAbove);
}
