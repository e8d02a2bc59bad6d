import { type FileHandle, readdir, realpath, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolder } from '../../base/files/cannotWrite';
import { openRegular } from '../../base/files/readFile';
import { readJsonSync } from '../../base/files/readJson';
import { installFolder } from '../../base/install';
import { ownerOnly, replaceFile } from '../../base/files/writeFile';
import { count, list, object, type Shaped, ShapeError, text, words } from '../../base/shape';
import type { AnyColumn } from '../../base/column';
import type { FileWords } from './textIndex';
import { createHash } from 'node:crypto';
import { homeFolder, storeFolder } from '../../base/files/home';

/*
 * The cached index of a rows file: a line of JSON, the columns as in memory, and the searchable texts. It is in
 * Captious's home folder, because opening a report writes nothing beside it and reads no index that others made.
 * The file can be deleted at any time.
 */

/** The most bytes of all indexes together. Those that were not used for longest are deleted. */
const mostBytes = 1 << 30;

/** Where the index of a rows file is. */
export async function indexPath(rows: string): Promise<string> {
  const name = createHash('sha256')
    .update(await realpath(rows))
    .digest('hex')
    .slice(0, 32);
  return join(storeFolder(homeFolder()), 'indexes', `${name}.index`);
}

/** Deletes the indexes that were not used for longest if all together have more than `most` bytes. */
export async function pruneIndexes(folder: string, most = mostBytes): Promise<void> {
  const found = await Promise.all(
    (await readdir(folder))
      .filter((name) => name.endsWith('.index'))
      .map(async (name) => {
        const path = join(folder, name);
        // Another window may delete an index at the same time.
        const state = await stat(path).catch(() => undefined);
        return state === undefined ? [] : [{ path, size: state.size, usedAt: state.mtimeMs }];
      }),
  );
  let bytes = 0;
  for (const { path, size } of found.flat().sort((a, b) => b.usedAt - a.usedAt)) {
    bytes += size;
    if (bytes > most) await rm(path, { force: true });
  }
}

const header = object({
  /** The index format and the version of Captious that wrote it, because versions may read rows differently. */
  by: text,
  /** The state of the rows file when it was indexed. Programs cannot set its inode and change time. */
  rows: text,
  lengths: list(count),
  texts: count,
  values: list(list(text)),
  /** The hash of the rows, from their report. */
  sha256: text,
  leftOut: object({ count, first: list(object({ line: count, why: words })) }),
});
type Header = Shaped<typeof header>;
/** The index without its columns. */
export type Kept = Pick<Header, 'values' | 'sha256' | 'leftOut'>;

/** Increase this number after every change to the columns or to what views read from a row. */
const format = 13;
const headerRoom = 1 << 20;
/** The alignment of columns in bytes, equal to the size of the widest number. */
const step = 8;

let by: string | undefined;
function maker(): string {
  by ??= `${format} ${(readJsonSync(join(installFolder(), 'package.json')) as { version: string }).version}`;
  return by;
}

async function stampOf(rows: string): Promise<string> {
  const { dev, ino, size, mtimeNs, ctimeNs } = await stat(rows, { bigint: true });
  return [dev, ino, size, mtimeNs, ctimeNs].join(' ');
}

const padded = (bytes: number): number => Math.ceil(bytes / step) * step;

export async function writeIndex(
  rows: string,
  columns: readonly AnyColumn[],
  words: FileWords,
  kept: Kept,
): Promise<void> {
  const lengths = columns.map(({ length }) => length);
  const head: Header = { by: maker(), rows: await stampOf(rows), lengths, texts: words.size, ...kept };
  const path = await indexPath(rows);
  await makeFolder(dirname(path));
  const write = async (file: FileHandle): Promise<void> => {
    const line = `${JSON.stringify(head)}\n`;
    const from = padded(Buffer.byteLength(line));
    await file.writeFile(line.padEnd(from - Buffer.byteLength(line) + line.length, '\n'));
    for (const { filled } of columns) {
      const bytes = new Uint8Array(filled.buffer, filled.byteOffset, filled.byteLength);
      await file.writeFile(bytes);
      await file.writeFile(new Uint8Array(padded(bytes.length) - bytes.length));
    }
    for (const { bytes } of words.blocks()) await file.writeFile(bytes);
  };
  await replaceFile(path, write, ownerOnly);
  await pruneIndexes(dirname(path));
}

/** Fills the columns and returns the rest of the index; undefined if there is no valid index of these rows. */
export async function readIndex(
  rows: string,
  columns: readonly AnyColumn[],
  words: FileWords,
  sha256: string,
): Promise<Kept | undefined> {
  const path = await indexPath(rows);
  let file: FileHandle;
  try {
    file = await openRegular(path);
  } catch {
    return undefined;
  }
  try {
    const { size } = await file.stat();
    const start = await bytesOf(file, 0, Math.min(headerRoom, size));
    const end = start.indexOf(10);
    const head = headerIn(start.subarray(0, Math.max(0, end)));
    if (
      head?.by !== maker() ||
      head.rows !== (await stampOf(rows)) ||
      head.sha256 !== sha256 ||
      head.lengths.length !== columns.length
    )
      return undefined;
    const from = padded(end + 1);
    const sizes = columns.map(({ width }, i) => padded(head.lengths[i] * width));
    const together = sizes.reduce((sum, bytes) => sum + bytes, 0);
    if (size !== from + together + head.texts) return undefined;
    const { buffer } = await bytesOf(file, from, together);
    let offset = 0;
    for (const [i, column] of columns.entries()) {
      column.restore(buffer, offset, head.lengths[i]);
      offset += sizes[i];
    }
    words.restore({ path, offset: from + together });
    const now = new Date();
    await utimes(path, now, now);
    return head;
  } finally {
    await file.close();
  }
}

function headerIn(bytes: Uint8Array): Header | undefined {
  try {
    return header(JSON.parse(Buffer.from(bytes).toString()), '');
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof ShapeError) return undefined;
    throw error;
  }
}

async function bytesOf(file: FileHandle, from: number, length: number): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(length);
  let done = 0;
  while (done < length) {
    const { bytesRead } = await file.read(bytes, done, length - done, from + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return bytes;
}
