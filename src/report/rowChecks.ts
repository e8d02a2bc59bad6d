import { append } from '../base/lists';
import { type CaptiousError, inputError } from '../base/errors';
import { say, type Words } from '../base/say';
import type { Report } from './report';

/** What a report records about its rows file. */
export type RowsSeal = Pick<Report, 'rowCount' | 'rowsSha256'>;

const mostKept = 20;

export interface LeftOutRow {
  /** The line in the rows file, from 1. */
  line: number;
  why: Words;
}

/** Counts a rows file's invalid lines and keeps the first ones. */
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
    this.first.length = 0;
    append(this.first, first);
  }

  /** A short summary; undefined if all lines are valid. */
  words(file: string): Words | undefined {
    const first = this.first.at(0);
    if (first === undefined) return undefined;
    const what = say('report.rowProblem', file, first.line, first.why);
    return this.count === 1 ? say('report.rowLeftOut', what) : say('report.rowsLeftOut', this.count, what);
  }
}

/** Reads the row on a line. If the line is invalid, returns the reason. */
export function rowIn<R>(
  text: string,
  { fits, fault }: { fits: (value: unknown) => value is R; fault: (value: unknown) => Words },
): { row: R } | { why: Words } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { why: say('evaluator.scoresLineNotJson') };
  }
  const row = formerNames.test(text) ? fromFormer(value) : value;
  return fits(row) ? { row } : { why: fault(row) };
}

const formerNames = /"(?:photos?|pictures)"/;

/** A row of 0.2.0, which said photo and picture, with the present names. */
function fromFormer(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const { photos, photo, ...row } = value as Record<string, unknown>;
  if (photos !== undefined) row.images = photos;
  if (typeof photo === 'boolean') row.right = { text: row.text, image: photo, group: row.group };
  else if (photo !== undefined) row.i2t = photo;
  if (row.kind === 'photo') row.kind = 'image';
  for (const hit of hitsOf(row.search)) hit.images ??= hit.pictures;
  return row;
}

function hitsOf(search: unknown): Record<string, unknown>[] {
  const { hits } = (search ?? {}) as { hits?: unknown };
  return Array.isArray(hits) ? hits.filter((hit) => typeof hit === 'object' && hit !== null) : [];
}

export function changedRows(path: string): CaptiousError {
  return inputError(say('report.rowsFileChanged'), say('report.restoreRowsFile'), path);
}

export function otherRowCount(path: string, count: number, { rowCount }: RowsSeal): CaptiousError {
  return inputError(say('report.rowCountDiffers', rowCount, count), say('report.restoreReport'), path);
}
