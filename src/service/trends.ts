/* The trends of the checkpoints in a folder of reports, for the board of the editor. */
import { basename, join } from 'node:path';
import { CaptiousError } from '../base/errors';
import type { BoardTrend, BoardTrends, ChosenMetrics } from '../protocol/board';
import { reportNames } from '../report/board/board';
import { endsOf, figure } from '../report/figures';
import { readReport } from '../report/report';
import { readTrend, type ReportOfStep } from '../report/trend/read';
import { inStepOrder, requireOneSeries } from '../report/trend/trend';

/** The trend of each pattern, probe and dataset with at least two checkpoints: of the chosen or the main metric. */
export async function trendsOf(
  folder: string,
  signal: AbortSignal,
  chosen: ChosenMetrics = [],
): Promise<BoardTrends> {
  const series = new Map<string, ReportOfStep[]>();
  for (const name of await reportNames(folder)) {
    const path = join(folder, name);
    const report = await readReport(path).catch(() => undefined);
    // The table says which reports cannot be read.
    if (report?.checkpoint === undefined) continue;
    const key = JSON.stringify([report.checkpoint.pattern, report.probe, report.dataset.path]);
    series.set(key, [...(series.get(key) ?? []), { path, report, step: report.checkpoint.step }]);
  }
  const found: BoardTrends = { trends: [], missing: [] };
  for (const [key, own] of series) {
    if (own.length < 2) continue;
    try {
      const preferred = chosen.find((one) => one.key === key)?.metric;
      found.trends.push({ key, ...(await trendOfSeries(own, signal, preferred)) });
    } catch (error) {
      if (!(error instanceof CaptiousError) || error.kind === 'interrupted') throw error;
      found.missing.push({ series: own[0].report.checkpoint!.pattern, why: error.words });
    }
  }
  return found;
}

async function trendOfSeries(
  given: readonly ReportOfStep[],
  signal: AbortSignal,
  preferred: string | undefined,
): Promise<Omit<BoardTrend, 'key'>> {
  const series = inStepOrder(given);
  requireOneSeries(series.map(({ report }) => report));
  const { metric, metrics, better, best, steps } = await readTrend(series, { signal, preferred });
  const [{ report }] = series;
  return {
    ...{ series: report.checkpoint!.pattern, probe: report.probe, dataset: basename(report.dataset.path) },
    ...{ metric, metrics: [...metrics], better },
    ...(best === undefined ? {} : { best }),
    steps: steps.map(({ step, value, band, change, groundless = false, inBest = false }, i) => ({
      ...{ step, value, text: figure(value, band), interval: endsOf(band), report: series[i].path },
      ...(band === undefined ? {} : { band: { low: band[0], high: band[1] } }),
      ...(change === undefined || change.verdict === 'undecided' ? {} : { verdict: change.verdict }),
      ...{ groundless, inBest },
    })),
  };
}
