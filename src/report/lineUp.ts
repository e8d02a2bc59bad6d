import { holm } from '../stats/holm';
import { CaptiousError, untilCancelled } from '../base/errors';
import { say } from '../base/say';
import { metricKey, metricName } from './figures';
import { type PairedDifference, pairedDifferences } from './paired';
import type { Report } from './report';
import type { LeftOutRows } from './rowChecks';
import { readRows } from './rows';
import type { Metric } from '../probe/metric';

export interface LinedUp {
  probe: string;
  /** Whatever besides the evaluator is not the same as in the first report, once for all that differ in it. */
  differences: string[];
  /** A figure with its value in each report, in the order given; undefined where a report has no such figure. */
  metrics: { name: string; values: (Metric | undefined)[] }[];
}

/** Two of several reports, as positions, and how a metric differs between them. */
export interface PairOfReports extends PairedDifference {
  first: number;
  second: number;
  /** McNemar's p, adjusted by Holm for all pairs that were tested on this metric. */
  adjusted?: number;
}

/** Any number of reports of one probe in one table, in the order of the figures of the first. */
export function lineUpReports(reports: readonly Report[]): LinedUp {
  const [first, ...others] = reports;
  for (const other of others) {
    if (other.probe !== first.probe)
      throw new CaptiousError('usage', say`One report is of ${first.probe}, another of ${other.probe}.`, {
        remedy: say`Give reports of the same probe.`,
      });
  }
  const byKey = new Map<string, { name: string; values: (Metric | undefined)[] }>();
  for (const [i, report] of reports.entries()) {
    for (const metric of report.metrics) {
      const key = metricKey(metric);
      let line = byKey.get(key);
      if (line === undefined)
        byKey.set(key, (line = { name: metricName(metric), values: reports.map(() => undefined) }));
      line.values[i] = metric;
    }
  }
  const differences = others.flatMap((other) => whatElseDiffers(first, other));
  return { probe: first.probe, differences: [...new Set(differences)], metrics: [...byKey.values()] };
}

function whatElseDiffers(a: Report, b: Report): string[] {
  const out: string[] = [];
  if (a.dataset.sha256 !== b.dataset.sha256)
    out.push(`the datasets: ${a.dataset.path} and ${b.dataset.path}`);
  if (a.dataset.examples !== b.dataset.examples) {
    out.push(`the examples that took part: ${a.dataset.examples} and ${b.dataset.examples}`);
  }
  if (a.seed !== b.seed) out.push(`the seeds: ${a.seed} and ${b.seed}`);
  if (a.limit !== b.limit) out.push(`the limits: ${a.limit ?? 'none'} and ${b.limit ?? 'none'}`);
  for (const key of new Set([...Object.keys(a.options), ...Object.keys(b.options)])) {
    if (a.options[key] !== b.options[key]) out.push(`option ${key}: ${a.options[key]} and ${b.options[key]}`);
  }
  for (const key of new Set([...Object.keys(a.versions), ...Object.keys(b.versions)])) {
    if (a.versions[key] !== b.versions[key]) {
      out.push(`the version of ${key}: ${a.versions[key] ?? 'none'} and ${b.versions[key] ?? 'none'}`);
    }
  }
  return out;
}

/** Every two of the reports that are of the same file, row by row, with McNemar tests adjusted for their number; `leftOut` is by report. */
export async function pairUpReports(
  reports: readonly Report[],
  paths: readonly string[],
  leftOut: readonly LeftOutRows[],
  signal?: AbortSignal,
): Promise<PairOfReports[]> {
  const pairs: PairOfReports[] = [];
  for (const [first, a] of reports.entries()) {
    for (const [second, b] of reports.entries()) {
      if (second <= first || a.dataset.sha256 !== b.dataset.sha256) continue;
      const rowsOf = (at: number) => untilCancelled(readRows(paths[at], reports[at], leftOut[at]), signal);
      const differences = await pairedDifferences(a.probe, rowsOf(first), rowsOf(second));
      for (const difference of differences) pairs.push({ ...difference, first, second });
    }
  }
  for (const metric of new Set(pairs.map((pair) => pair.metric))) {
    const tested = pairs.filter((pair) => pair.metric === metric && pair.mcNemar !== undefined);
    const adjusted = holm(tested.map(({ mcNemar }) => mcNemar!.pValue));
    for (const [i, pair] of tested.entries()) pair.adjusted = adjusted[i];
  }
  return pairs;
}
