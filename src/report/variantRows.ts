import { inputError, untilCancelled } from '../base/errors';
import { say } from '../base/say';
import type { InvarianceRow } from '../probe/invariance/row';
import type { LgipRow } from '../probe/lgip/row';
import type { QueryRow } from '../probe/prsm/row';
import { readReport, type Report } from './report';
import { LeftOutRows } from './rowChecks';
import { readRows } from './rows';

/** A report with variants for people to judge. Rows are streamed, because they may not fit into memory. */
export type VariantRows = { report: Report; leftOut: LeftOutRows } & (
  | { probe: 'invariance'; rows: AsyncIterable<InvarianceRow> }
  | { probe: 'lgip'; rows: AsyncIterable<LgipRow> }
  | { probe: 'prsm'; rows: AsyncIterable<QueryRow> }
);

export async function variantRows(path: string, signal?: AbortSignal): Promise<VariantRows> {
  const report = await readReport(path);
  const leftOut = new LeftOutRows();
  const rows = untilCancelled(readRows(path, report, leftOut), signal);
  if (report.probe === 'invariance')
    return { report, leftOut, probe: 'invariance', rows: rows as AsyncGenerator<InvarianceRow> };
  if (report.probe === 'lgip')
    return { report, leftOut, probe: 'lgip', rows: rows as AsyncGenerator<LgipRow> };
  if (report.probe === 'prsm')
    return { report, leftOut, probe: 'prsm', rows: rows as AsyncGenerator<QueryRow> };
  throw inputError(
    say('report.probeWithoutVariants', report.probe),
    say('report.chooseReportWithVariants'),
    path,
  );
}
