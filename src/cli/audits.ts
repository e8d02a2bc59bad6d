import { type Audited, readAudit } from '../report/invarianceRows';
import { logLeftOut } from './terminal';

/** A report of the probe invariance and its rows; prints how many could not be read. */
export async function auditAt(path: string): Promise<Audited> {
  const audited = await readAudit(path);
  logLeftOut(path, audited.leftOut);
  return audited;
}
