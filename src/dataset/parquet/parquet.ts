import { CaptiousError, inputError, Reason, throwIfCancelled, wordsOf } from '../../base/errors';
import { say, type Words } from '../../base/say';
import { Cell, type CellValue, Fields } from '../cell';
import type { Outline } from '../../protocol/parquet';
import { Entry } from '../entry';
import { ParquetThread } from './parquetThread';

/** If a row group has a page index and more bytes than this, it is read in parts of `rowsAtOnce` rows. */
const groupInOne = 64 * 1024 * 1024;
const rowsAtOnce = 256;
/** How many cells (rows × columns) may exist as objects at the same time. */
const cellsAtOnce = 1 << 20;
/** Values nested deeper than this in lists and structs are read as null. */
const deepest = 8;

export function isParquet(head: Uint8Array): boolean {
  return Buffer.from(head.subarray(0, 4)).toString('latin1') === 'PAR1';
}

export interface ParquetOptions {
  signal?: AbortSignal;
  /** Reading fails after this many milliseconds without progress. */
  stallMs?: number;
}

interface Part {
  group: number;
  from: number;
  to: number;
  indexed: boolean;
}

/** A Parquet file in the Hugging Face hub's form. Each read covers at most one row group. */
export class ParquetFile {
  private constructor(
    readonly path: string,
    private readonly outline: Outline,
    private readonly stallMs: number,
  ) {}

  static async open(path: string, { signal, stallMs = 30_000 }: ParquetOptions = {}): Promise<ParquetFile> {
    const thread = ParquetThread.take();
    try {
      return new ParquetFile(path, await thread.ask('outline', { path }, stallMs, signal), stallMs);
    } catch (cause) {
      throw damaged(path, cause);
    } finally {
      await thread.release(stallMs);
    }
  }

  get columns(): readonly string[] {
    return this.outline.columns;
  }

  /** Whether another file has the same columns of the same types. */
  hasColumnsOf(other: ParquetFile): boolean {
    return this.outline.schema === other.outline.schema;
  }

  get rowCount(): number {
    return this.outline.groups.reduce((sum, { rows }) => sum + rows, 0);
  }

  /** The fields of the first rows. */
  async sample(count: number, signal?: AbortSignal): Promise<Fields[]> {
    const rows: Fields[] = [];
    for await (const { fields } of this.entries(signal, 0, count)) rows.push(fields);
    return rows;
  }

  /** Rows from `first` up to, but excluding, `limit`. */
  async *entries(signal?: AbortSignal, first = 0, limit = Infinity): AsyncGenerator<Entry, void, undefined> {
    const thread = ParquetThread.take();
    try {
      // The thread handles one file at a time, and may have opened another file in the meantime.
      await this.decoded(say('dataset.parquetSubject'), () =>
        thread.ask('outline', { path: this.path }, this.stallMs, signal),
      );
      for (const { group, from, to, indexed } of this.parts(first, limit)) {
        throwIfCancelled(signal);
        const rows = await this.decoded(say('dataset.parquetRowGroup', group, from + 1, to), async () => {
          const found = await thread.ask('rows', { from, to, indexed }, this.stallMs, signal);
          if (found.length !== to - from)
            throw new Reason(say('dataset.parquetRowCountWrong', found.length, to - from));
          return found;
        });
        for (const [i, row] of rows.entries()) {
          throwIfCancelled(signal);
          yield new Entry(from + i, fieldsOf(row, this.columns), undefined, undefined);
        }
      }
    } finally {
      await thread.release(this.stallMs);
    }
  }

  private async decoded<T>(what: Words, act: () => Promise<T>): Promise<T> {
    try {
      return await act();
    } catch (cause) {
      throw damaged(this.path, cause, say('dataset.parquetPartUnreadable', what));
    }
  }

  /** The ranges of rows to read one after another: row groups, or parts of large row groups. */
  private *parts(first: number, limit: number): Iterable<Part> {
    let start = 0;
    for (const [g, { rows, bytes, indexed }] of this.outline.groups.entries()) {
      const end = Math.min(start + rows, limit);
      const few = Math.max(1, Math.floor(cellsAtOnce / Math.max(1, this.columns.length)));
      const step = indexed && bytes > groupInOne ? rowsAtOnce : few;
      for (let from = Math.max(start, first); from < end; from += step)
        yield { group: g + 1, from, to: Math.min(from + step, end), indexed };
      start += rows;
      if (start >= limit) return;
    }
  }
}

function damaged(
  path: string,
  cause: unknown,
  what: Words = say('dataset.parquetUnreadable'),
): CaptiousError {
  if (cause instanceof CaptiousError) return cause;
  return inputError(
    say('dataset.parquetPartProblem', what, wordsOf(cause)),
    say('dataset.parquetDownloadAgain'),
    path,
    cause,
  );
}

function fieldsOf(row: Record<string, unknown>, names: readonly string[]): Fields {
  return new Fields(
    names,
    names.map((name) => cellOf(row[name], 0)),
  );
}

function cellOf(value: unknown, depth: number): Cell {
  return new Cell(plainValue(value, depth), -1, -1);
}

function plainValue(value: unknown, depth: number): CellValue {
  switch (typeof value) {
    case 'string':
    case 'number':
    case 'boolean':
      return value;
    case 'bigint':
      return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
    case 'object':
      break;
    default:
      return null;
  }
  if (value === null || depth > deepest) return null;
  if (value instanceof Uint8Array) return value;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (Array.isArray(value)) return value.map((item) => cellOf(item, depth + 1));
  if (ArrayBuffer.isView(value)) return Array.from(value as Float32Array, (item) => cellOf(item, depth + 1));
  const entries = Object.entries(value);
  return new Fields(
    entries.map(([name]) => name),
    entries.map(([, item]) => cellOf(item, depth + 1)),
  );
}
