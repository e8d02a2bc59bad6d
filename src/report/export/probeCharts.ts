import { entryOf } from '../../base/entryOf';
import { english } from '../../base/english';
import { say, type Words } from '../../base/say';
import { sliceNames } from '../../probe/metricNames';
import type { Chart } from '../../chart/chart';
import { barsOf } from '../../probe/charted';
import { reporting } from '../../probe/list';
import type { Metric, Row } from '../../probe/metric';
import type { Report } from '../report';
import { metricTitles } from '../titles';
import { drawn } from './chartMarkup';
import { inEnglish, type Speech } from './speech';

/** The charts of a report as markup: the probe's charts, and bars of metrics by slice. */
export async function chartsOf(
  report: Report,
  rows: AsyncIterable<Row>,
  speech: Speech = inEnglish,
): Promise<string[]> {
  const probe = reporting(report.probe);
  const own = (await probe.charts?.(report, rows)) ?? [];
  return drawn([...own, ...(probe.slicesInTableOnly ? [] : sliceCharts(report))], speech);
}

function sliceCharts({ probe, metrics }: Report): Chart<Words>[] {
  const nameOf = metricTitles(probe, metrics);
  const groups = new Map<string, Metric[]>();
  for (const metric of metrics) {
    const keys = Object.keys(metric.slice ?? {});
    if (keys.length !== 1) continue;
    const key = english(
      say(
        'export.metricBySlice',
        nameOf({ ...metric, slice: undefined }),
        entryOf(sliceNames, keys[0]) ?? keys[0],
      ),
    );
    groups.set(key, [...(groups.get(key) ?? []), metric]);
  }
  return [...groups]
    .filter(([, group]) => group.length > 1)
    .map(([title, group]) => ({
      type: 'bars',
      title,
      axis: nameOf({ ...group[0], slice: undefined }),
      bars: barsOf(group, (metric) => String(Object.values(metric.slice!)[0])),
    }));
}
