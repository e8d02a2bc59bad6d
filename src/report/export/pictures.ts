import type { LgipRow } from '../../probe/lgip/row';
import type { Metric, Row } from '../../probe/probe';
import type { Report } from '../report';
import { type Bar, bars, histogram } from './chart';

/** The pictures of a report: every figure that is cut by a slice as bars, and what a probe has of its own. */
export async function picturesOf(report: Report, rows: AsyncIterable<Row>): Promise<string[]> {
  const own = report.probe === 'lgip' ? await lgipPictures(report, rows as AsyncIterable<LgipRow>) : [];
  return [...own, ...slicePictures(report.metrics)];
}

/** LGIP's: the breakdown by type of flip, by strength, and how the gaps are distributed. */
async function lgipPictures({ metrics }: Report, rows: AsyncIterable<LgipRow>): Promise<string[]> {
  const gaps: number[] = [];
  for await (const { variants } of rows) {
    for (const { family, gap } of variants) if (family === 'flip' && gap !== undefined) gaps.push(gap);
  }
  const caught = (suffixes: readonly string[]) =>
    barsOf(
      suffixes.flatMap((suffix) => metrics.filter(({ id, slice }) => id === `lgip.pr.${suffix}` && !slice)),
      (metric) => metric.id.slice('lgip.pr.'.length),
    );
  const byType = caught(['object', 'color', 'number']);
  const byStrength = caught(['weak', 'medium', 'strong']);
  return [
    byType.length > 0 ? bars('Flips caught, by type', byType, 0.5) : '',
    byStrength.length > 0 ? bars('Flips caught, by strength', byStrength, 0.5) : '',
    histogram(
      'Gaps: the caption’s score minus its flip’s',
      'above zero the flip is caught',
      Float64Array.from(gaps),
    ),
  ];
}

function slicePictures(metrics: readonly Metric[]): string[] {
  const groups = new Map<string, Metric[]>();
  for (const metric of metrics) {
    const keys = Object.keys(metric.slice ?? {});
    if (keys.length !== 1) continue;
    const key = `${metric.id} by ${keys[0]}`;
    groups.set(key, [...(groups.get(key) ?? []), metric]);
  }
  return [...groups]
    .filter(([, group]) => group.length > 1)
    .map(([title, group]) =>
      bars(
        title,
        barsOf(group, (metric) => String(Object.values(metric.slice!)[0])),
      ),
    );
}

function barsOf(metrics: readonly Metric[], name: (metric: Metric) => string): Bar[] {
  return metrics.flatMap((metric) =>
    metric.value === null
      ? []
      : [{ name: name(metric), value: metric.value, n: metric.n, ...(metric.ci ? { ci: metric.ci } : {}) }],
  );
}
