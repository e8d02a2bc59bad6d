import { randomBytes } from 'node:crypto';
import { closeSync, constants, openSync, renameSync, writeFileSync } from 'node:fs';
import { copyFile, type FileHandle, link, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { ownerToken, thisOwner } from './owner';

/*
 * Every file that Captious writes is opened here. A link under the file's name is replaced or refused, never followed:
 * a repository may carry links to files of the user's.
 */

/** Where there are no such flags, on Windows, they count as 0. */
const fresh = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
const atEnd =
  constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK;

const everyone = 0o644;
export const ownerOnly = 0o600;

/** Where the content of `path` is until it is complete: beside it, under a name that cannot be foreseen and says whose it is. */
export function temporaryFor(path: string): string {
  const random = randomBytes(8).toString('hex');
  return join(dirname(path), `.${basename(path).slice(0, 160)}.${random}.${ownerToken(thisOwner())}.part`);
}

/** Opens a new file to write and read; fails with EEXIST where anything has that name, even a dangling link. */
export function createFile(path: string, mode = everyone): Promise<FileHandle> {
  return open(path, fresh, mode);
}

export function createFileSync(path: string, mode = everyone): number {
  return openSync(path, fresh, mode);
}

/** Opens a file to append to, and makes it if it is missing. Fails for links, for pipes, and for files that have a second name. */
export async function openToAppend(path: string, mode = everyone): Promise<FileHandle> {
  const file = await open(path, atEnd, mode);
  try {
    const state = await file.stat();
    if (!state.isFile()) throw new Error('it is not a regular file');
    if (state.nlink > 1) throw new Error('the file has another name elsewhere');
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Replaces the file in one step, on the disk before it appears. After a failure the old file is there, and nothing else. */
export async function replaceFile(
  path: string,
  content: string | Uint8Array | ((file: FileHandle) => Promise<void>),
  mode = everyone,
): Promise<void> {
  const temporary = temporaryFor(path);
  const file = await createFile(temporary, mode);
  try {
    try {
      await (typeof content === 'function' ? content(file) : file.writeFile(content));
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** For the last moment of a process, which waits for no promise. */
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

/** A second name for the file, or a copy where the disk has no such thing; fails where `to` exists. */
export async function linkOrCopy(from: string, to: string): Promise<void> {
  await link(from, to).catch(() => copyFile(from, to, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL));
}
