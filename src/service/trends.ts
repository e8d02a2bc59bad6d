/* The trends of the checkpoints and runs among reports, for the board of the editor. */
import { basename } from 'node:path';
import { CaptiousError, usageError } from '../base/errors';
import { say, type Words } from '../base/say';
import { addTo } from '../base/lists';
import { withheldIn } from '../probe/inference/withheld';
import { metricOf } from '../probe/metric';
import { betterOf } from '../probe/view';
import { viewFor } from '../probe/views';
import type { BoardSource, BoardTrend, BoardTrends, ChosenMetrics } from '../protocol/board';
import { endsOf, figure, firmInterval } from '../report/figures';
import type { Report } from '../report/report';
import { basisOf, comparableMetrics } from '../report/scale';
import { readTrend, type ReportOfStep } from '../report/trend/read';
import { stepOf, usualSteps } from '../report/trend/step';
import { inStepOrder, requireOneSeries } from '../report/trend/trend';
import { type BoardReport, readableReports, seriesKey } from './boardReports';

/** A trend reads the rows of at most this many runs. */
const mostRuns = 20;

/** The trend of each series with at least two checkpoints or runs: of the chosen or the main metric. */
export async function trendsOf(
  from: BoardSource,
  signal: AbortSignal,
  chosen: ChosenMetrics = [],
): Promise<BoardTrends> {
  const series = new Map<string, Map<string, ReportOfStep>>();
  const runs = new Map<string, BoardReport[]>();
  // The table says which reports cannot be read.
  for (const own of await readableReports(from)) {
    const { path, report } = own;
    const checkpoint = checkpointOf(report);
    if (checkpoint !== undefined) {
      const key = JSON.stringify([checkpoint.pattern, report.probe, report.dataset.path]);
      const steps = series.get(key) ?? new Map<string, ReportOfStep>();
      // Of the runs of a checkpoint, the newest counts. A folder must not have two reports of a step.
      steps.set(own.at === undefined ? path : seriesKey(report), { path, report, step: checkpoint.step });
      series.set(key, steps);
    } else if (own.at !== undefined) addTo(runs, seriesKey(report), own);
  }
  const found: BoardTrends = { trends: [], missing: [] };
  const add = async (key: string, name: string, trend: (preferred?: string) => Promise<NamedTrend>) => {
    try {
      const preferred = chosen.find((one) => one.key === key)?.metric;
      found.trends.push({ key, series: name, ...(await trend(preferred)) });
    } catch (error) {
      if (!(error instanceof CaptiousError) || error.kind === 'interrupted') throw error;
      found.missing.push({ series: name, why: error.words });
    }
  };
  for (const [key, steps] of series) {
    const own = [...steps.values()];
    if (own.length > 1)
      await add(key, checkpointOf(own[0].report)!.pattern, (preferred) =>
        trendOfSteps(own, signal, preferred),
      );
  }
  for (const [key, own] of runs)
    if (own.length > 1)
      await add(key, own.at(-1)!.report.evaluator.name, (preferred) => trendOfRuns(own, signal, preferred));
  return found;
}

type NamedTrend = Omit<BoardTrend, 'key' | 'series'>;

/** What the experiment file said, or what the id says, as in the reports of a callback in Python. */
function checkpointOf({ checkpoint, evaluator: { id } }: Report): Report['checkpoint'] {
  const step = stepOf([id], usualSteps);
  if (checkpoint !== undefined || step === undefined) return checkpoint;
  const [named, digits] = usualSteps.exec(id)!;
  return { step, pattern: id.replace(named, `${named.slice(0, -digits.length)}*`) };
}

async function trendOfSteps(
  given: readonly ReportOfStep[],
  signal: AbortSignal,
  preferred: string | undefined,
): Promise<NamedTrend> {
  const series = inStepOrder(given);
  requireOneSeries(series.map(({ report }) => report));
  const { metric, metrics, better, best, steps } = await readTrend(series, { signal, preferred });
  return {
    ...namesOf(series[0].report),
    ...{ metric, metrics: [...metrics], better },
    ...(best === undefined ? {} : { best }),
    steps: steps.map(({ step, value, band, change, groundless = false, inBest = false }, i) => ({
      ...doubtOf(series[i].report),
      ...{ step, value, text: figure(value, band), interval: endsOf(band), report: series[i].path },
      ...(band === undefined ? {} : { band: { low: band[0], high: band[1] } }),
      ...(change === undefined || change.verdict === 'undecided' ? {} : { verdict: change.verdict }),
      ...{ groundless, inBest },
    })),
  };
}

/** A report without a verdict is not the best one. */
function doubtOf({ claims }: Report): { doubt?: Words } {
  const doubt = withheldIn(claims);
  return doubt === undefined ? {} : { doubt };
}

function namesOf({ probe, dataset }: Report): Pick<BoardTrend, 'probe' | 'dataset'> {
  return { probe, dataset: basename(dataset.path) };
}

/** The runs of one evaluator, numbered in the order of time. Without a test if they differ in more than the evaluator. */
async function trendOfRuns(
  all: readonly BoardReport[],
  signal: AbortSignal,
  preferred: string | undefined,
): Promise<NamedTrend> {
  const of = all.length;
  const runs = all.slice(-mostRuns);
  const atTimes = (trend: NamedTrend): NamedTrend => ({
    ...trend,
    steps: trend.steps.map((step, i) => ({ ...step, at: runs[i].at })),
  });
  try {
    const steps = runs.map(({ path, report }, i) => ({ path, report, step: of - runs.length + i + 1 }));
    return { ...atTimes(await trendOfSteps(steps, signal, preferred)), ofRuns: { of } };
  } catch (error) {
    if (!(error instanceof CaptiousError) || error.kind === 'interrupted') throw error;
    // The remedy is for checkpoints.
    const untested = error.what;
    return { ...atTimes(reportedTrend(runs, of, preferred)), ofRuns: { of, untested } };
  }
}

/** A metric of the reports with the interval of each, as reported. */
function reportedTrend(runs: readonly BoardReport[], of: number, preferred: string | undefined): NamedTrend {
  const reports = runs.map(({ report }) => report);
  const { probe } = reports[0];
  const view = viewFor(probe);
  const basis = basisOf(reports);
  const measured = reports.map(({ metrics }) =>
    comparableMetrics(probe, metrics, basis).filter(
      ({ slice, value, moot }) => slice === undefined && value !== null && moot !== true,
    ),
  );
  const metrics = measured[0]
    .map(({ id }) => id)
    .filter((id) => betterOf(view, id) !== undefined && measured.every((own) => metricOf(own, id)));
  const leading = (view.leading ?? []).flatMap(({ metric }) => metrics.find((id) => metric.test(id)) ?? []);
  const metric = metrics.find((id) => id === preferred) ?? [...leading, ...metrics].at(0);
  if (metric === undefined) throw usageError(say('board.noMetricOfRuns'));
  return {
    ...namesOf(reports[0]),
    ...{ metric, metrics, better: betterOf(view, metric)! },
    steps: runs.map(({ path, report }, i) => {
      const own = metricOf(measured[i], metric)!;
      const [value, ci] = [own.value!, firmInterval(own)];
      return {
        ...{ step: of - runs.length + i + 1, value, report: path, ...doubtOf(report) },
        ...{ text: figure(value, ci), interval: endsOf(ci), groundless: false, inBest: false },
        ...(ci === undefined ? {} : { band: { low: ci[0], high: ci[1] } }),
      };
    }),
  };
}
