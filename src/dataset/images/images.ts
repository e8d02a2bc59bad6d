import { usageError } from '../../base/errors';
import { say, type Words } from '../../base/say';
import { basename, dirname, isAbsolute, join, posix, resolve, win32 } from 'node:path';
import { isFile } from '../../base/files/isFile';
import { type LogLine, readLog } from './downloadLog';
import { fileIn, Folders, type Listing } from './folders';
import { imagePlace } from './imagePlaces';
import {
  foldersOf,
  foldersOfFile,
  isWebAddress,
  type NameFolders,
  type NamePath,
  type NamesImages,
  pathOfName,
  spellings,
} from './nameFolders';
import { PartlyCounter, type PartlyFound } from './partlyFound';
import { folderOf } from '../parts/paths';
import { onlyImage } from './sameImage';
import { searchByName } from './searchByName';
import type { FoundImage, NoImage, ImageFile } from './foundImage';

/** The file; undefined if it was not found. Throws if the user's folders contradict each other. */
export function fileOf(found: FoundImage): ImageFile | undefined {
  if (found.ok) return found;
  if (found.isConflict !== true) return undefined;
  throw usageError(found.message, say('dataset.separateImageFolders'), found.places.join(', '));
}

export interface ImageFinder {
  /** Finds an image's file by the image's name in the dataset. Nothing is downloaded. */
  find(name: string): Promise<FoundImage>;
  readonly partly: PartlyFound;
}

export interface ImageFinderOptions {
  /** The file whose folder is searched, and all its image names. */
  dataset: NamesImages & { path: string };
  /** The folders that the user named, as `DIR` or `FROM=DIR`. Captious searches them first. */
  folders: readonly string[];
  signal?: AbortSignal;
}

/**
 * Searches the user's folders, then the dataset's folder, by path, file name and COCO number. Images outside
 * these folders are rejected. A file name alone is enough only where the folders in the names cannot disagree.
 */
export function createImageFinder(options: ImageFinderOptions): ImageFinder {
  const search = new Search(options);
  const partly = new PartlyCounter();
  // Cached, because captions of one image are usually adjacent.
  let last: { name: string; found: Promise<FoundImage> } | undefined;
  const find = async (name: string): Promise<FoundImage> => {
    const found = await search.find(name);
    if (found.ok && found.partly === true) partly.add(name, found.path);
    return found;
  };
  return {
    find: (name) => {
      if (last?.name !== name) last = { name, found: find(name) };
      return last.found;
    },
    partly,
  };
}

class Search {
  private readonly space: Folders;
  private logs: Promise<{ folder: string; log: Map<string, LogLine> }[]> | undefined;
  private readonly mapped: readonly { from: string; space: Folders; folder: string }[];

  constructor(private readonly options: ImageFinderOptions) {
    const places = options.folders.map(imagePlace);
    this.space = new Folders(
      folderOf(options.dataset.path),
      places.filter(({ from }) => from === undefined).map(({ folder }) => resolve(folder)),
    );
    this.mapped = places
      .flatMap(({ from, folder }) =>
        from === undefined
          ? []
          : [{ from, folder: resolve(folder), space: new Folders(resolve(folder), []) }],
      )
      .sort((a, b) => b.from.length - a.from.length);
  }

  async find(name: string): Promise<FoundImage> {
    const { space } = this;
    if (name.includes('\0')) return refused(space, say('dataset.imageNameHasNul'));
    if (/^data:/i.test(name)) return refused(space, say('dataset.imageIsDataUrl'));
    const isWeb = isWebAddress(name);
    const mapped = await this.findMapped(name, isWeb);
    if (mapped !== undefined) return mapped;
    if (isWeb) {
      const file = await this.downloaded(name);
      if (file !== undefined) return { ok: true, path: file };
    }
    let escapes = false;
    if (!isWeb) {
      for (const path of spellings(name)) {
        const found = await this.asPath(path);
        if (typeof found === 'object') return found;
        if (found) escapes = true;
      }
    }
    const byName = await this.byName(name, isWeb);
    if (byName?.ok === true || byName?.reason === 'ambiguous') return byName;
    if (isWeb && byName === undefined) return refused(space, say('dataset.imageIsWebAddress'));
    if (escapes && byName === undefined) return refused(space, say('dataset.imageOutsideFolders'));
    return (
      byName ?? {
        ok: false,
        reason: 'missing',
        message: await this.missing(name),
        places: [...(await space.names()).folders],
      }
    );
  }

  /** The file of a web address in the folders of downloads. */
  private async downloaded(name: string): Promise<string | undefined> {
    const { space } = this;
    const folders = [...space.roots, join(folderOf(this.options.dataset.path), 'images')];
    this.logs ??= Promise.all(folders.map(async (folder) => ({ folder, log: await readLog(folder) })));
    for (const { folder, log } of await this.logs) {
      const file = log.get(name)?.file;
      const path = file === undefined ? undefined : join(folder, file);
      if (path !== undefined && isFile(path) && (await space.lawful({ path, link: true }))) return path;
    }
    return undefined;
  }

  private async missing(name: string): Promise<Words> {
    await this.space.names();
    const [broken] = this.space.broken;
    return broken === undefined
      ? say('dataset.imageFileMissing', name)
      : say('dataset.imageMissingArchiveBroken', name, ...broken);
  }

  /** Looks only in the folders to which the user mapped the beginning of the name. */
  private async findMapped(name: string, isWeb: boolean): Promise<FoundImage | undefined> {
    const path = isWeb ? name.split(/[?#]/, 1)[0] : name.replaceAll('\\', '/');
    const own = this.mapped.filter(({ from }) => path.startsWith(`${from.replaceAll('\\', '/')}/`));
    const files: { from: string; path: string }[] = [];
    for (const { from, space, folder } of own) {
      const rest = path.slice(from.length + 1);
      for (const way of spellings(rest)) {
        const { exact } = (await space.below(join(folder, dirname(way)), true)).own;
        const file = exact.map((listing) => fileIn(listing, basename(way))).find((one) => one !== undefined);
        if (file === undefined || !(await space.lawful(file))) continue;
        files.push({ from, path: file.path });
        break;
      }
    }
    const longest = files.filter(({ from }) => from === files[0].from).map((file) => file.path);
    if (longest.length > 0) return theOne(longest, name, basename(longest[0]));
    if (own.length === 0) return undefined;
    return {
      ok: false,
      reason: 'missing',
      message: say('dataset.imageFileMissing', name),
      places: own.map(({ folder }) => folder),
    };
  }

  /** Returns the image. If there is no such file, returns whether the path leads outside the roots. */
  private async asPath(path: string): Promise<FoundImage | boolean> {
    const { space } = this;
    const absolute = posix.isAbsolute(path) || win32.isAbsolute(path) || /^[a-z]:/i.test(path);
    if (absolute && !isAbsolute(path)) return true;
    const { given, own, escapes } = await space.below(dirname(path), absolute);
    const name = basename(path);
    let leadsOut = escapes;
    const lawfulIn = async (listings: readonly Listing[]): Promise<string[]> => {
      const files: string[] = [];
      for (const listing of listings) {
        const file = fileIn(listing, name);
        if (file === undefined) continue;
        if (await space.lawful(file)) files.push(file.path);
        else leadsOut = true;
      }
      return files;
    };
    const freeIn = async (listings: readonly Listing[]): Promise<string[]> => {
      const files = await lawfulIn(listings);
      const names = files.length === 0 ? undefined : await this.names();
      const needed = names?.needed(pathOfName(path)) ?? 0;
      return files.filter((file) => names?.isOthers(foldersOfFile(file), needed) !== true);
    };
    const inRoot = async (root: {
      exact: readonly Listing[];
      usual: readonly Listing[];
    }): Promise<string[]> => {
      const exact = await lawfulIn(root.exact);
      return exact.length > 0 ? exact : freeIn(root.usual);
    };
    const named: string[][] = [];
    for (const root of given) named.push(await inRoot(root));
    const holding = named.filter((files) => files.length > 0);
    // The user named these folders side by side, so none is more right than another.
    if (holding.length > 1) return theOne([...new Set(holding.flat())], path, name);
    const files = holding[0] ?? (await inRoot(own));
    if (files.length === 0) return leadsOut;
    const only = await onlyImage(files);
    return typeof only === 'string' ? found(only, name) : only;
  }

  private async byName(name: string, isWeb: boolean): Promise<FoundImage | undefined> {
    let refusal: FoundImage | undefined;
    for (const path of isWeb ? [name] : spellings(name)) {
      const own: NamePath = pathOfName(path);
      const found = await searchByName(this.space, own, () => this.names());
      if (found === undefined) continue;
      if (found.ok || found.reason === 'ambiguous') return found;
      const [file] = found.places;
      refusal ??= { ...found, ...this.insteadOf(name, file) };
    }
    return refusal;
  }

  private insteadOf(name: string, file: string): Pick<NoImage, 'message' | 'instead'> {
    const path = name.split(/[?#]/, 1)[0].replaceAll('\\', '/').split('/');
    const from = path.slice(0, -1).join('/');
    // A name without folders needs no mapping, only its folder.
    const place = from === '' ? dirname(file) : `${from}=${dirname(file)}`;
    return {
      message: say('dataset.imageElsewhere', name, file, place),
      ...(from !== '' && path.at(-1) === basename(file) ? { instead: place } : {}),
    };
  }

  private names(): Promise<NameFolders | undefined> {
    return foldersOf(this.options.dataset, this.options.signal);
  }
}

/** A file with the same text but in another case is found by less than its path. */
function found(path: string, name: string): ImageFile {
  const isExact = basename(path).normalize('NFC') === name.normalize('NFC');
  return isExact ? { ok: true, path } : { ok: true, path, partly: true };
}

/** The only one of some files in folders that the user named. Their bytes decide if there are several. */
async function theOne(files: readonly string[], name: string, fileName: string): Promise<FoundImage> {
  const only = await onlyImage(files);
  if (typeof only === 'string') return found(only, fileName);
  const message = say('dataset.imageFoldersConflict', name, files[0], files[1]);
  return { ...only, message, isConflict: true };
}

function refused({ roots }: Folders, message: Words): NoImage {
  return { ok: false, reason: 'refused', message, places: roots };
}
