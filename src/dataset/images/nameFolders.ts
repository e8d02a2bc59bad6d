import { posix } from 'node:path';
import { isArchive } from '../../base/files/archived';
import { CaptiousError } from '../../base/errors';
import { KeySet } from '../ids';
import { cocoNumber, cocoSplit } from './cocoNames';

/** What names images: a dataset, which is read only if its names matter. */
export interface NamesImages {
  read(options?: {
    signal?: AbortSignal;
  }): AsyncIterable<{ images: readonly { name: string; bytes?: Uint8Array }[] }>;
}

/** An image's name as a path. Of a web address, the host is the first folder, and a query is the last. */
export interface NamePath {
  folders: readonly string[];
  file: string;
}

export const isWebAddress = (name: string): boolean => /^[a-z][a-z0-9+.-]+:\/\//i.test(name);

export function percentDecoded(name: string): string | undefined {
  try {
    const text = decodeURIComponent(name);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

/** The possible readings of a name: as written, with slashes for backslashes, and percent-decoded. */
export function spellings(name: string): string[] {
  const out = [name];
  if (name.includes('\\')) out.push(name.replaceAll('\\', '/'));
  if (name.includes('%')) {
    const decoded = percentDecoded(name);
    if (decoded !== undefined) out.push(decoded);
  }
  return out;
}

export function pathOfName(name: string): NamePath {
  const path = isWebAddress(name)
    ? pathOfAddress(name)
    : posix.normalize(name.replaceAll('\\', '/')).split('/');
  const parts = path.filter((part) => part !== '' && part !== '.').map((part) => part.normalize('NFC'));
  return { folders: parts.slice(0, -1), file: parts.at(-1) ?? '' };
}

function pathOfAddress(address: string): string[] {
  if (!URL.canParse(address)) return address.split('/');
  const { host, pathname, search, hash } = new URL(address);
  const path = pathname.split('/').flatMap((part) => (percentDecoded(part) ?? part).split(/[\\/]/));
  // Addresses that differ only in their queries may be different images, so a query distinguishes like a folder.
  return [host, ...path.slice(0, -1), `${search}${hash}`, path.at(-1)!];
}

/** An archive's name counts as the folder into which it would be unpacked. */
export function withoutZip(folder: string): string {
  return isArchive(folder) ? folder.slice(0, -4) : folder;
}

/** The folders of a file on disk or in an archive. */
export function foldersOfFile(path: string): string[] {
  return pathOfName(path).folders.map(withoutZip);
}

export function withoutEnding(file: string): string {
  return file.replace(/\.(jpe?g|png|webp|gif|tiff?|avif|bmp)$/i, '');
}

/** How many folders two paths have in common, counted from the files. */
export function commonFolders(a: readonly string[], b: readonly string[]): number {
  let count = 0;
  while (count < a.length && count < b.length && a.at(-1 - count) === b.at(-1 - count)) count++;
  return count;
}

/** The most distinct folders to remember. With more, a name must match with all its folders. */
const mostFolders = 10_000;

/**
 * The folders in a dataset's image names, or in the names of embeddings. They decide how much of a name must match: the
 * folders in which the names differ cannot be ignored, and those that all names share can.
 */
export class NameFolders {
  private readonly known = new Map<string, readonly string[]>();
  private last: string | undefined;
  private shared: readonly string[] | undefined;
  /** What follows the shared folders in each of the known ones. */
  private rests: ReadonlySet<string> | undefined;
  private readonly files = new KeySet();
  private readonly stems = new KeySet();
  /** Paths without endings that two images share, such as `1` of `1.jpg` and `1.png`. */
  private readonly twins = new Set<string>();
  private readonly numbers = new KeySet();
  private readonly numbersOfSplits = new KeySet();
  /** Whether two parts of COCO that have no image in common seem to share a number, so the names are not COCO's. */
  private contradictsCoco = false;

  add(name: string): void {
    if (/^data:/i.test(name)) return;
    const { folders, file } = pathOfName(spellings(name).at(-1)!);
    this.addNumber(folders.at(-1), file);
    const key = folders.join('/');
    const stem = `${key}/${withoutEnding(file)}`;
    if (this.files.add(`${key}/${file}`) && !this.stems.add(stem) && this.twins.size <= mostFolders)
      this.twins.add(stem);
    if (key === this.last) return;
    this.last = key;
    if (this.known.has(key) || this.known.size > mostFolders) return;
    this.known.set(key, folders);
    const { shared } = this;
    if (shared === undefined) this.shared = folders;
    else {
      const end = shared.findIndex((folder, i) => folder !== folders[i]);
      this.shared = end === -1 ? shared : shared.slice(0, end);
    }
  }

  /** Whether all names are in one folder, or have none. */
  get isOne(): boolean {
    return this.known.size <= 1;
  }

  /** Whether another image has the same path except for the ending. With too many such paths, it may have one. */
  hasTwin({ folders, file }: NamePath): boolean {
    return this.twins.size > mostFolders || this.twins.has(`${folders.join('/')}/${withoutEnding(file)}`);
  }

  get areCoco(): boolean {
    return !this.contradictsCoco;
  }

  /** How many of a name's folders must match. */
  needed({ folders }: NamePath): number {
    return this.known.size > mostFolders
      ? folders.length
      : Math.max(0, folders.length - (this.shared ?? []).length);
  }

  /** Whether a file with these folders belongs to names with more folders than `needed`. */
  isOthers(folders: readonly string[], needed: number): boolean {
    const below = this.shared?.length ?? 0;
    this.rests ??= new Set(Array.from(this.known.values(), (own) => own.slice(below).join('/')));
    for (let length = needed + 1; length <= folders.length; length++)
      if (this.rests.has(folders.slice(-length).join('/'))) return true;
    return false;
  }

  private addNumber(folder: string | undefined, file: string): void {
    const split = cocoSplit(folder, file);
    const number = split === undefined ? undefined : cocoNumber(file);
    if (split === undefined || number === undefined) return;
    if (!this.numbersOfSplits.add(`${split} ${number}`)) return;
    if (!this.numbers.add(`${split.slice(-4)} ${number}`)) this.contradictsCoco = true;
  }
}

const read = new WeakMap<object, Promise<NameFolders | undefined>>();

/** The folders in a dataset's image names, read on first use; undefined if the dataset cannot be read. */
export function foldersOf(dataset: NamesImages, signal?: AbortSignal): Promise<NameFolders | undefined> {
  let folders = read.get(dataset);
  if (folders === undefined) {
    folders = readFolders(dataset, signal);
    read.set(dataset, folders);
    // A cancelled reading says nothing about the dataset.
    folders.catch(() => read.delete(dataset));
  }
  return folders;
}

async function readFolders(
  dataset: NamesImages,
  signal: AbortSignal | undefined,
): Promise<NameFolders | undefined> {
  const folders = new NameFolders();
  try {
    for await (const { images } of dataset.read({ signal }))
      for (const { name, bytes } of images) if (bytes === undefined) folders.add(name);
  } catch (error) {
    if (!(error instanceof CaptiousError) || error.kind !== 'input') throw error;
    return undefined;
  }
  return folders;
}
