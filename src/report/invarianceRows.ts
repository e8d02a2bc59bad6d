import { CaptiousError, untilCancelled } from '../base/errors';
import type { InvarianceRow } from '../probe/invariance/row';
import { LeftOutRows } from './rowChecks';
import { readReport, type Report } from './report';
import { readRows } from './rows';

export interface Audited {
  report: Report;
  rows: InvarianceRow[];
  leftOut: LeftOutRows;
}

/** A report of the probe invariance, and its rows. */
export async function readAudit(path: string, signal?: AbortSignal): Promise<Audited> {
  const report = await readReport(path);
  if (report.probe !== 'invariance')
    throw new CaptiousError('input', `This is a report of the probe ${report.probe}.`, {
      at: path,
      remedy: 'Give one that "captious audit … --probe invariance" has written.',
    });
  return { report, ...(await invarianceRows(path, report, signal)) };
}

/** The rows of a report that is known to be one of invariance. */
export async function invarianceRows(
  path: string,
  report: Report,
  signal?: AbortSignal,
): Promise<{ rows: InvarianceRow[]; leftOut: LeftOutRows }> {
  const leftOut = new LeftOutRows();
  const rows: InvarianceRow[] = [];
  for await (const row of untilCancelled(readRows(path, report, leftOut), signal))
    rows.push(row as InvarianceRow);
  return { rows, leftOut };
}
