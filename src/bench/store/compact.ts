import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { hasEnded } from '../../base/files/owner';
import { mostBuffer, openRegular, readBounded } from '../../base/files/readFile';
import { createFile } from '../../base/files/writeFile';
import {
  entrySize,
  formatVersion,
  headerSize,
  keySize,
  maxPayload,
  readKeysHeader,
  readRecord,
  segmentIdOf,
} from './format';
import { KeyIndex } from './keyIndex';
import { SegmentWriter, type StoreRecord } from './writer';

/** A merge joins at least `enough` segments. Each has at most `small` bytes, and their sum is at most `most`. */
const enough = 8;
const small = 32 << 20;
const most = 128 << 20;
/** Milliseconds after which a lock may be taken over, or a half-written file is removed (`forgotten`). */
const abandoned = 10 * 60_000;
const forgotten = 24 * 60 * 60_000;
const batch = 256;

/**
 * Merges small finished segments while other processes read and write. Readers refresh when a file is missing,
 * and an interruption leaves only harmless duplicates.
 */
export async function compact(folder: string): Promise<void> {
  if ((await mergeable(folder)).length < enough || !(await lock(folder))) return;
  try {
    // Lists the segments again, because another process may have merged them.
    const parts = await mergeable(folder);
    if (parts.length >= enough) await merge(folder, parts);
    await sweep(folder);
  } finally {
    await rm(lockOf(folder), { force: true });
  }
}

async function mergeable(folder: string): Promise<string[]> {
  const parts: string[] = [];
  let total = 0;
  for (const name of await readdir(folder)) {
    const id = segmentIdOf(name);
    const size = id === undefined ? undefined : await mergeableSize(folder, id);
    if (id === undefined || size === undefined || total + size > most) continue;
    parts.push(id);
    total += size;
  }
  return parts;
}

/** The segment's size in bytes; undefined if it is too large, in use, invalid or of another version. */
async function mergeableSize(folder: string, id: string): Promise<number | undefined> {
  try {
    const { size } = await stat(join(folder, `${id}.values`));
    if (size > small) return undefined;
    const path = join(folder, `${id}.keys`);
    const header = readKeysHeader(await readHead(path));
    if (header?.version !== formatVersion) return undefined;
    if (header.sealed) return size;
    const silentMs = await age(path);
    return silentMs > abandoned && hasEnded(header.writer, silentMs, forgotten) ? size : undefined;
  } catch {
    // A deleted or unreadable file is skipped.
    return undefined;
  }
}

async function merge(folder: string, parts: readonly string[]): Promise<void> {
  const seen = new KeyIndex();
  const writer = await SegmentWriter.create(folder, { hidden: true });
  try {
    for (const id of parts) {
      const values = await readBounded(join(folder, `${id}.values`), mostBuffer);
      let records: StoreRecord[] = [];
      for (const { offset, length } of entriesOf(await readBounded(join(folder, `${id}.keys`), mostBuffer))) {
        const payload = readRecord(values, offset, length);
        if (payload === undefined) continue;
        const key = values.subarray(offset, offset + keySize);
        const [low, high] = [key.readUInt32LE(0), key.readUInt32LE(4)];
        if (seen.find(low, high) !== undefined) continue;
        seen.add(low, high, 0, offset, length);
        if (records.push({ key, payload }) === batch) {
          await writer.append(records);
          records = [];
        }
      }
      await writer.append(records);
    }
    await writer.seal();
  } finally {
    await writer.close();
  }
  // Keys are deleted first. Values without keys are only unused, but keys without values cause failed reads.
  for (const id of parts) {
    await rm(join(folder, `${id}.keys`), { force: true });
    await rm(join(folder, `${id}.values`), { force: true });
  }
}

function entriesOf(keys: Buffer): { offset: number; length: number }[] {
  const entries: { offset: number; length: number }[] = [];
  for (let at = headerSize; at + entrySize <= keys.length; at += entrySize) {
    const offset = keys.readUInt32LE(at + 8) * 8;
    const length = keys.readUInt32LE(at + 12);
    if (offset >= headerSize && length <= maxPayload) entries.push({ offset, length });
  }
  return entries;
}

/** Removes half-written files of killed processes. */
async function sweep(folder: string): Promise<void> {
  const names = await readdir(folder);
  const present = new Set(names);
  for (const name of names) {
    const id = /^([0-9a-z]+-[0-9a-f]{16})\.(?:values|keys\.part)$/.exec(name)?.[1];
    if (id === undefined || present.has(`${id}.keys`)) continue;
    const path = join(folder, name);
    if ((await age(path)) > forgotten) await rm(path, { force: true });
  }
}

function lockOf(folder: string): string {
  return join(folder, 'merging.lock');
}

/** Takes the lock, unless another process has it. Taking over an old one at worst duplicates work. */
async function lock(folder: string): Promise<boolean> {
  const path = lockOf(folder);
  try {
    if ((await age(path)) > abandoned) await rm(path, { force: true });
  } catch {
    // There is usually no lock, so stat fails.
  }
  try {
    await (await createFile(path)).close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function readHead(path: string): Promise<Buffer> {
  const file = await openRegular(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headerSize), 0, headerSize, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

async function age(path: string): Promise<number> {
  return Date.now() - (await stat(path)).mtimeMs;
}
