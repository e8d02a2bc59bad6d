/* Finds the files of a dataset that a folder, a glob or a brace pattern names. */
import { expand } from 'brace-expansion';
import { opendir, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import picomatch from 'picomatch';
import { actionable, CaptiousError, throwIfCancelled } from '../../base/errors';
import { isFile, isFolder } from '../../base/files/isFile';
import { say } from '../../base/say';

/** The files of a dataset, in natural order. */
export interface PartPaths {
  /** The folder of the parts: the given folder, or the folder in front of the first pattern. */
  folder: string;
  /** Paths relative to `folder`, with slashes. */
  names: readonly string[];
  /** Whether the user named the files one by one, so that a missing one is a fault. */
  missing: readonly string[];
}

const endings = /\.(?:jsonl?|jsonc|ndjson|csv|tsv|token|parquet|tar)$/i;
/** JSON files that libraries put next to a dataset, and those that Captious writes. */
const others =
  /^(?:dataset_infos?|dataset_dict|state|package|package-lock|config|croissant)\.json$|\.(?:report|variants)\.json$|\.(?:rows|pairs)\.jsonl$/i;
const magic = /[*?[\]{}]/;

const mostParts = 10_000;
const mostEntries = 1_000_000;
const deepest = 8;

/** Whether a path is a pattern. An existing file or folder is not, whatever characters its name has. */
export function isPattern(path: string): boolean {
  if (!magic.test(path) || isFile(path) || isFolder(path)) return false;
  return magic.test(splitPattern(resolve(path)).pattern);
}

/** Whether a path names several files: a folder or a pattern. */
export function namesParts(path: string): boolean {
  return isFolder(path) || isPattern(path);
}

/** The folder that a dataset's files and images are in. */
export function folderOf(path: string): string {
  const full = resolve(path);
  if (isFolder(full)) return full;
  return isPattern(full) ? splitPattern(full).folder : dirname(full);
}

/** The pattern that names these files. Throws if a file's name has characters of patterns. */
export function patternOf(files: readonly string[]): string {
  const full = files.map((file) => resolve(file));
  let folder = dirname(full[0]);
  while (!full.every((file) => !relative(folder, file).startsWith(`..${sep}`))) folder = dirname(folder);
  const names = [...new Set(full)].map((file) => relative(folder, file).split(sep).join('/'));
  const odd = names.find((name) => /[*?[\]{},$\\]/.test(name));
  if (odd !== undefined)
    throw new CaptiousError('usage', say('dataset.nameLikePattern'), {
      at: odd,
      remedy: say('dataset.nameFilesByGlob'),
    });
  return names.length === 1 ? full[0] : join(folder, `{${names.join(',')}}`);
}

/** The files that a folder or a pattern names; undefined for the path of a file. */
export async function partPaths(path: string, signal?: AbortSignal): Promise<PartPaths | undefined> {
  const full = resolve(path);
  if (!namesParts(full)) return undefined;
  const walk = new Walk(path, signal);
  if (isFolder(full)) {
    await walk.tree(full);
    if (walk.files.size === 0)
      throw new CaptiousError('input', say('dataset.folderWithoutDatasets'), {
        at: path,
        remedy: say('dataset.nameFilesByGlob'),
      });
    return walk.parts(full);
  }
  const { folder, pattern } = splitPattern(full);
  const spelled = expand(pattern.split(sep).join('/'), { max: mostParts + 1 });
  if (spelled.length > mostParts) throw tooMany(path);
  for (const name of spelled) await walk.pattern(folder, name.split('/'));
  if (walk.files.size === 0)
    throw new CaptiousError('input', say('dataset.globWithoutMatch'), {
      at: path,
      remedy: say('dataset.checkGlob', folder),
    });
  return walk.parts(folder);
}

/** Splits a pattern after its longest existing folder, whose name may contain any character. */
function splitPattern(full: string): { folder: string; pattern: string } {
  let folder = dirname(full);
  while (!isFolder(folder) && dirname(folder) !== folder) folder = dirname(folder);
  return { folder, pattern: relative(folder, full) };
}

class Walk {
  readonly files = new Set<string>();
  private readonly missing = new Set<string>();
  private entries = 0;

  constructor(
    private readonly at: string,
    private readonly signal: AbortSignal | undefined,
  ) {}

  parts(folder: string): PartPaths {
    const named = (paths: Iterable<string>): string[] =>
      [...paths].map((path) => relative(folder, path).split(sep).join('/')).sort(inNaturalOrder);
    return { folder, names: named(this.files), missing: named(this.missing) };
  }

  /** Adds the datasets in a folder and its subfolders. Does not follow links to folders, which may form loops. */
  async tree(folder: string, depth = 0): Promise<void> {
    for (const { name, kind } of await this.list(folder)) {
      const path = join(folder, name);
      if (kind === 'folder' && depth < deepest) await this.tree(path, depth + 1);
      else if (kind !== 'folder' && endings.test(name) && !others.test(name)) await this.addFound(path, kind);
    }
  }

  /** Adds the files that a pattern without braces names. */
  async pattern(folder: string, [first, ...rest]: readonly string[], depth = 0): Promise<void> {
    const isLast = rest.length === 0;
    if (!magic.test(first)) {
      const path = join(folder, first);
      if (!isLast) await this.pattern(path, rest, depth);
      else if (isFile(path)) this.add(path);
      else this.missing.add(path);
      return;
    }
    if (first === '**' && !isLast) await this.pattern(folder, rest, depth);
    // Parentheses in names have no meaning in the patterns of a shell.
    const plain = first === '**' ? '*' : first.replace(/[()]/g, '\\$&');
    const matches = picomatch(plain, { nobrace: true, nonegate: true });
    for (const { name, kind } of await this.list(folder)) {
      if (!matches(name)) continue;
      const path = join(folder, name);
      if (first === '**' && kind === 'folder' && depth < deepest)
        await this.pattern(path, [first, ...rest], depth + 1);
      else if (isLast && kind !== 'folder') await this.addFound(path, kind);
      else if (!isLast && first !== '**' && kind === 'folder') await this.pattern(path, rest, depth);
    }
  }

  /** A link can lead to a file, as in the hub's cache, to a folder, or nowhere. */
  private async addFound(path: string, kind: 'file' | 'link'): Promise<void> {
    if (kind === 'file' || isFile(path)) this.add(path);
    else if ((await stat(path).catch(() => undefined)) === undefined) this.missing.add(path);
  }

  private add(path: string): void {
    this.files.add(path);
    if (this.files.size > mostParts) throw tooMany(this.at);
  }

  private async list(folder: string): Promise<{ name: string; kind: 'file' | 'folder' | 'link' }[]> {
    const found: { name: string; kind: 'file' | 'folder' | 'link' }[] = [];
    try {
      for await (const entry of await opendir(folder, { bufferSize: 1024 })) {
        throwIfCancelled(this.signal);
        if (++this.entries > mostEntries) throw tooMany(this.at);
        const { name } = entry;
        if (name.startsWith('.') || name === 'node_modules') continue;
        if (entry.isDirectory()) found.push({ name, kind: 'folder' });
        else if (entry.isFile()) found.push({ name, kind: 'file' });
        else if (entry.isSymbolicLink()) found.push({ name, kind: 'link' });
      }
    } catch (error) {
      throw actionable(error, folder);
    }
    return found;
  }
}

function tooMany(at: string): CaptiousError {
  return new CaptiousError('input', say('dataset.tooManyParts', mostParts, mostEntries), {
    at,
    remedy: say('dataset.nameFilesByGlob'),
  });
}

/** Compares numbers in names by value. Equal for every language of the machine. */
export function inNaturalOrder(a: string, b: string): number {
  const [left, right] = [piecesOf(a), piecesOf(b)];
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const [one, other] = [left[i], right[i]];
    if (one === other) continue;
    if (/^\d/.test(one) && /^\d/.test(other)) {
      const difference = BigInt(one) - BigInt(other);
      if (difference !== 0n) return difference < 0n ? -1 : 1;
    }
    return one < other ? -1 : 1;
  }
  return left.length - right.length;
}

function piecesOf(name: string): readonly string[] {
  return name.match(/\d+|\D+/g) ?? [];
}
