import { randomBytes } from 'node:crypto';
import { closeSync, constants, openSync, renameSync, writeFileSync } from 'node:fs';
import { copyFile, type FileHandle, link, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Reason } from '../errors';
import { cannotWrite } from './cannotWrite';
import { say } from '../say';
import { noteClock } from './fileClock';
import { ownerToken, thisOwner } from './owner';

/*
 * Opens the files that Captious writes, except those that `saveTo` writes through VS Code. Never follows symbolic
 * links, because a repository may link to the user's files.
 */

/** Windows lacks some of these flags. A missing flag is undefined, which counts as 0 here. */
const fresh = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
const atEnd =
  constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK;

const everyone = 0o644;
export const ownerOnly = 0o600;

/** The path of a temporary file next to `path`. The name is unpredictable and identifies the process. */
export function temporaryFor(path: string): string {
  const random = randomBytes(8).toString('hex');
  return join(dirname(path), `.${shortened(basename(path))}.${random}.${ownerToken(thisOwner())}.part`);
}

/** Cuts a name to 160 bytes, so that the temporary name stays within file systems' limit of 255 bytes. */
function shortened(name: string): string {
  const letters = [...name.slice(0, 160)];
  while (Buffer.byteLength(letters.join('')) > 160) letters.pop();
  return letters.join('');
}

/** Creates a file for reading and writing. Fails with EEXIST for any existing name, even a dangling link. */
export async function createFile(path: string, mode = everyone): Promise<FileHandle> {
  const file = await open(path, fresh, mode);
  noteClock(path, (await file.stat()).mtimeMs);
  return file;
}

export function createFileSync(path: string, mode = everyone): number {
  return openSync(path, fresh, mode);
}

/** Opens a file for appending; creates it if missing. Fails for links, pipes and files with several links. */
export async function openToAppend(path: string, mode = everyone): Promise<FileHandle> {
  const file = await open(path, atEnd, mode);
  try {
    const state = await file.stat();
    if (!state.isFile()) throw new Reason(say('base.irregularTarget'));
    if (state.nlink > 1) throw new Reason(say('base.hardLinkedTarget'));
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Replaces the file atomically after flushing to disk. A failure leaves the old file unchanged. */
export async function replaceFile(
  path: string,
  content: string | Uint8Array | ((file: FileHandle) => Promise<void>),
  mode = everyone,
): Promise<void> {
  const temporary = temporaryFor(path);
  try {
    const file = await createFile(temporary, mode);
    try {
      await (typeof content === 'function' ? content(file) : file.writeFile(content));
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw isOfSystem(error) ? cannotWrite(path, error) : error;
  }
}

/** Whether the system failed, and not the caller's `content`. */
function isOfSystem(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}

/** Like `replaceFile`, but synchronous and without flushing, for use while the process ends. */
export function replaceFileSync(path: string, content: string): void {
  const temporary = temporaryFor(path);
  const file = createFileSync(temporary);
  try {
    writeFileSync(file, content);
  } finally {
    closeSync(file);
  }
  renameSync(temporary, path);
}

/** Creates a hard link, or a copy where links are not supported. Fails if `to` exists. */
export async function linkOrCopy(from: string, to: string): Promise<void> {
  await link(from, to).catch(() => copyFile(from, to, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL));
}
