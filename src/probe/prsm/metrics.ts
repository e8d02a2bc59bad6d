import { append } from '../../base/append';
import type { Attribute } from '../../dataset/example';
import type { Metric } from '../metric';
import { Figures, pairNames, type Query, type Result, wholePairs } from './figures';
import type { PrsmOptions } from './options';
import { comparisons } from './wordings';

/** The metrics of all comparisons, and of each group of queries. */
export function metricsOf(
  results: readonly Result[],
  { sets, groups, sizes: asked }: Pick<PrsmOptions, 'sets' | 'groups' | 'sizes'>,
  photos: number,
): Metric[] {
  const metrics = new Figures(asked, photos).metrics(results, wholePairs(sets), undefined);
  for (const set of sets) {
    const labels = comparisons[set].at(-1)!.split('-');
    const others = pairNames(labels).filter((pair) => !comparisons[set].includes(pair));
    for (const comparison of [...comparisons[set], ...others]) {
      const pairs = pairNames(comparison.split('-'));
      const slice = { set, comparison };
      append(metrics, new Figures(asked, photos).metrics(results, pairs, slice));
      if (!comparisons[set].includes(comparison)) continue;
      for (const column of groups) {
        const values = new Set(results.map(({ query }) => valueOf(query, column)));
        for (const value of [...values].sort((a, b) => (String(a) < String(b) ? -1 : 1))) {
          const own = results.filter(({ query }) => valueOf(query, column) === value);
          append(metrics, new Figures(asked, photos).metrics(own, pairs, { ...slice, [column]: value }));
        }
      }
    }
  }
  return metrics;
}

function valueOf({ example }: Query, column: string): Attribute {
  return example.attributes[column] ?? null;
}
