import { createReadStream } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { CaptiousError, wordsOf } from '../base/errors';
import { say } from '../base/say';
import { count, object, optional, type Shape, ShapeError, text } from '../base/shape';
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
    throw new CaptiousError('input', say`The rows of the report cannot be read: ${wordsOf(cause)}.`, {
      at: path,
      remedy: say`Keep the rows file beside its report, or make the report again.`,
      cause,
    });
  } finally {
    stream.destroy();
  }
}

/** What every row has; the rest is its probe's own. */
const rowHead: Shape<Row> = object({
  example: text,
  row: count,
  place: optional(object({ line: count, column: count, offset: count, length: count })),
  image: optional(text),
});

function parseRow(line: string, path: string, number: number): Row {
  let why = '';
  try {
    const value: unknown = JSON.parse(line);
    rowHead(value, '');
    return value as Row;
  } catch (error) {
    if (error instanceof ShapeError) why = ` ${error.message}`;
  }
  throw new CaptiousError('input', say`This is not a row of a report.${why}`, {
    at: `${path}:${number}`,
    remedy: makeAgain,
  });
}

const makeAgain = 'Make the report again with "captious audit".';

/** What a probe reads in a row. Where the row is not one the probe has written, that is what is wrong. */
export function inRow<T>(probe: string, row: Row, read: (row: Row) => T): T {
  try {
    return read(row);
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    throw notOf(probe, row, cause);
  }
}

export function notOf(probe: string, row: Row, cause?: unknown): CaptiousError {
  return new CaptiousError('input', say`The row of example ${row.example} is not one that ${probe} writes.`, {
    remedy: makeAgain,
    cause,
  });
}
