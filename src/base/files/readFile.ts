/** Reads external files: regular files only, and at most as many bytes as the caller expects. */
import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { inputError } from '../errors';
import { say } from '../say';

/** Without O_NONBLOCK, opening a device or a pipe without a writer may block. Windows lacks this flag. */
const flags = constants.O_RDONLY | ((constants.O_NONBLOCK as number | undefined) ?? 0);
const readAtOnce = 1 << 20;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** The largest accepted configuration file, in bytes. The largest known files have a few megabytes. */
export const mostConfiguration = 64 << 20;

/** Node.js reads at most this many bytes at once. */
export const mostBuffer = 2 ** 31 - 1;

/** Opens a regular file for reading. Throws for anything else, such as a pipe, before reading a byte. */
export async function openRegular(path: string): Promise<FileHandle> {
  const file = await open(path, flags);
  try {
    refuseSpecial(path, await file.stat());
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

export function openRegularSync(path: string): number {
  const file = openSync(path, flags);
  try {
    refuseSpecial(path, fstatSync(file));
    return file;
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

export function readBoundedSync(path: string, most = mostConfiguration): Buffer {
  const file = openRegularSync(path);
  try {
    const parts = new Parts(path, fstatSync(file).size, most);
    while (parts.take(readSync(file, parts.buffer, parts.filled, parts.room, null)));
    return parts.whole;
  } finally {
    closeSync(file);
  }
}

export async function readBounded(path: string, most = mostConfiguration): Promise<Buffer> {
  const file = await openRegular(path);
  try {
    const parts = new Parts(path, (await file.stat()).size, most);
    while (parts.take((await file.read(parts.buffer, parts.filled, parts.room, null)).bytesRead));
    return parts.whole;
  } finally {
    await file.close();
  }
}

/** Yields the first `bytes` bytes of a file in chunks. */
export async function* chunksOf(path: string, bytes = Infinity): AsyncGenerator<Buffer, void, undefined> {
  if (bytes === 0) return;
  const file = await openRegular(path);
  yield* file.createReadStream({ highWaterMark: readAtOnce, end: bytes - 1 }) as AsyncIterable<Buffer>;
}

/** The longest line of JSON or of a table. V8 allows eight times as much, but later steps do not. */
export const mostLine = 64 << 20;

/** Yields lines of UTF-8 without line ends. `at` names the file in errors about long lines. */
export async function* linesOf(
  chunks: AsyncIterable<Uint8Array>,
  at: string,
  most = mostLine,
): AsyncGenerator<string, void, undefined> {
  let begun: Uint8Array[] = [];
  let size = 0;
  let line = 1;
  let afterReturn = false;
  const add = (piece: Uint8Array): void => {
    size += piece.length;
    if (size > most)
      throw inputError(
        say('base.lineTooLong', Math.floor(most / (1 << 20))),
        say('base.checkLineBreaks'),
        `${at}:${line}`,
      );
    begun.push(piece);
  };
  const end = (): string => {
    const text = Buffer.concat(begun, size).toString('utf8');
    begun = [];
    size = 0;
    line++;
    return text;
  };
  for await (const chunk of chunks) {
    let from: number = afterReturn && chunk[0] === lineFeed ? 1 : 0;
    afterReturn = false;
    let [feed, back] = [-2, -2];
    while (from < chunk.length) {
      if (feed !== -1 && feed < from) feed = chunk.indexOf(lineFeed, from);
      if (back !== -1 && back < from) back = chunk.indexOf(carriageReturn, from);
      const to = back === -1 || (feed !== -1 && feed < back) ? feed : back;
      if (to === -1) break;
      add(chunk.subarray(from, to));
      yield end();
      from = to + 1;
      if (to !== back) continue;
      afterReturn = from === chunk.length;
      if (chunk[from] === lineFeed) from++;
    }
    // The rest is kept without a copy, because streams of Node.js do not reuse the memory of a chunk.
    if (from < chunk.length) add(chunk.subarray(from));
  }
  if (size > 0) yield end();
}

/** Collects the bytes of a file. Files under /proc report no size, and others may grow meanwhile. */
class Parts {
  buffer: Buffer;
  filled = 0;

  constructor(
    private readonly path: string,
    size: number,
    private readonly most: number,
  ) {
    this.refuseLarge(size);
    this.buffer = Buffer.allocUnsafe(size + 1);
  }

  get room(): number {
    return Math.min(readAtOnce, this.buffer.length - this.filled);
  }

  get whole(): Buffer {
    return this.buffer.subarray(0, this.filled);
  }

  /** Counts bytes as read. Returns false at the end of the file. */
  take(bytes: number): boolean {
    this.filled += bytes;
    this.refuseLarge(this.filled);
    if (bytes > 0 && this.filled === this.buffer.length)
      this.buffer = Buffer.concat([this.buffer], Math.min(this.most + 1, 2 * this.filled + 4096));
    return bytes > 0;
  }

  private refuseLarge(size: number): void {
    if (size <= this.most) return;
    const larger =
      this.most < 1 << 20
        ? say('base.fileTooLargeKb', this.most >> 10)
        : say('base.fileTooLargeMb', Math.floor(this.most / (1 << 20)));
    throw inputError(larger, say('base.checkRightFile'), this.path);
  }
}

function refuseSpecial(path: string, stat: Stats): void {
  if (stat.isFile()) return;
  // Node.js throws EISDIR for folders, and callers expect that error.
  if (stat.isDirectory())
    throw Object.assign(new Error('EISDIR: illegal operation on a directory, read'), {
      ...{ code: 'EISDIR', syscall: 'read', path },
    });
  throw inputError(say('base.irregularInput'), say('base.chooseRegularFile'), path);
}
