import { type FileHandle, mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { thisOwner } from '../../base/files/owner';
import { createFile } from '../../base/files/writeFile';
import {
  entrySize,
  formatVersion,
  headerSize,
  newSegmentId,
  recordSize,
  writeKeysHeader,
  writeRecord,
  writeValuesHeader,
} from './format';

export interface StoreRecord {
  key: Uint8Array;
  payload: Uint8Array;
}

/** Appends records to a segment of this process. */
export class SegmentWriter {
  private valuesEnd = headerSize;
  private keysEnd = headerSize;

  private constructor(
    private readonly folder: string,
    readonly id: string,
    readonly values: FileHandle,
    private readonly keys: FileHandle,
    private readonly hidden: boolean,
  ) {}

  /** Other processes see a hidden segment only after it is sealed. */
  static async create(folder: string, { hidden }: { hidden: boolean }): Promise<SegmentWriter> {
    await mkdir(folder, { recursive: true });
    const id = newSegmentId();
    const values = await createFile(join(folder, `${id}.values`));
    try {
      await writeAll(values, writeValuesHeader(), 0);
      const keys = await createFile(join(folder, `${id}.keys${hidden ? '.part' : ''}`));
      try {
        await writeAll(keys, header(false), 0);
        return new SegmentWriter(folder, id, values, keys, hidden);
      } catch (error) {
        await keys.close();
        throw error;
      }
    } catch (error) {
      await values.close();
      throw error;
    }
  }

  get size(): number {
    return this.valuesEnd;
  }

  /** Writes the records, then their keys. Returns the records' offsets. */
  async append(records: readonly StoreRecord[]): Promise<number[]> {
    const offsets: number[] = [];
    const total = records.reduce((sum, { payload }) => sum + recordSize(payload.length), 0);
    const values = Buffer.allocUnsafe(total);
    const keys = Buffer.allocUnsafe(records.length * entrySize);
    let at = 0;
    for (const [i, { key, payload }] of records.entries()) {
      writeRecord(values, at, key, payload);
      offsets.push(this.valuesEnd + at);
      keys.set(key.subarray(0, 8), i * entrySize);
      keys.writeUInt32LE((this.valuesEnd + at) / 8, i * entrySize + 8);
      keys.writeUInt32LE(payload.length, i * entrySize + 12);
      at += recordSize(payload.length);
    }
    await writeAll(this.values, values, this.valuesEnd);
    this.valuesEnd += total;
    await writeAll(this.keys, keys, this.keysEnd);
    this.keysEnd += keys.length;
    return offsets;
  }

  /** Marks the segment as closed, so that other processes may merge it. */
  async seal(): Promise<void> {
    if (this.hidden) {
      // A merged segment must be on disk before the segments that it replaces are removed.
      await this.values.sync();
      await this.keys.sync();
    }
    await writeAll(this.keys, header(true), 0);
    if (this.hidden) {
      const path = join(this.folder, `${this.id}.keys`);
      await rename(`${path}.part`, path);
    }
  }

  async close(): Promise<void> {
    await this.values.close();
    await this.keys.close();
  }
}

function header(sealed: boolean): Buffer {
  return writeKeysHeader({ version: formatVersion, sealed, writer: thisOwner() });
}

async function writeAll(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  let done = 0;
  while (done < bytes.length) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}
