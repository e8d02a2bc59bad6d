/*
 * The thread that decodes Parquet files: pages of a damaged file can keep the library turning for ever, and a thread can
 * be ended. One file after the other.
 */
import { type FileHandle } from 'node:fs/promises';
import { type MessagePort, parentPort } from 'node:worker_threads';
import {
  type AsyncBuffer,
  type FileMetaData,
  parquetMetadataAsync,
  parquetReadObjects,
  parquetSchema,
} from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { messageOf } from '../../base/errors';
import { openRegular } from '../../base/readFile';

/** What lies in a file, as far as reading it needs. */
export interface Outline {
  columns: string[];
  groups: { rows: number; bytes: number; indexed: boolean }[];
}

export type Ask =
  | { want: 'outline'; path: string }
  | { want: 'rows'; from: number; to: number; indexed: boolean }
  | { want: 'close' };

export type Reply =
  | { type: 'step' }
  | { type: 'done'; answer: Outline | Record<string, unknown>[] | undefined }
  | { type: 'failed'; message: string };

/** Large reads are cut, so that a slow disk is not taken for a standstill. */
const readAtOnce = 16 * 1024 * 1024;
/** Pictures deeper inside than this are copied, not handed over. */
const deepest = 16;

let opened: { handle: FileHandle; file: AsyncBuffer; metadata: FileMetaData } | undefined;

async function answer(port: MessagePort, ask: Ask): Promise<void> {
  const step = (): void => port.postMessage({ type: 'step' } satisfies Reply);
  switch (ask.want) {
    case 'outline':
      await close();
      port.postMessage({ type: 'done', answer: await outline(ask.path, step) } satisfies Reply);
      return;
    case 'rows': {
      if (opened === undefined) throw new Error('No file is open.');
      const { file, metadata } = opened;
      const rows = await parquetReadObjects({
        file,
        metadata,
        compressors: boundedCompressors,
        // Byte arrays that are not said to be text are pictures.
        utf8: false,
        rowStart: ask.from,
        rowEnd: ask.to,
        useOffsetIndex: ask.indexed,
        onPage: step,
      });
      port.postMessage({ type: 'done', answer: rows } satisfies Reply, [...buffersOf(rows)]);
      return;
    }
    case 'close':
      await close();
      port.postMessage({ type: 'done', answer: undefined } satisfies Reply);
  }
}

async function outline(path: string, step: () => void): Promise<Outline> {
  const handle = await openRegular(path);
  try {
    const file = await bufferOf(handle, step);
    const metadata = await parquetMetadataAsync(file);
    refuseOversized(metadata, file.byteLength);
    opened = { handle, file, metadata };
    return {
      columns: parquetSchema(metadata).children.map(({ element }) => element.name),
      groups: metadata.row_groups.map((group) => ({
        rows: Number(group.num_rows),
        bytes: Number(group.total_byte_size),
        indexed: group.columns.every((column) => column.offset_index_offset !== undefined),
      })),
    };
  } catch (error) {
    opened = undefined;
    await handle.close();
    throw error;
  }
}

/** Values that a file may declare for each of its bytes; repetition packs captions far less. */
const cellsPerByte = 256;
const cellsOfAnyFile = 1 << 20;
/** Of one row group, which is decoded column by column. */
const cellsOfGroup = 1 << 26;

function refuseOversized({ row_groups: groups }: FileMetaData, size: number): void {
  let cells = 0;
  for (const { num_rows: rows, columns } of groups) {
    const own = Number(rows) * columns.length;
    const values = columns.map(({ meta_data: meta }) => Number(meta?.num_values ?? 0));
    if (!(own >= 0 && own <= cellsOfGroup) || values.some((count) => !(count >= 0 && count <= cellsOfGroup)))
      throw new Error(`a row group declares ${rows} rows of ${columns.length} columns`);
    if (columns.some(({ meta_data: meta }) => Number(meta?.total_compressed_size ?? 0) > size))
      throw new Error('a column declares more bytes than the file has');
    cells += values.reduce((most, count) => Math.max(most, count), own);
  }
  if (cells > cellsOfAnyFile + cellsPerByte * size)
    throw new Error(`${size} bytes declare ${cells} values, which no dataset packs so far`);
}

/** Bytes of one page, and how far a page above a sixteenth of that may have been packed. */
const mostOfPage = 256 << 20;
const mostPacked = 1100;

const boundedCompressors: typeof compressors = Object.fromEntries(
  Object.entries(compressors).map(([name, unpack]) => [
    name,
    (input: Uint8Array, length: number) => {
      if (length > mostOfPage || (length > mostOfPage / 16 && length > mostPacked * input.length))
        throw new Error(`a page of ${input.length} bytes declares ${length} bytes`);
      return unpack(input, length);
    },
  ]),
);

async function close(): Promise<void> {
  const handle = opened?.handle;
  opened = undefined;
  await handle?.close();
}

async function bufferOf(file: FileHandle, step: () => void): Promise<AsyncBuffer> {
  const { size } = await file.stat();
  return {
    byteLength: size,
    async slice(start, end = size) {
      const length = Math.max(0, Math.min(end, size) - start);
      const bytes = new Uint8Array(new ArrayBuffer(length));
      for (let filled = 0; filled < length;) {
        const some = Math.min(readAtOnce, length - filled);
        const { bytesRead } = await file.read(bytes, filled, some, start + filled);
        if (bytesRead === 0) throw new Error('The file ends too early');
        filled += bytesRead;
        step();
      }
      return bytes.buffer;
    },
  };
}

/** What pictures lie in: handed over rather than copied. */
function buffersOf(rows: readonly unknown[]): Set<ArrayBuffer> {
  const found = new Set<ArrayBuffer>();
  const visit = (value: unknown, depth: number): void => {
    if (typeof value !== 'object' || value === null || depth > deepest) return;
    if (ArrayBuffer.isView(value)) {
      if (value.buffer instanceof ArrayBuffer) found.add(value.buffer);
    } else for (const inner of Object.values(value)) visit(inner, depth + 1);
  };
  for (const row of rows) visit(row, 0);
  return found;
}

parentPort?.on('message', (ask: Ask) => {
  const port = parentPort!;
  answer(port, ask).catch((error: unknown) =>
    port.postMessage({ type: 'failed', message: messageOf(error) } satisfies Reply),
  );
});
