import { type FileHandle, rm, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CaptiousError, evaluatorError, wordsOf } from '../../base/errors';
import { readBounded } from '../../base/files/readFile';
import { replaceFile } from '../../base/files/writeFile';
import { say } from '../../base/say';

/** The bytes to leave free on the disk. */
const spared = 256 << 20;
/** The most bytes of a file with unknown size. */
export const mostUndeclared = 8e9;
export const resume = 'Run the same command again to resume the download.';

export async function roomFor(part: string): Promise<number> {
  const { bavail, bsize } = await statfs(dirname(part));
  return Math.max(0, bavail * bsize - spared);
}

export function noRoom(part: string, wanted: number, room: number): CaptiousError {
  return new CaptiousError('interrupted', say('fetch.downloadExceedsDisk', wanted, room, spared >> 20), {
    at: part,
    remedy: say('fetch.freeDiskSpace', resume),
  });
}

/** Deletes the partial file, and returns the error of a response with more bytes than `most`. */
export async function tooLong(
  url: URL,
  part: string,
  most: number,
  stated: number | undefined,
): Promise<CaptiousError> {
  await forget(part);
  if (stated === undefined && most < mostUndeclared)
    return new CaptiousError('interrupted', say('fetch.fileExceedsDisk', most, spared >> 20), {
      at: part,
      remedy: say('base.freeDiskSpace'),
    });
  const what =
    stated === undefined ? say('fetch.unstatedSizeTooLarge', most) : say('fetch.moreThanExpected', most);
  return evaluatorError(what, say('fetch.retryOrChangeMirror'), url.href);
}

export async function writeAll(handle: FileHandle, chunk: Uint8Array, path: string): Promise<void> {
  try {
    for (let at = 0; at < chunk.byteLength;)
      at += (await handle.write(chunk, at, chunk.byteLength - at)).bytesWritten;
  } catch (error) {
    throw new CaptiousError('interrupted', say('fetch.fileNotWritable', wordsOf(error)), {
      at: path,
      remedy: say('fetch.freeDiskSpace', resume),
      cause: error,
    });
  }
}

/** The hub's tag (usually a hash) of the complete file. It is stored next to the partial file. */
export async function tagOf(part: string): Promise<string | undefined> {
  return readBounded(`${part}.tag`).then(String, () => undefined);
}

export async function remember(part: string, tag: string | undefined): Promise<void> {
  if (tag === undefined) await rm(`${part}.tag`, { force: true });
  else await replaceFile(`${part}.tag`, tag);
}

export async function forget(part: string): Promise<void> {
  await rm(part, { force: true });
  await rm(`${part}.tag`, { force: true });
}
