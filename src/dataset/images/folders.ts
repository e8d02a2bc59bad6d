import { type Dirent } from 'node:fs';
import { readdir, realpath } from 'node:fs/promises';
import { basename, dirname, extname, join, relative, sep } from 'node:path';
import { archived, archiveFolder, isArchive, storedIn } from '../../base/files/archived';
import { Reason } from '../../base/errors';
import type { Words } from '../../base/say';
import { withoutZip } from './nameFolders';
import { type IndexedFile, NameIndex, nameKey } from './nameIndex';
import { isInside } from '../../base/files/isFile';
import { addTo } from '../../base/lists';

/** The files of a folder. The key of a file is the `nameKey` of its name. */
export type Listing = ReadonlyMap<string, readonly IndexedFile[]>;

interface Below {
  /** Below each folder that the user named, and below the dataset's folder. */
  given: readonly Listings[];
  own: Listings;
  escapes: boolean;
}

/** A folder in a root, and in the root's usual subfolders. */
interface Listings {
  exact: readonly Listing[];
  usual: readonly Listing[];
}

const imageExtensions = new Set(['.jpg', '.jpeg', '.png', '.webp', '.gif', '.bmp', '.tif', '.tiff', '.avif']);

/**
 * Usual names of folders with images, mostly COCO's. Captious looks for them in the dataset's folder and in the
 * folders that the user named.
 */
const neutralFolder = 'images';
export const usualFolders: readonly string[] = [
  neutralFolder,
  'train2014',
  'val2014',
  'test2014',
  'train2017',
  'val2017',
  'test2017',
];

/** How many levels of subfolders Captious searches in a folder that the user named. */
const deepest = 4;
const mostFiles = 1_000_000;
/** The most folders to remember. A dataset may name very many folders that do not exist. */
const mostListings = 10_000;

export function isImage(name: string): boolean {
  return imageExtensions.has(extname(name).toLowerCase());
}

export const extensionsToTry: readonly string[] = ['.jpg', '.jpeg', '.png', '.webp'];

/** The file with exactly this name. If it does not exist, the only file with the same `nameKey`. */
export function fileIn(listing: Listing, name: string): IndexedFile | undefined {
  const files = listing.get(nameKey(name)) ?? [];
  return files.find(({ path }) => basename(path) === name) ?? (files.length === 1 ? files[0] : undefined);
}

/** The folders that may contain images. Lists the files of a folder on its first use. */
export class Folders {
  private readonly listings = new Map<string, Promise<Listing | undefined>>();
  private readonly belows = new Map<string, Promise<Below>>();
  private readonly realPaths = new Map<string, Promise<string | undefined>>();
  private allowed: Promise<string[]> | undefined;
  private index: Promise<NameIndex> | undefined;
  private readonly archives = new Map<string, Promise<string[]>>();
  /** The archives that cannot be read, and why. */
  readonly broken = new Map<string, Words>();

  /** `own`: the dataset's folder. `given`: folders that the user named. */
  constructor(
    private readonly own: string,
    private readonly given: readonly string[],
  ) {}

  /** The folders to search, in this order. */
  get roots(): readonly string[] {
    return [...this.given, this.own];
  }

  names(): Promise<NameIndex> {
    return (this.index ??= this.buildIndex());
  }

  /**
   * Lists the files of a folder. A relative folder is looked up in each root, in its usual subfolders and its archives.
   * `escapes`: whether one of these paths is outside the roots. This check does not resolve links.
   */
  below(folder: string, absolute: boolean): Promise<Below> {
    let below = this.belows.get(folder);
    if (below === undefined) {
      if (this.belows.size >= mostListings) this.belows.clear();
      below = this.listBelow(folder, absolute);
      this.belows.set(folder, below);
    }
    return below;
  }

  private async listBelow(folder: string, absolute: boolean): Promise<Below> {
    let escapes = false;
    const listed = async (paths: readonly string[]): Promise<Listing[]> => {
      const inside = paths.filter((path) => this.roots.some((root) => isInside(root, path)));
      if (inside.length < paths.length) escapes = true;
      const listings = await Promise.all(inside.map((path) => this.list(path)));
      return listings.filter((listing) => listing !== undefined);
    };
    const below = async (root: string): Promise<Listings> => ({
      exact: await listed([join(root, folder)]),
      usual: await listed(
        [...usualFolders, ...(await this.archivesIn(root))].map((usual) => join(root, usual, folder)),
      ),
    });
    const own = absolute ? { exact: await listed([folder]), usual: [] } : await below(this.own);
    const given = absolute ? [] : await Promise.all(this.given.map(below));
    return { given, own, escapes };
  }

  /** A file's folders below the root that contains it. The folder "images" in a root does not count. */
  belowRoot(path: string): string[] {
    const ways = this.roots
      .filter((root) => isInside(root, path))
      .map((root) => relative(root, dirname(path)).split(sep).map(withoutZip))
      .map((way) => (way[0] === '' || nameKey(way[0]) === neutralFolder ? way.slice(1) : way));
    return ways.reduce((least, way) => (way.length < least.length ? way : least), ways[0] ?? []);
  }

  /** Whether a file is inside the roots after resolving links. */
  async lawful({ path, link }: IndexedFile): Promise<boolean> {
    const stored = storedIn(path);
    const real = link || stored !== path ? await realpathOf(stored) : await this.realFolder(join(path, '..'));
    return real !== undefined && (await this.within(real));
  }

  /** Whether a resolved path is inside one of the roots. */
  private async within(real: string): Promise<boolean> {
    this.allowed ??= Promise.all(this.roots.map(realpathOf)).then((roots) =>
      roots.filter((root) => root !== undefined),
    );
    return (await this.allowed).some((root) => isInside(root, real));
  }

  private realFolder(folder: string): Promise<string | undefined> {
    let real = this.realPaths.get(folder);
    if (real === undefined) {
      real = realpathOf(folder);
      this.realPaths.set(folder, real);
    }
    return real;
  }

  private list(folder: string): Promise<Listing | undefined> {
    let listing = this.listings.get(folder);
    if (listing === undefined) {
      if (this.listings.size >= mostListings) this.listings.clear();
      listing = this.listFolder(folder).then((found) => found && byName(found.files));
      this.listings.set(folder, listing);
    }
    return listing;
  }

  /** The names of the archives in a root. */
  private archivesIn(root: string): Promise<string[]> {
    let archives = this.archives.get(root);
    if (archives === undefined) {
      archives = this.listFolder(root).then((found) =>
        (found?.files ?? []).map(({ path }) => basename(path)).filter(isArchive),
      );
      this.archives.set(root, archives);
    }
    return archives;
  }

  private async listFolder(folder: string): Promise<Found | undefined> {
    const place = archived(folder);
    if (place === undefined) return listFolder(folder);
    try {
      const found = await archiveFolder(place);
      return (
        found && {
          files: found.files.map((name) => ({ path: join(folder, name), link: false })),
          folders: found.folders.map((name) => join(folder, name)),
        }
      );
    } catch (error) {
      if (!(error instanceof Reason)) return undefined;
      this.broken.set(place.archive, error.what);
      return undefined;
    }
  }

  private async buildIndex(): Promise<NameIndex> {
    const index = new NameIndex();
    for (const root of this.given) await this.addTree(index, root, deepest);
    // The dataset's folder may contain anything. The search goes only one level deep in that folder and in
    // COCO's usual folders there.
    await this.addTree(index, this.own, 1);
    for (const folder of usualFolders) await this.addTree(index, join(this.own, folder), 1);
    return index;
  }

  private async addTree(index: NameIndex, folder: string, depth: number): Promise<void> {
    if (index.folders.has(folder) || index.size > mostFiles) return;
    const found = await this.listFolder(folder);
    if (found === undefined) return;
    index.folders.add(folder);
    for (const file of found.files)
      if (isImage(file.path)) index.add(file);
      else if (isArchive(file.path)) await this.addTree(index, file.path, deepest);
    if (depth === 0) return;
    for (const inner of found.folders) await this.addTree(index, inner, depth - 1);
  }
}

function byName(files: readonly IndexedFile[]): Map<string, IndexedFile[]> {
  const map = new Map<string, IndexedFile[]>();
  for (const file of files) {
    const key = nameKey(basename(file.path));
    addTo(map, key, file);
  }
  return map;
}

interface Found {
  files: IndexedFile[];
  folders: string[];
}

async function listFolder(folder: string): Promise<Found | undefined> {
  let entries: Dirent[];
  try {
    entries = await readdir(folder, { withFileTypes: true });
  } catch {
    // Callers skip a missing or unreadable folder.
    return undefined;
  }
  const files: IndexedFile[] = [];
  const folders: string[] = [];
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isFile()) files.push({ path, link: false });
    else if (entry.isSymbolicLink()) files.push({ path, link: true });
    else if (entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules')
      folders.push(path);
  }
  return { files, folders };
}

async function realpathOf(path: string): Promise<string | undefined> {
  try {
    return await realpath(path);
  } catch {
    return undefined;
  }
}
