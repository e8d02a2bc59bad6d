import { createReadStream } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { CaptiousError, messageOf } from '../base/errors';
import type { Row } from '../probe/probe';
import type { Report } from './report';

export function rowsPath(reportPath: string, report: Report): string {
  return join(dirname(reportPath), report.rows);
}

/** The rows of a report, one by one. */
export async function* readRows(path: string): AsyncGenerator<Row> {
  const stream = createReadStream(path, { encoding: 'utf8' });
  let line = 0;
  try {
    for await (const text of createInterface({ input: stream, crlfDelay: Infinity })) {
      line++;
      if (text !== '') yield parseRow(text, path, line);
    }
  } catch (cause) {
    if (cause instanceof CaptiousError) throw cause;
    throw new CaptiousError('input', `The rows of the report cannot be read: ${messageOf(cause)}.`, {
      at: path,
      remedy: 'Keep the rows file beside its report, or make the report again.',
      cause,
    });
  } finally {
    stream.destroy();
  }
}

function parseRow(text: string, path: string, line: number): Row {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && typeof (value as Row).example === 'string')
      return value as Row;
  } catch {
    // Said below, with the place.
  }
  throw new CaptiousError('input', 'This is not a row of a report.', {
    at: `${path}:${line}`,
    remedy: 'Make the report again with "captious audit".',
  });
}
