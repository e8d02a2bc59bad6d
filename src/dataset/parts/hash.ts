import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { append } from '../../base/lists';
import { actionable, CaptiousError, pauses, throwIfCancelled } from '../../base/errors';
import { readBoundedSync } from '../../base/files/readFile';
import { mostTextBytes } from './pairs';
import { type PartPaths, partPaths } from './partPaths';

const filesAtOnce = 4;

/** What hashes a file, such as `Fingerprints`. */
interface Hashing {
  sha256(file: string, signal?: AbortSignal): Promise<string>;
}

/** The SHA-256 of a dataset: of its file, or of the hashes of its files in order. */
export async function datasetHash(path: string, files: Hashing, signal?: AbortSignal): Promise<string> {
  const parts = await partPaths(path, signal);
  if (parts === undefined) return files.sha256(path, signal);
  if (parts.pairs !== undefined) {
    const all = createHash('sha256');
    const pause = pauses(signal);
    for (const { image, text } of parts.pairs) {
      await pause();
      if (image === undefined || text === undefined) continue;
      const hash = await hashOr(unreadable, () => hashOfText(join(parts.folder, text)), signal);
      all.update(`${JSON.stringify([image, text])} ${hash}\n`);
    }
    return all.digest('hex');
  }
  return hashOfFiles(await hashesOf(parts, files, signal));
}

/** The SHA-256 of each file. Only those in `only` are read, if given. */
export async function hashesOf(
  { folder, names }: Pick<PartPaths, 'folder' | 'names'>,
  files: Hashing,
  signal?: AbortSignal,
  only?: ReadonlySet<string>,
): Promise<string[]> {
  const own = only === undefined ? names : names.filter((name) => only.has(name));
  const hashes: string[] = [];
  for (let i = 0; i < own.length; i += filesAtOnce) {
    const some = own.slice(i, i + filesAtOnce);
    const all = some.map((name) =>
      hashOr(unreadable, () => files.sha256(join(folder, name), signal), signal),
    );
    append(hashes, await Promise.all(all));
  }
  return hashes;
}

/** The SHA-256 of a dataset whose files have these hashes, in order. */
export function hashOfFiles(hashes: Iterable<string>): string {
  const all = createHash('sha256');
  for (const hash of hashes) all.update(`${hash}\n`);
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
