import type * as z from 'zod/mini';
import { CaptiousError, inputError, wordsOf } from '../base/errors';
import { readBounded } from '../base/files/readFile';
import { parseJson } from '../base/files/readJson';
import { say } from '../base/say';
import { ShapeError } from '../base/shape';
import type { reportFileSchema } from './reportShape';

export type Report = z.infer<typeof reportFileSchema>;
export type LeftOut = Report['dataset']['leftOut'][number];

/** The largest report that is read, in bytes. The report of a million examples is smaller. */
const mostReport = 256 << 20;

export async function readReport(path: string): Promise<Report> {
  let content: Buffer;
  try {
    content = await readBounded(path, mostReport);
  } catch (cause) {
    if (cause instanceof CaptiousError) throw cause;
    throw inputError(say('report.unreadable'), wordsOf(cause), path, cause);
  }
  let value: unknown;
  try {
    value = parseJson(content, { bytes: mostReport, parts: mostReport / 8 });
  } catch (cause) {
    throw inputError(say('report.notJson', wordsOf(cause)), say('editor.runAuditAgain'), path, cause);
  }
  // The schemas are loaded with the first report, so that the editor starts without them.
  const { parseReport } = await import('./reportShape');
  try {
    return parseReport(value);
  } catch (cause) {
    if (!(cause instanceof ShapeError)) throw cause;
    throw inputError(say('report.invalid', cause.what), say('report.chooseReport'), path, cause);
  }
}
