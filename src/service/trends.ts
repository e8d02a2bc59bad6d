/* The trends of the checkpoints in a folder of reports, for the board of the editor. */
import { basename, join } from 'node:path';
import { CaptiousError } from '../base/errors';
import type { BoardTrend, BoardTrends, ChosenMetrics } from '../protocol/board';
import { reportNames } from '../report/board/board';
import { endsOf, figure } from '../report/figures';
import { readReport, type Report } from '../report/report';
import { readTrend, type ReportOfStep } from '../report/trend/read';
import { stepOf, usualSteps } from '../report/trend/step';
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
    const checkpoint = report && checkpointOf(report);
    if (checkpoint === undefined) continue;
    const key = JSON.stringify([checkpoint.pattern, report!.probe, report!.dataset.path]);
    series.set(key, [...(series.get(key) ?? []), { path, report: report!, step: checkpoint.step }]);
  }
  const found: BoardTrends = { trends: [], missing: [] };
  for (const [key, own] of series) {
    if (own.length < 2) continue;
    try {
      const preferred = chosen.find((one) => one.key === key)?.metric;
      found.trends.push({ key, ...(await trendOfSeries(own, signal, preferred)) });
    } catch (error) {
      if (!(error instanceof CaptiousError) || error.kind === 'interrupted') throw error;
      found.missing.push({ series: patternOf(own[0].report), why: error.words });
    }
  }
  return found;
}

/** What the experiment file said, or what the id says, as in the reports of a callback in Python. */
function checkpointOf({ checkpoint, evaluator: { id } }: Report): Report['checkpoint'] {
  const step = stepOf([id], usualSteps);
  if (checkpoint !== undefined || step === undefined) return checkpoint;
  const [named, digits] = usualSteps.exec(id)!;
  return { step, pattern: id.replace(named, `${named.slice(0, -digits.length)}*`) };
}

function patternOf(report: Report): string {
  return checkpointOf(report)?.pattern ?? '';
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
    ...{ series: patternOf(report), probe: report.probe, dataset: basename(report.dataset.path) },
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
