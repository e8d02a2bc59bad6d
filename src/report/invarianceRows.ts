import { inputError, untilCancelled } from '../base/errors';
import { say } from '../base/say';
import type { InvarianceRow } from '../probe/invariance/row';
import { LeftOutRows } from './rowChecks';
import { readReport, type Report } from './report';
import { readRows } from './rows';

export interface Audited {
  report: Report;
  rows: InvarianceRow[];
  leftOut: LeftOutRows;
}

export async function readAudit(path: string, signal?: AbortSignal): Promise<Audited> {
  const report = await readReport(path);
  if (report.probe !== 'invariance')
    throw inputError(
      say('report.notInvarianceReport', report.probe),
      say('report.chooseInvarianceReport'),
      path,
    );
  return { report, ...(await invarianceRows(path, report, signal)) };
}

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
