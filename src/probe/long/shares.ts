import { plainMean } from '../../stats/summary';
import type { Share } from '../probe';
import { isError, type LongRow } from './row';

/**
 * A caption's means over errors and edits. Each counts as often as the caption has errors, because the metrics are means
 * over errors.
 */
export function longShares({ variants }: LongRow): Share[] {
  const values = new Map<string, number[]>();
  const add = (metric: string, value: number): void => {
    values.set(metric, [...(values.get(metric) ?? []), value]);
  };
  for (const variant of variants) {
    const { kind, delta } = variant;
    if (isError(variant))
      for (const metric of ['long.pr', `long.pr.position.${variant.decile}`]) add(metric, delta < 0 ? 1 : 0);
    else if (kind === 'repeat') add('long.repeat', delta);
  }
  return [...values].map(([metric, own]) => ({
    ...{ metric, value: plainMean(own), weight: own.length },
    better: metric === 'long.repeat' ? 'lower' : 'higher',
  }));
}
