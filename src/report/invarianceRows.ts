import { CaptiousError } from '../base/errors';
import type { InvarianceRow } from '../probe/invariance/row';
import { readReport, type Report } from './report';
import { readRows, rowsPath } from './rows';

/** A report of the invariance audit, and its rows. */
export async function readAudit(path: string): Promise<{ report: Report; rows: InvarianceRow[] }> {
  const report = await readReport(path);
  if (report.probe !== 'invariance')
    throw new CaptiousError('input', `This is a report of the probe ${report.probe}.`, {
      at: path,
      remedy: 'Give one that "captious audit … --probe invariance" has written.',
    });
  const rows: InvarianceRow[] = [];
  for await (const row of readRows(rowsPath(path, report))) rows.push(row as InvarianceRow);
  return { report, rows };
}
