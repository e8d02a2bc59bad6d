/* Charts of a report's metrics: the accuracy of each model without the image, and ceilings by slice. */
import { entryOf } from '../../base/entryOf';
import { inARow, type Said, say, type Words } from '../../base/say';
import type { ChartOf } from '../../protocol/parts/chart';
import type { Metric } from '../metric';
import { sliceNames } from '../metricNames';
import { wholeMetric } from '../view';
import { baselinesOf, bestBaseline } from './best';
import { baselineNames } from './blind/names';

type Shares = ChartOf<'shares'>;
type Bar = Shares['values'][number];

/** More bars are not legible. The table of slices has all values. */
const mostBars = 40;

export function benchmarkCharts(metrics: readonly Metric[]): Shares[] {
  const best = bestBaseline(metrics);
  return [
    ...blindChart(metrics),
    ...(best === undefined
      ? []
      : slicesOf(metrics, best.metric.id, inARow([say('benchmark.blind'), baselineNames[best.name]], ': '))),
    ...slicesOf(metrics, 'benchmark.orderBlind.ceiling', say('benchmark.orderBlindCeiling')),
    ...slicesOf(metrics, 'benchmark.imageBlind.ceiling', say('benchmark.imageBlindCeiling')),
  ];
}

/** The models without the image, best first. Those that are not shown to be better than chance are paler. */
function blindChart(metrics: readonly Metric[]): Shares[] {
  const all = baselinesOf(metrics);
  if (all.length === 0) return [];
  const values = all.map(({ name, metric, isAbove }) => ({
    ...barOf(metric, baselineNames[name]),
    ...(isAbove ? {} : { pale: true }),
  }));
  // A model of lists is measured on lists only, which may have another chance level than all items.
  const [chance, ...others] = new Set(all.map(({ metric }) => metric.chance));
  const title = say('benchmark.blindChart');
  return [
    {
      type: 'shares',
      id: 'blind',
      title,
      ...(chance === undefined || others.length > 0 ? {} : { chance }),
      values,
    },
  ];
}

/** A chart for each column of slices. None if the metric is 1 in all of them. */
function slicesOf(metrics: readonly Metric[], id: string, name: Words): Shares[] {
  const chance = wholeMetric(metrics, id)?.chance;
  const columns = new Map<string, Bar[]>();
  for (const metric of metrics) {
    const [slice, ...more] = Object.entries(metric.slice ?? {});
    if (metric.id !== id || slice === undefined || more.length > 0 || metric.value === null) continue;
    const bars = columns.get(slice[0]) ?? [];
    columns.set(slice[0], bars);
    bars.push(barOf(metric, String(slice[1])));
  }
  return [...columns].flatMap(([column, values]): Shares[] => {
    if (values.length > mostBars || values.every(({ share }) => share === 1)) return [];
    const title = say('export.metricBySlice', name, entryOf(sliceNames, column) ?? column);
    const shown = values.sort((a, b) => b.share - a.share);
    return [
      {
        ...{ type: 'shares', id: `${id} ${column}`, title, values: shown },
        ...(chance === undefined ? {} : { chance }),
      },
    ];
  });
}

function barOf({ value, n, ci }: Metric, name: Said | string): Bar {
  return {
    ...{ value: typeof name === 'string' ? name : name.code, name, n, share: value! },
    ...(ci === undefined ? {} : { interval: [ci[0], ci[1]] }),
    metrics: [],
  };
}
