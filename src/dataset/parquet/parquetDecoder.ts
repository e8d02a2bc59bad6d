/*
 * The thread that decodes Parquet files. A damaged page can make the library loop forever, and only a thread
 * can be terminated.
 */
import { type FileHandle } from 'node:fs/promises';
import { parentPort } from 'node:worker_threads';
import {
  type AsyncBuffer,
  type FileMetaData,
  parquetMetadataAsync,
  parquetReadObjects,
  parquetSchema,
} from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { Reason } from '../../base/errors';
import { say } from '../../base/say';
import { Calls, serving } from '../../base/calls';
import { openRegular } from '../../base/files/readFile';
import { type Outline, parquetRequests } from '../../protocol/parquet';

/** Large reads are split, because a slow disk must not look like a hang. */
const readAtOnce = 16 * 1024 * 1024;
/** Images nested deeper than this are copied to the main thread, not transferred. */
const deepest = 16;

/** Reports progress of the current request. */
let step = (): void => undefined;
let opened: { handle: FileHandle; file: AsyncBuffer; metadata: FileMetaData } | undefined;

const serve = serving(parquetRequests, {
  outline: async ({ path }, context) => {
    ({ step } = context);
    await close();
    return outline(path);
  },
  rows: ({ from, to, indexed }, context) => {
    ({ step } = context);
    if (opened === undefined) throw new Error('No file is open.');
    const { file, metadata } = opened;
    return parquetReadObjects({
      file,
      metadata,
      compressors: boundedCompressors,
      // Untyped byte arrays are usually images, so only declared text columns are decoded as text.
      utf8: false,
      rowStart: from,
      rowEnd: to,
      useOffsetIndex: indexed,
      onPage: step,
    });
  },
  close: async () => {
    await close();
    return {};
  },
});

async function outline(path: string): Promise<Outline> {
  const handle = await openRegular(path);
  try {
    const file = await bufferOf(handle);
    const metadata = await parquetMetadataAsync(file);
    refuseOversized(metadata, file.byteLength);
    opened = { handle, file, metadata };
    return {
      columns: parquetSchema(metadata).children.map(({ element }) => element.name),
      schema: JSON.stringify(metadata.schema),
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

/** A file may declare `cellsOfAnyFile` values plus this many per byte. Files of captions have far fewer. */
const cellsPerByte = 256;
const cellsOfAnyFile = 1 << 20;
/** The most cells in a row group. All its columns must be decoded before its first row is complete. */
const cellsOfGroup = 1 << 26;

function refuseOversized({ row_groups: groups }: FileMetaData, size: number): void {
  let cells = 0;
  for (const { num_rows: rows, columns } of groups) {
    const own = Number(rows) * columns.length;
    const values = columns.map(({ meta_data: meta }) => Number(meta?.num_values ?? 0));
    if (!(own >= 0 && own <= cellsOfGroup) || values.some((count) => !(count >= 0 && count <= cellsOfGroup)))
      throw new Reason(say('dataset.parquetGroupTooLarge', String(rows), columns.length));
    if (columns.some(({ meta_data: meta }) => Number(meta?.total_compressed_size ?? 0) > size))
      throw new Reason(say('dataset.parquetColumnTooLarge'));
    cells += values.reduce((most, count) => Math.max(most, count), own);
  }
  if (cells > cellsOfAnyFile + cellsPerByte * size)
    throw new Reason(say('dataset.parquetTooManyValues', size, cells));
}

/** The most bytes of a decompressed page. A page above 1/16 of this size must have a plausible compression ratio. */
const mostOfPage = 256 << 20;
const mostPacked = 1100;

const boundedCompressors: typeof compressors = Object.fromEntries(
  Object.entries(compressors).map(([name, unpack]) => [
    name,
    (input: Uint8Array, length: number) => {
      if (length > mostOfPage || (length > mostOfPage / 16 && length > mostPacked * input.length))
        throw new Reason(say('dataset.parquetPageImplausible', input.length, length));
      // The library's LZ4 takes the page of a column without values for a damaged one.
      return length === 0 ? new Uint8Array(0) : unpack(input, length);
    },
  ]),
);

async function close(): Promise<void> {
  const handle = opened?.handle;
  opened = undefined;
  await handle?.close();
}

async function bufferOf(file: FileHandle): Promise<AsyncBuffer> {
  const { size } = await file.stat();
  return {
    byteLength: size,
    async slice(start, end = size) {
      const length = Math.max(0, Math.min(end, size) - start);
      const bytes = new Uint8Array(new ArrayBuffer(length));
      for (let filled = 0; filled < length;) {
        const some = Math.min(readAtOnce, length - filled);
        const { bytesRead } = await file.read(bytes, filled, some, start + filled);
        if (bytesRead === 0) throw new Reason(say('dataset.fileTruncated'));
        filled += bytesRead;
        step();
      }
      return bytes.buffer;
    },
  };
}

/** The buffers of images, which are transferred to the main thread instead of copied. */
function buffersOf(rows: unknown): Set<ArrayBuffer> {
  const found = new Set<ArrayBuffer>();
  const visit = (value: unknown, depth: number): void => {
    if (typeof value !== 'object' || value === null || depth > deepest) return;
    if (ArrayBuffer.isView(value)) {
      if (value.buffer instanceof ArrayBuffer) found.add(value.buffer);
    } else for (const inner of Object.values(value)) visit(inner, depth + 1);
  };
  visit(rows, -1);
  return found;
}

if (parentPort !== null) {
  const port = parentPort;
  const calls = new Calls(
    {},
    {
      send: (message) => {
        const handedOver = message.type === 'answer' ? buffersOf(message.answer) : [];
        port.postMessage(message, [...handedOver]);
      },
      serve,
    },
  );
  port.on('message', (value: unknown) => {
    calls.hear(value);
  });
}
