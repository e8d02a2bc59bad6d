import { basename } from 'node:path';
import { append } from '../../base/lists';
import { actionable, inputError, Reason, throwIfCancelled } from '../../base/errors';
import { openRegular } from '../../base/files/readFile';
import { findSaid, say, type Words } from '../../base/say';
import { Cell, type CellValue, Fields } from '../cell';
import type { Problem } from '../dataset';
import type { Span } from './arrowBatch';
import { type ArrowBytes, type ArrowIndex, arrowIndex, batchAt, type RecordsPlace } from './arrowIndex';
import type { ArrowField } from './arrowSchema';
import { ArrowValues } from './arrowValues';

/** Rows are read in groups of about as many bytes. */
const bytesAtOnce = 16 << 20;
const rowsAtOnce = 256;

/** Rows that follow one another, or why they cannot be read. */
export interface ArrowRows {
  from: number;
  to: number;
  rows?: readonly Fields[];
  broken?: Words;
}

/** An Arrow file or stream, such as those of `save_to_disk`. Reads only the bytes of the wanted rows. */
export class ArrowFile {
  readonly columns: readonly string[];
  readonly rowCount: number;

  private constructor(
    readonly path: string,
    private readonly part: string | undefined,
    private readonly index: ArrowIndex,
  ) {
    this.columns = index.fields.map(({ name }) => name);
    this.rowCount = index.batches.reduce((sum, { rows }) => sum + rows, 0);
  }

  /** `part` is the file's name in a dataset of several files. */
  static async open(path: string, part?: string, signal?: AbortSignal): Promise<ArrowFile> {
    return withBytes(path, async (file) => {
      const index = await arrowIndex(file, signal);
      if (index.batches.length === 0 && index.fault !== undefined) throw new Reason(index.fault);
      return new ArrowFile(path, part, index);
    });
  }

  /** The fields of the first rows that can be read. */
  async sample(count: number, signal?: AbortSignal): Promise<Fields[]> {
    const found: Fields[] = [];
    let fault: Words | undefined;
    for await (const { rows, broken } of this.rows(signal)) {
      append(found, (rows ?? []).slice(0, count - found.length));
      fault ??= broken;
      if (found.length === count) break;
    }
    if (found.length === 0 && fault !== undefined) throw damaged(this.path, new Reason(fault));
    return found;
  }

  /** What is missing of the file. */
  *problems(): Iterable<Problem> {
    const { fault } = this.index;
    if (fault !== undefined)
      yield {
        code: 'broken-part',
        severity: 'error',
        message: say('dataset.tarRestLeftOut', this.part ?? basename(this.path), this.rowCount, fault),
      };
  }

  /** Rows from `first` up to, but excluding, `limit`. */
  async *rows(signal?: AbortSignal, first = 0, limit = Infinity): AsyncGenerator<ArrowRows, void, undefined> {
    const handle = await openRegular(this.path);
    try {
      const file = bytesOf(handle, (await handle.stat()).size);
      const known = new Dictionaries(file, this.index);
      let start = 0;
      for (const [i, place] of this.index.batches.entries()) {
        const end = start + place.rows;
        const step = stepOf(place);
        for (let from = Math.max(start, first); from < Math.min(end, limit); from += step) {
          throwIfCancelled(signal);
          const to = Math.min(from + step, end, limit);
          yield await this.group(file, known, i, { from, to, start });
        }
        start = end;
        if (start >= limit) return;
      }
    } catch (error) {
      throw damaged(this.path, error);
    } finally {
      await handle.close();
    }
  }

  private async group(
    file: ArrowBytes,
    known: Dictionaries,
    batch: number,
    { from, to, start }: { from: number; to: number; start: number },
  ): Promise<ArrowRows> {
    try {
      const { columns } = await batchAt(file, this.index.batches[batch], this.index.fields);
      const values = new ArrowValues(known.source(batch));
      const read: CellValue[][] = [];
      for (const column of columns) read.push(await values.of(column, from - start, to - start));
      const rowOf = (i: number): Fields =>
        new Fields(
          this.columns,
          read.map((column) => new Cell(column[i], -1, -1)),
        );
      return { from, to, rows: Array.from({ length: to - from }, (_, i) => rowOf(i)) };
    } catch (error) {
      if (!(error instanceof Reason)) throw error;
      return { from, to, broken: error.what };
    }
  }
}

/** The dictionaries of a file. Each is read when a value needs it. */
class Dictionaries {
  private readonly fields = new Map<number, ArrowField>();
  private readonly read = new Map<string, Promise<readonly CellValue[]>>();

  constructor(
    private readonly file: ArrowBytes,
    private readonly index: ArrowIndex,
  ) {
    const visit = ({ dictionary, ...field }: ArrowField): void => {
      if (dictionary !== undefined) this.fields.set(dictionary.id, field);
      field.children.forEach(visit);
    };
    index.fields.forEach(visit);
  }

  source(batch: number, inside: readonly number[] = []) {
    return {
      bytes: (span: Span) => this.file.bytes(span),
      dictionary: (id: number) => this.values(id, batch, inside),
    };
  }

  private values(id: number, batch: number, inside: readonly number[]): Promise<readonly CellValue[]> {
    if (inside.includes(id)) throw new Reason(say('dataset.arrowDictionaryCyclic', id));
    const { dictionaries } = this.index;
    const own = dictionaries.filter((one) => one.id === id && one.before <= batch);
    const parts = own.slice(
      Math.max(
        0,
        own.findLastIndex(({ isDelta }) => !isDelta),
      ),
    );
    const field = this.fields.get(id);
    if (parts.length === 0 || field === undefined)
      throw new Reason(say('dataset.arrowDictionaryMissing', id));
    const key = `${id} ${parts[0].body.start} ${parts.length}`;
    let found = this.read.get(key);
    if (found === undefined) {
      found = this.readAll(parts, field, batch, [...inside, id]);
      this.read.set(key, found);
    }
    return found;
  }

  private async readAll(
    parts: ArrowIndex['dictionaries'],
    field: ArrowField,
    batch: number,
    inside: readonly number[],
  ): Promise<readonly CellValue[]> {
    const all: CellValue[] = [];
    const values = new ArrowValues(this.source(batch, inside));
    for (const place of parts) {
      const {
        rows,
        columns: [column],
      } = await batchAt(this.file, place, [field], true);
      for (const value of await values.of(column, 0, rows)) all.push(value);
    }
    return all;
  }
}

function stepOf({ rows, body }: RecordsPlace): number {
  const each = body.length / Math.max(1, rows);
  return Math.max(1, Math.min(rowsAtOnce, Math.floor(bytesAtOnce / Math.max(1, each))));
}

function bytesOf(handle: Awaited<ReturnType<typeof openRegular>>, size: number): ArrowBytes {
  return {
    size,
    async bytes({ start, length }) {
      // Not from the shared pool, because the bytes may be transferred to another thread.
      const bytes = new Uint8Array(length);
      for (let filled = 0; filled < length;) {
        const { bytesRead } = await handle.read(bytes, filled, length - filled, start + filled);
        if (bytesRead === 0) throw new Reason(say('dataset.arrowTruncated', start));
        filled += bytesRead;
      }
      return bytes;
    },
  };
}

async function withBytes<T>(path: string, act: (file: ArrowBytes) => Promise<T>): Promise<T> {
  const handle = await openRegular(path);
  try {
    return await act(bytesOf(handle, (await handle.stat()).size));
  } catch (error) {
    throw damaged(path, error);
  } finally {
    await handle.close();
  }
}

/** Forms of sound files that Captious does not read. */
const unread = ['dataset.arrowBigEndian', 'dataset.arrowCompressed', 'dataset.arrowTypeUnknown'] as const;

function damaged(path: string, error: unknown): unknown {
  if (!(error instanceof Reason)) return actionable(error, path);
  const { what } = error;
  const said = say('dataset.asSentence', what);
  return unread.some((code) => findSaid(what, code) !== undefined)
    ? inputError(said, say('dataset.arrowSaveAgain'), path, error)
    : inputError(said, say('dataset.parquetDownloadAgain'), path, error);
}
