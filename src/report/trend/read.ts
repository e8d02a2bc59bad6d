import { untilCancelled } from '../../base/errors';
import { inTurns } from '../../base/turns/steps';
import type { Report } from '../report';
import { LeftOutRows } from '../rowChecks';
import { readRows } from '../rows';
import { sharesByRow } from '../shares';
import { type Trend, type TrendChoice, trendOf } from './trend';

export interface ReportOfStep {
  path: string;
  report: Report;
  step: number;
}

export interface Reading extends TrendChoice {
  signal: AbortSignal;
  /** Called for each report with its rows that cannot be read. */
  onLeftOut?: (path: string, leftOut: LeftOutRows) => void;
}

/** Reads the rows of reports of one series, in the order of their steps, and computes their trend. */
export async function readTrend(
  series: readonly ReportOfStep[],
  { metric, preferred, signal, onLeftOut }: Reading,
): Promise<Trend> {
  const shares = [];
  for (const { path, report } of series) {
    const leftOut = new LeftOutRows();
    shares.push(await sharesByRow(report.probe, untilCancelled(readRows(path, report, leftOut), signal)));
    onLeftOut?.(path, leftOut);
  }
  const reports = series.map(({ report }) => report);
  const steps = series.map(({ step }) => step);
  return inTurns(trendOf(steps, reports, shares, { metric, preferred }), signal);
}
