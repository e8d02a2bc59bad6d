import { type FileHandle, mkdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { openRegular, readBounded } from '../../base/files/readFile';
import { readJsonSync } from '../../base/files/readJson';
import { installFolder } from '../../base/install';
import { ownerOnly, replaceFile } from '../../base/files/writeFile';
import { count, list, object, type Shaped, ShapeError, text } from '../../base/shape';
import type { AnyColumn } from '../../base/column';
import type { FileWords } from './textIndex';
import { createHash } from 'node:crypto';
import { homeFolder, storeFolder } from '../../base/files/home';

/*
 * Records each index that Captious writes, in Captious's home folder. Files next to a report may come from
 * anywhere, but programs cannot set a file's inode and change time.
 */

const mostReceipt = 1 << 12;

/** Records the files' current state. */
async function keepReceipt(paths: readonly string[]): Promise<void> {
  const path = await receiptOf(paths[0]);
  await mkdir(join(path, '..'), { recursive: true });
  await replaceFile(path, await stampsOf(paths), ownerOnly);
}

/** Whether these files were recorded together and are unchanged. */
async function hasReceipt(paths: readonly string[]): Promise<boolean> {
  try {
    return String(await readBounded(await receiptOf(paths[0]), mostReceipt)) === (await stampsOf(paths));
  } catch {
    return false;
  }
}

async function receiptOf(path: string): Promise<string> {
  const name = createHash('sha256')
    .update(await realpath(path))
    .digest('hex')
    .slice(0, 32);
  return join(storeFolder(homeFolder()), 'indexes', name);
}

async function stampsOf(paths: readonly string[]): Promise<string> {
  const states = await Promise.all(paths.map((path) => stat(path, { bigint: true })));
  return states
    .map(({ dev, ino, size, mtimeNs, ctimeNs }) => [dev, ino, size, mtimeNs, ctimeNs].join(' '))
    .join('\n');
}

/*
 * The cached index of a rows file: a line of JSON, the columns as in memory, and the searchable texts. The file can
 * be deleted at any time, and is used only if Captious wrote it for the same user.
 */

const header = object({
  /** The index format and the version of Captious that wrote it, because versions may read rows differently. */
  by: text,
  /** The size and modification time of the rows file when it was indexed. */
  rows: text,
  lengths: list(count),
  texts: count,
  values: list(list(text)),
  /** The hash of the rows, from their report. */
  sha256: text,
  leftOut: object({ count, first: list(object({ line: count, why: text })) }),
});
type Header = Shaped<typeof header>;
/** The index without its columns. */
export type Kept = Pick<Header, 'values' | 'sha256' | 'leftOut'>;

/** Increase this number after every change to the columns or to what views read from a row. */
const format = 11;
const headerRoom = 1 << 20;
/** The alignment of columns in bytes, equal to the size of the widest number. */
const step = 8;

let by: string | undefined;
function maker(): string {
  by ??= `${format} ${(readJsonSync(join(installFolder(), 'package.json')) as { version: string }).version}`;
  return by;
}

async function stampOf(rows: string): Promise<string> {
  const { size, mtimeMs } = await stat(rows);
  return `${size} ${mtimeMs}`;
}

function pathOf(rows: string): string {
  return `${rows}.index`;
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
  await replaceFile(pathOf(rows), async (file) => {
    const line = `${JSON.stringify(head)}\n`;
    const from = padded(Buffer.byteLength(line));
    await file.writeFile(line.padEnd(from - Buffer.byteLength(line) + line.length, '\n'));
    for (const { filled } of columns) {
      const bytes = new Uint8Array(filled.buffer, filled.byteOffset, filled.byteLength);
      await file.writeFile(bytes);
      await file.writeFile(new Uint8Array(padded(bytes.length) - bytes.length));
    }
    for (const { bytes } of words.blocks()) await file.writeFile(bytes);
  });
  await keepReceipt([rows, pathOf(rows)]);
}

/** Fills the columns and returns the rest of the index; undefined if there is no valid index of these rows. */
export async function readIndex(
  rows: string,
  columns: readonly AnyColumn[],
  words: FileWords,
  sha256: string,
): Promise<Kept | undefined> {
  const path = pathOf(rows);
  if (!(await hasReceipt([rows, path]))) return undefined;
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
