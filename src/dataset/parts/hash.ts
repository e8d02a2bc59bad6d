import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { actionable, CaptiousError, pauses, throwIfCancelled } from '../../base/errors';
import { readBoundedSync } from '../../base/files/readFile';
import { mostTextBytes } from './pairs';
import { partPaths } from './partPaths';

const filesAtOnce = 4;

/** What hashes a file, such as `Fingerprints`. */
interface Hashing {
  sha256(file: string, signal?: AbortSignal): Promise<string>;
}

/** The SHA-256 of a dataset: of its file, or of the hashes of its files in order. */
export async function datasetHash(path: string, files: Hashing, signal?: AbortSignal): Promise<string> {
  const parts = await partPaths(path, signal);
  if (parts === undefined) return files.sha256(path, signal);
  const all = createHash('sha256');
  if (parts.pairs !== undefined) {
    const pause = pauses(signal);
    for (const { image, text } of parts.pairs) {
      await pause();
      if (image === undefined || text === undefined) continue;
      const hash = await hashOr(unreadable, () => hashOfText(join(parts.folder, text)), signal);
      all.update(`${JSON.stringify([image, text])} ${hash}\n`);
    }
    return all.digest('hex');
  }
  for (let i = 0; i < parts.names.length; i += filesAtOnce) {
    const some = parts.names.slice(i, i + filesAtOnce);
    const hashes = some.map((name) =>
      hashOr(unreadable, () => files.sha256(join(parts.folder, name), signal), signal),
    );
    for (const hash of await Promise.all(hashes)) all.update(`${hash}\n`);
  }
  return all.digest('hex');
}

/** The cache of hashes is for few and large files. */
function hashOfText(text: string): string {
  try {
    return createHash('sha256').update(readBoundedSync(text, mostTextBytes)).digest('hex');
  } catch (error) {
    throw actionable(error, text);
  }
}

/** In bytes. */
export async function datasetSize(path: string): Promise<number> {
  const parts = await partPaths(path);
  const names =
    parts?.pairs?.flatMap(({ image, text }) => (image === undefined ? [] : (text ?? []))) ?? parts?.names;
  const files = names?.map((name) => join(parts!.folder, name)) ?? [path];
  let size = 0;
  for (const file of files) {
    try {
      size += statSync(file).size;
    } catch (error) {
      throw actionable(error, file);
    }
  }
  return size;
}

/** What a part that cannot be read has instead of a hash. */
const unreadable = 'unreadable';

async function hashOr(
  other: string,
  act: () => Promise<string> | string,
  signal?: AbortSignal,
): Promise<string> {
  try {
    return await act();
  } catch (error) {
    throwIfCancelled(signal);
    if (error instanceof CaptiousError && error.kind === 'input') return other;
    throw error;
  }
}
