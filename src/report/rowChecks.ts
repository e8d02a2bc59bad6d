import { CaptiousError } from '../base/errors';
import { say, type Words } from '../base/say';
import type { Report } from './report';

/** What a report says of its rows file. */
export type RowsSeal = Pick<Report, 'rowCount' | 'rowsSha256'>;

const mostKept = 20;

export interface LeftOutRow {
  /** Of the rows file, from 1. */
  line: number;
  why: string;
}

/** Lines of a rows file that are no rows of the report's probe: all are counted, the first ones kept. */
export class LeftOutRows {
  count = 0;
  readonly first: LeftOutRow[] = [];

  add(row: LeftOutRow): void {
    if (this.count++ < mostKept) this.first.push(row);
  }

  clear(): void {
    this.restore(0, []);
  }

  restore(count: number, first: readonly LeftOutRow[]): void {
    this.count = count;
    this.first.splice(0, Infinity, ...first);
  }

  /** One sentence for people; undefined where every line is a row. */
  words(file: string): Words | undefined {
    const first = this.first.at(0);
    if (first === undefined) return undefined;
    const what = say`${file}, line ${first.line}: ${first.why}`;
    return this.count === 1
      ? say`1 row was left out. ${what}`
      : say`${this.count} rows were left out. The first: ${what}`;
  }
}

/** The row on a line, or why it is none. */
export function rowIn<R>(
  text: string,
  { fits, fault }: { fits: (value: unknown) => value is R; fault: (value: unknown) => string },
): { row: R } | { why: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { why: 'This is not JSON.' };
  }
  return fits(value) ? { row: value } : { why: fault(value) };
}

export function changedRows(path: string): CaptiousError {
  return new CaptiousError('input', say`These rows are not the ones that the report was written with.`, {
    at: path,
    remedy: say`Restore the rows file, or make the report again with "captious audit".`,
  });
}

export function otherRowCount(path: string, count: number, { rowCount }: RowsSeal): CaptiousError {
  return new CaptiousError('input', say`The report has ${rowCount} rows, and this file ${count}.`, {
    at: path,
    remedy: say`Restore the report, or make it again with "captious audit".`,
  });
}
