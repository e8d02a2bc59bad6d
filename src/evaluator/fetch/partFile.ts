import { type FileHandle, rm, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CaptiousError, wordsOf } from '../../base/errors';
import { readBounded } from '../../base/files/readFile';
import { replaceFile } from '../../base/files/writeFile';
import { say } from '../../base/say';

/** The bytes to leave free on the disk. */
const spared = 256 << 20;
export const resume = 'Run the same command again to resume the download.';

export async function roomFor(part: string): Promise<number> {
  const { bavail, bsize } = await statfs(dirname(part));
  return Math.max(0, bavail * bsize - spared);
}

export function noRoom(part: string, wanted: number, room: number): CaptiousError {
  return new CaptiousError(
    'interrupted',
    say`The file needs ${wanted} bytes, but the disk has only ${room} available.`,
    {
      at: part,
      remedy: say`Free disk space. ${resume}`,
    },
  );
}

export async function writeAll(handle: FileHandle, chunk: Uint8Array, path: string): Promise<void> {
  try {
    for (let at = 0; at < chunk.byteLength;)
      at += (await handle.write(chunk, at, chunk.byteLength - at)).bytesWritten;
  } catch (error) {
    throw new CaptiousError('interrupted', say`The file cannot be written: ${wordsOf(error)}`, {
      at: path,
      remedy: say`Free disk space. ${resume}`,
      cause: error,
    });
  }
}

export async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}

/** The hub's tag (a hash) of the complete file. It is stored next to the partial file. */
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
