import { english } from '../../../base/english';
import { reporting } from '../../../probe/list';
import type { Entry } from '../entry';
import { datasetBlocks, evaluatorTable, type Layout } from '../layout';
import { cellOf, type Column, isNumber } from '../table';

/** A table of the metrics of the panel's cards, for every evaluator and dataset. */
export function autoLayout(probe: string): Layout {
  const id = `auto.${probe}`;
  return {
    ...{ id, probe, mirrors: `${probe}: its main metrics` },
    async build(entries) {
      const directions = await directionsOf(entries);
      const columns = new Map<string, Column>();
      for (const { report } of entries)
        for (const { metric, title, group, style } of reporting(probe).cards(report.metrics)) {
          if (!entries.some((entry) => isNumber(cellOf(entry, { head: '', metric, digits: 0 })))) continue;
          const better = directions.get(metric);
          columns.set(metric, {
            ...{ head: `${english(title)}${style === 'number' ? '' : ' (%)'}`, metric },
            ...(group === undefined ? {} : { group: english(group) }),
            ...(style === 'number' ? { digits: 3 } : { digits: 1, factor: 100 }),
            ...(better === undefined ? {} : { better }),
          });
        }
      const { title, question } = reporting(probe);
      return evaluatorTable(entries, {
        id,
        caption: `${title}. ${question}`,
        blocks: datasetBlocks(entries, [...columns.values()]),
      });
    },
  };
}

/** For each metric in the rows, whether higher or lower values are better. */
async function directionsOf(entries: readonly Entry[]): Promise<Map<string, 'higher' | 'lower'>> {
  const directions = new Map<string, 'higher' | 'lower'>();
  for (const entry of entries)
    for (const { shares } of (await entry.shares()).values())
      for (const { metric, better } of shares) directions.set(metric, better);
  return directions;
}
