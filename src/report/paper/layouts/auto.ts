import { english } from '../../../base/english';
import type { Metric } from '../../../probe/metric';
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
      // Some benchmarks name their metrics after the file: metrics with one title are one column.
      const columns = new Map<string, Column & { metrics: Set<string> }>();
      for (const { report } of entries) {
        const cards = reporting(probe).cards(report.metrics);
        const names = cards.map(
          ({ title, group }) => `${group === undefined ? '' : english(group)}: ${english(title)}`,
        );
        cards.forEach(({ metric, title, group, style }, at) => {
          if (!entries.some((entry) => isNumber(cellOf(entry, { head: '', metric, digits: 0 })))) return;
          const name = names.indexOf(names[at]) === names.lastIndexOf(names[at]) ? names[at] : metric;
          const better = directions.get(metric);
          const metrics = columns.get(name)?.metrics ?? new Set();
          columns.set(name, {
            ...{
              head: `${english(title)}${style === 'number' ? '' : ' (%)'}`,
              metric,
              metrics: metrics.add(metric),
            },
            ...(metrics.size === 1 ? {} : { find: (entry) => oneOf(metrics, entry) }),
            ...(group === undefined ? {} : { group: english(group) }),
            ...(style === 'number' ? { digits: 3 } : { digits: 1, factor: 100 }),
            ...(better === undefined ? {} : { better }),
          });
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

function oneOf(metrics: ReadonlySet<string>, { report }: Entry): Metric | undefined {
  return report.metrics.find(({ id, slice }) => slice === undefined && metrics.has(id));
}

/** For each metric in the rows, whether higher or lower values are better. */
async function directionsOf(entries: readonly Entry[]): Promise<Map<string, 'higher' | 'lower'>> {
  const directions = new Map<string, 'higher' | 'lower'>();
  for (const entry of entries)
    for (const { shares } of (await entry.shares()).values())
      for (const { metric, better } of shares) if (better !== undefined) directions.set(metric, better);
  return directions;
}
