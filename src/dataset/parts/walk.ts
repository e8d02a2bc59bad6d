/* Searches folders for the files of a dataset. */
import { opendir, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import picomatch from 'picomatch';
import { actionable, type CaptiousError, inputError, throwIfCancelled } from '../../base/errors';
import { isFile } from '../../base/files/isFile';
import { say } from '../../base/say';
import { isImage } from '../images/folders';

const endings = /\.(?:jsonl?|jsonc|ndjson|csv|tsv|token|parquet|arrow|feather|tar)$/i;
/** Files that libraries put next to a dataset, and those that Captious writes. */
const others =
  /^(?:dataset_infos?|dataset_dict|state|package|package-lock|config|croissant)\.json$|\.(?:report|variants)\.json$|\.(?:rows|pairs)\.jsonl$|^\d+_stats\.json$|^(?:cache-|tmp).*\.arrow$/i;
/** A text next to an image, with the image's captions. */
const texts = /\.(?:txt|caption)$/i;
export const magic = /[*?[\]{}]/;

export const mostParts = 10_000;
const mostEntries = 1_000_000;
const deepest = 8;

interface Listed {
  name: string;
  kind: 'file' | 'folder' | 'link';
}

export class Walk {
  readonly files = new Set<string>();
  /** Texts that may belong to images. */
  readonly texts = new Set<string>();
  /** The texts that a pattern names, so that they are datasets if they belong to no images. */
  readonly namedTexts = new Set<string>();
  readonly missing = new Set<string>();
  /** The names of the images in each folder that was listed. */
  private readonly images = new Map<string, readonly string[]>();
  private entries = 0;

  constructor(
    private readonly at: string,
    private readonly signal: AbortSignal | undefined,
  ) {}

  /** Adds the datasets in a folder and its subfolders. Does not follow links to folders, which may form loops. */
  async tree(folder: string, depth = 0): Promise<void> {
    for (const { name, kind } of await this.list(folder)) {
      const path = join(folder, name);
      if (kind === 'folder' && depth < deepest) await this.tree(path, depth + 1);
      else if (kind !== 'folder' && (texts.test(name) || (endings.test(name) && !others.test(name))))
        await this.addFound(path, kind, this.texts);
    }
  }

  /** Adds the files that a pattern without braces names. `**` at its end names all datasets below. */
  async pattern(folder: string, [first, ...rest]: readonly string[], depth = 0): Promise<void> {
    const isLast = rest.length === 0;
    if (!magic.test(first)) {
      const path = join(folder, first);
      if (!isLast) await this.pattern(path, rest, depth);
      else if (isFile(path)) this.add(path, this.namedTexts);
      else this.missing.add(path);
      return;
    }
    if (first === '**' && isLast) return this.tree(folder, depth);
    if (first === '**') await this.pattern(folder, rest, depth);
    // Parentheses in names have no meaning in the patterns of a shell.
    const plain = first === '**' ? '*' : first.replace(/[()]/g, '\\$&');
    const matches = picomatch(plain, { nobrace: true, nonegate: true });
    for (const { name, kind } of await this.list(folder)) {
      if (!matches(name)) continue;
      const path = join(folder, name);
      if (first === '**' && kind === 'folder' && depth < deepest)
        await this.pattern(path, [first, ...rest], depth + 1);
      else if (isLast && kind !== 'folder') await this.addFound(path, kind, this.namedTexts);
      else if (!isLast && first !== '**' && kind === 'folder') await this.pattern(path, rest, depth);
    }
  }

  /** The names of the images in a folder, but not those in its subfolders. */
  async imagesIn(folder: string): Promise<readonly string[]> {
    if (!this.images.has(folder)) await this.list(folder);
    return this.images.get(folder) ?? [];
  }

  /** All images in the folders that were searched, relative to `folder`. */
  *allImages(folder: string): Iterable<string> {
    for (const [inner, names] of this.images)
      for (const name of names) yield relativeTo(folder, join(inner, name));
  }

  /** A link can lead to a file, as in the hub's cache, to a folder, or nowhere. */
  private async addFound(path: string, kind: 'file' | 'link', among: Set<string>): Promise<void> {
    if (kind === 'file' || isFile(path)) this.add(path, among);
    else if ((await stat(path).catch(() => undefined)) === undefined) this.missing.add(path);
  }

  private add(path: string, textsTo: Set<string>): void {
    (texts.test(path) ? textsTo : this.files).add(path);
    if (this.files.size > mostParts) throw tooMany(this.at);
  }

  private async list(folder: string): Promise<Listed[]> {
    const found: Listed[] = [];
    const images: string[] = [];
    try {
      for await (const entry of await opendir(folder, { bufferSize: 1024 })) {
        throwIfCancelled(this.signal);
        if (++this.entries > mostEntries) throw tooMany(this.at);
        const { name } = entry;
        if (name.startsWith('.') || name === 'node_modules') continue;
        if (entry.isDirectory()) found.push({ name, kind: 'folder' });
        else if (isImage(name)) images.push(name);
        else if (entry.isFile()) found.push({ name, kind: 'file' });
        else if (entry.isSymbolicLink()) found.push({ name, kind: 'link' });
      }
    } catch (error) {
      throw actionable(error, folder);
    }
    this.images.set(folder, images);
    return found;
  }
}

export function tooMany(at: string): CaptiousError {
  return inputError(say('dataset.tooManyParts', mostParts, mostEntries), say('dataset.nameFilesByGlob'), at);
}

/** A path below a folder, with slashes. */
export function relativeTo(folder: string, path: string): string {
  return relative(folder, path).split(sep).join('/');
}
