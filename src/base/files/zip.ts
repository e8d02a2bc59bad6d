/* Reads a ZIP archive at random positions. Entries are unpacked in memory, one by one, and never written. */
import { promisify } from 'node:util';
import type { FileHandle } from 'node:fs/promises';
import { crc32, inflateRaw } from 'node:zlib';
import { Reason } from '../errors';
import { say } from '../say';
import { openRegular } from './readFile';
import { unpackZstd } from './zstd';

const inflate = promisify(inflateRaw);

export interface ZipEntry {
  name: string;
  /** The number of bytes after and before unpacking, as the archive states them. */
  size: number;
  packed: number;
  method: number;
  crc: number;
  /** The position of the entry's header. */
  offset: number;
}

const mostEntries = 1 << 20;
const mostDirectory = 256 << 20;
/** The end of the directory has 22 bytes and a comment of up to 65,535. */
const endSize = 22;
const longestComment = 0xffff;
const unknown32 = 0xffffffff;

export class ZipFile {
  /** The files by their names. Folders have none, and encrypted files or unsafe names are counted in `leftOut`. */
  readonly entries: ReadonlyMap<string, ZipEntry>;
  readonly leftOut: number;

  private constructor(
    private readonly file: FileHandle,
    { entries, leftOut }: { entries: Map<string, ZipEntry>; leftOut: number },
  ) {
    this.entries = entries;
    this.leftOut = leftOut;
  }

  /** Throws a Reason for a damaged archive. */
  static async open(path: string): Promise<ZipFile> {
    const file = await openRegular(path);
    try {
      return new ZipFile(file, await readDirectory(file));
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  close(): Promise<void> {
    return this.file.close();
  }

  /** An entry's bytes. Throws a Reason if they are damaged, or more than `most`, whatever the archive states. */
  read(entry: ZipEntry, most: number): Promise<Buffer> {
    return readEntry(this.file, entry, most);
  }
}

/** Reads an entry of an archive that is open elsewhere, as `ZipFile.read` does. */
export async function readEntry(file: FileHandle, entry: ZipEntry, most: number): Promise<Buffer> {
  const { name, size, packed, method, offset } = entry;
  if (size > most || packed > most) throw new Reason(say('base.zipEntryTooLong', name, most));
  const header = await bytesAt(file, offset, 30);
  if (header.readUInt32LE(0) !== 0x04034b50) throw damaged(name);
  const start = offset + 30 + header.readUInt16LE(26) + header.readUInt16LE(28);
  const bytes = await unpack(await bytesAt(file, start, packed), method, size, name);
  if (bytes.length !== size || crc32(bytes) !== entry.crc) throw damaged(name);
  return bytes;
}

async function unpack(packed: Buffer, method: number, size: number, name: string): Promise<Buffer> {
  if (method === 0) return packed;
  if (method !== 8 && method !== 93) throw new Reason(say('base.zipMethodUnknown', name, method));
  try {
    // One more byte shows that an entry is longer than its directory states.
    if (method === 8) return await inflate(packed, { maxOutputLength: size + 1 });
    return unpackZstd(packed, size);
  } catch {
    throw damaged(name);
  }
}

/** Where the directory is, and what is in it. */
async function readDirectory(file: FileHandle): Promise<{ entries: Map<string, ZipEntry>; leftOut: number }> {
  const { size } = await file.stat();
  const from = Math.max(0, size - endSize - longestComment);
  const tail = await bytesAt(file, from, size - from);
  let at = tail.length - endSize;
  while (at >= 0 && tail.readUInt32LE(at) !== 0x06054b50) at--;
  if (at < 0) throw new Reason(say('base.zipTruncated'));
  let [count, length, offset] = [
    tail.readUInt16LE(at + 10),
    tail.readUInt32LE(at + 12),
    tail.readUInt32LE(at + 16),
  ];
  if (at >= 20 && tail.readUInt32LE(at - 20) === 0x07064b50) {
    const end = await bytesAt(file, long(tail, at - 12), 56);
    if (end.readUInt32LE(0) !== 0x06064b50) throw new Reason(say('base.zipTruncated'));
    [count, length, offset] = [long(end, 32), long(end, 40), long(end, 48)];
  }
  if (count > mostEntries || length > mostDirectory)
    throw new Reason(say('base.zipTooManyEntries', mostEntries));
  return entriesIn(await bytesAt(file, offset, length), count);
}

function entriesIn(directory: Buffer, count: number): { entries: Map<string, ZipEntry>; leftOut: number } {
  const entries = new Map<string, ZipEntry>();
  let [at, leftOut] = [0, 0];
  for (let i = 0; i < count; i++) {
    if (at + 46 > directory.length || directory.readUInt32LE(at) !== 0x02014b50)
      throw new Reason(say('base.zipTruncated'));
    const [flags, method] = [directory.readUInt16LE(at + 8), directory.readUInt16LE(at + 10)];
    const [nameLength, extra] = [directory.readUInt16LE(at + 28), directory.readUInt16LE(at + 30)];
    const name = directory.toString('utf8', at + 46, at + 46 + nameLength);
    const sizes = [
      directory.readUInt32LE(at + 24),
      directory.readUInt32LE(at + 20),
      directory.readUInt32LE(at + 42),
    ];
    const from = at + 46 + nameLength;
    const [size, packed, offset] = longSizes(directory.subarray(from, from + extra), sizes);
    if ((flags & 1) !== 0 || isOutside(name)) leftOut++;
    else if (entries.has(name)) throw new Reason(say('base.zipNameTwice', name));
    else if (!name.endsWith('/'))
      entries.set(name, { name, size, packed, method, crc: directory.readUInt32LE(at + 16), offset });
    at = from + extra + directory.readUInt16LE(at + 32);
  }
  return { entries, leftOut };
}

/** Replaces the sizes that do not fit into 32 bits by those of the ZIP64 field, which has only these. */
function longSizes(extra: Buffer, sizes: readonly number[]): number[] {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== 1) continue;
    let next = at + 4;
    return sizes.map((size) => {
      if (size !== unknown32 || next + 8 > extra.length) return size;
      next += 8;
      return long(extra, next - 8);
    });
  }
  return [...sizes];
}

function long(bytes: Buffer, at: number): number {
  const value = Number(bytes.readBigUInt64LE(at));
  if (!Number.isSafeInteger(value)) throw new Reason(say('base.zipTruncated'));
  return value;
}

async function bytesAt(file: FileHandle, at: number, length: number): Promise<Buffer> {
  if (at + length > (await file.stat()).size) throw new Reason(say('base.zipTruncated'));
  const bytes = Buffer.alloc(length);
  for (let done = 0; done < length;) {
    const { bytesRead } = await file.read(bytes, done, length - done, at + done);
    if (bytesRead === 0) throw new Reason(say('base.zipTruncated'));
    done += bytesRead;
  }
  return bytes;
}

function damaged(name: string): Reason {
  return new Reason(say('base.zipEntryDamaged', name));
}

/** Whether a name leads out of the archive's folder. */
function isOutside(name: string): boolean {
  return /^(?:[/\\]|[A-Za-z]:)|\0/.test(name) || name.split(/[/\\]/).includes('..');
}
