import { existsSync } from 'node:fs';
import { opendir, realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import type { Fingerprints } from '../../base/files/fingerprints';
import { isPath } from './reference';

/** The most files and bytes of all files that arguments name. Larger folders are not hashed. */
const mostFiles = 2000;
const mostBytes = 64 * 2 ** 30;

class TooMuch extends Error {}

/** The files and folders that an evaluator's arguments name. Their content is part of the evaluator's hash. */
export class Inputs {
  private constructor(
    /** For each argument that names a file or folder, its place in the arguments and the hash of its content. */
    readonly contents: readonly (readonly [
      place: string,
      files: readonly (readonly [path: string, sha256: string])[],
    ])[],
    /** An argument whose content cannot be hashed: too many files, no file, or perhaps a pattern that names files. */
    readonly unknown: string | undefined,
    private readonly files: ReadonlyMap<string, string>,
  ) {}

  /**
   * Hashes what the arguments name. A relative path starts at `folder`, the working folder of the code. A text without
   * slashes also counts if a file or folder has that name, because the code may open it.
   */
  static async of(
    args: Readonly<Record<string, unknown>>,
    folder: string,
    fingerprints: Fingerprints,
  ): Promise<Inputs> {
    const contents: [string, [string, string][]][] = [];
    const files = new Map<string, string>();
    let unknown: string | undefined;
    let bytes = 0;
    for (const [place, text] of textsIn(args, '')) {
      const path = resolve(folder, text.replace(/^~(?=[\\/]|$)/, homedir()));
      if (!existsSync(path)) {
        if (mayNameFiles(text)) unknown ??= text;
        continue;
      }
      try {
        const found: [string, string][] = [];
        for await (const [file, size] of filesAt(path, new Set())) {
          bytes += size ?? 0;
          if (files.size >= mostFiles || bytes > mostBytes) throw new TooMuch();
          files.set(file, await stateOf(file));
          found.push([relative(path, file), size === undefined ? '' : await fingerprints.sha256(file)]);
        }
        contents.push([place, found.sort(([a], [b]) => (a < b ? -1 : 1))]);
      } catch {
        unknown ??= text;
      }
    }
    return new Inputs(contents, unknown, files);
  }

  /** A file that changed since it was hashed; undefined if none did. */
  async changed(): Promise<string | undefined> {
    const states = await Promise.all(
      [...this.files].map(async ([file, state]) => ((await stateOf(file)) === state ? undefined : file)),
    );
    return states.find((file) => file !== undefined);
  }
}

/** Whether a text may be a pattern, a list, an address or the beginning of paths, although no file has this name. */
function mayNameFiles(text: string): boolean {
  return (
    isPath(text) || /^file:/i.test(text) || (text.includes('*') && /[\\/]/.test(text) && !/\s/.test(text))
  );
}

function textsIn(value: unknown, place: string): [string, string][] {
  if (typeof value === 'string') return value === '' || value.includes('\0') ? [] : [[place, value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => textsIn(part, `${place}/${key}`));
}

/** All files at or below a path with their sizes, also behind links. Git's own files are left out. */
async function* filesAt(
  path: string,
  within: ReadonlySet<string>,
): AsyncGenerator<[path: string, size: number | undefined]> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined || found.isFile()) {
    yield [path, found?.size];
    return;
  }
  const real = await realpath(path);
  if (!found.isDirectory() || within.has(real)) throw new TooMuch();
  for await (const { name } of await opendir(path))
    if (name !== '.git') yield* filesAt(join(path, name), new Set([...within, real]));
}

async function stateOf(file: string): Promise<string> {
  const found = await stat(file, { bigint: true }).catch(() => undefined);
  return found === undefined ? '' : [found.size, found.mtimeNs, found.ctimeNs, found.ino].join();
}
