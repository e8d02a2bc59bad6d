import { dirname, join } from 'node:path';
import { CaptiousError, inputError, wordsOf } from '../base/errors';
import { Fingerprints } from '../base/files/fingerprints';
import { chunksOf, linesOf } from '../base/files/readFile';
import { say } from '../base/say';
import type { Row } from '../probe/metric';
import { viewFor } from '../probe/views';
import { changedRows, type LeftOutRows, otherRowCount, rowIn, type RowsSeal } from './rowChecks';
import type { Report } from './report';

const fingerprints = new Fingerprints(undefined);

export function rowsPath(reportPath: string, report: Report): string {
  return join(dirname(reportPath), report.rows);
}

/** Throws unless the rows file matches the report's checksum. */
export async function verifyRows(path: string, { rowsSha256 }: RowsSeal): Promise<void> {
  let sha256: string;
  try {
    sha256 = await fingerprints.sha256(path);
  } catch (cause) {
    throw unreadable(path, cause);
  }
  if (sha256 !== rowsSha256) throw changedRows(path);
}

/** Streams a report's rows. `leftOut` is reset, then collects invalid lines. */
export async function* readRows(
  reportPath: string,
  report: Report,
  leftOut: LeftOutRows,
): AsyncGenerator<Row> {
  const path = rowsPath(reportPath, report);
  const check = viewFor(report.probe).rows.row;
  leftOut.clear();
  await verifyRows(path, report);
  let line = 0;
  let count = 0;
  try {
    for await (const text of linesOf(chunksOf(path), path)) {
      line++;
      if (text === '') continue;
      count++;
      const found = rowIn(text, check);
      if ('row' in found) yield found.row;
      else leftOut.add({ line, why: found.why });
    }
  } catch (cause) {
    if (cause instanceof CaptiousError) throw cause;
    throw unreadable(path, cause);
  }
  if (count !== report.rowCount) throw otherRowCount(path, count, report);
}

function unreadable(path: string, cause: unknown): CaptiousError {
  return inputError(
    say('editor.reportRowsUnreadable', wordsOf(cause)),
    say('report.keepRowsFile'),
    path,
    cause,
  );
}
