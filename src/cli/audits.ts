import { type Audited, readAudit } from '../report/invarianceRows';
import { logLeftOut } from './terminal';

/** Reads an invariance report with its rows, and prints the number of unreadable rows. */
export async function auditAt(path: string): Promise<Audited> {
  const audited = await readAudit(path);
  logLeftOut(path, audited.leftOut);
  return audited;
}
