import { type FileHandle, open } from 'node:fs/promises';
import type { AsyncBuffer, FileMetaData } from 'hyparquet';
import { CaptiousError, messageOf, throwIfCancelled } from '../base/errors';
import { Cell, type CellValue, Fields } from './cell';
import { Entry } from './entry';

/** A row group beyond this is read in parts, where the file has an index of its pages. */
const groupInOne = 64 * 1024 * 1024;
const rowsAtOnce = 256;
/** Lists and structs deeper than this hold no captions. */
const deepest = 8;

export function isParquet(head: Uint8Array): boolean {
  return Buffer.from(head.subarray(0, 4)).toString('latin1') === 'PAR1';
}

/** A Parquet file as the Hugging Face hub stores it, read one row group after the other. */
export class ParquetFile {
  private constructor(
    readonly path: string,
    private readonly metadata: FileMetaData,
    readonly columns: readonly string[],
  ) {}

  static async open(path: string): Promise<ParquetFile> {
    const { parquetMetadataAsync, parquetSchema } = await import('hyparquet');
    const file = await open(path, 'r');
    try {
      const metadata = await parquetMetadataAsync(await bufferOf(file));
      const columns = parquetSchema(metadata).children.map(({ element }) => element.name);
      return new ParquetFile(path, metadata, columns);
    } catch (cause) {
      throw damaged(path, cause);
    } finally {
      await file.close();
    }
  }

  /** The first rows, without pictures being kept. */
  async sample(count: number): Promise<Fields[]> {
    const rows: Fields[] = [];
    for await (const { fields } of this.entries(undefined, count)) rows.push(fields);
    return rows;
  }

  async *entries(signal?: AbortSignal, limit = Infinity): AsyncGenerator<Entry, void, undefined> {
    const { parquetReadObjects } = await import('hyparquet');
    const { compressors } = await import('hyparquet-compressors');
    const handle = await open(this.path, 'r');
    try {
      const file = await bufferOf(handle);
      for (const { from, to, indexed } of this.parts(limit)) {
        throwIfCancelled(signal);
        let rows: Record<string, unknown>[];
        try {
          rows = await parquetReadObjects({
            file,
            metadata: this.metadata,
            compressors,
            // Byte arrays that are not said to be text are pictures.
            utf8: false,
            rowStart: from,
            rowEnd: to,
            useOffsetIndex: indexed,
          });
        } catch (cause) {
          throw damaged(this.path, cause, `Rows ${from + 1} to ${to} cannot be read`);
        }
        for (const [i, row] of rows.entries()) {
          throwIfCancelled(signal);
          yield new Entry(from + i, fieldsOf(row, this.columns), undefined, undefined);
        }
      }
    } finally {
      await handle.close();
    }
  }

  /** Stretches of rows that are read at once: row groups, or parts of large ones. */
  private *parts(limit: number): Iterable<{ from: number; to: number; indexed: boolean }> {
    let start = 0;
    for (const group of this.metadata.row_groups) {
      const end = Math.min(start + Number(group.num_rows), limit);
      const indexed = group.columns.every((column) => column.offset_index_offset !== undefined);
      const step =
        indexed && Number(group.total_byte_size) > groupInOne ? rowsAtOnce : Math.max(end - start, 1);
      for (let from = start; from < end; from += step)
        yield { from, to: Math.min(from + step, end), indexed };
      start += Number(group.num_rows);
      if (start >= limit) return;
    }
  }
}

async function bufferOf(file: FileHandle): Promise<AsyncBuffer> {
  const { size } = await file.stat();
  return {
    byteLength: size,
    async slice(start, end = size) {
      const length = Math.max(0, Math.min(end, size) - start);
      const bytes = new Uint8Array(new ArrayBuffer(length));
      let filled = 0;
      while (filled < length) {
        const { bytesRead } = await file.read(bytes, filled, length - filled, start + filled);
        if (bytesRead === 0) throw new Error('The file ends too early');
        filled += bytesRead;
      }
      return bytes.buffer;
    },
  };
}

function damaged(path: string, cause: unknown, what = 'This Parquet file cannot be read'): CaptiousError {
  return new CaptiousError('input', `${what}: ${messageOf(cause)}.`, {
    at: path,
    remedy: 'It may be cut short or damaged: fetch it again.',
    cause,
  });
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
