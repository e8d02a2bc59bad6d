import { largest } from '../../base/extent';
import { say, type Words } from '../../base/say';
import { basename, dirname, isAbsolute, posix, resolve, win32 } from 'node:path';
import {
  Folders,
  type IndexedFile,
  cocoNumber,
  extensionsToTry,
  fileIn,
  hasCocoForm,
  isPicture,
} from './folders';

export type FoundImage = { ok: true; path: string } | NoImage;

export interface NoImage {
  ok: false;
  /**
   * `refused`: no file was found, and the name is a web address, leads outside the folders, or has a NUL character.
   */
  reason: 'missing' | 'ambiguous' | 'refused';
  message: Words;
  /** The folders that Captious searched. For an ambiguous name, the possible images. */
  places: readonly string[];
}

export interface ImageFinder {
  /** Finds an image's file by the image's name in the dataset. Nothing is downloaded. */
  find(name: string): Promise<FoundImage>;
}

export interface ImageFinderOptions {
  datasetPath: string;
  /** The folders that the user named. Captious searches them first. */
  folders: readonly string[];
}

/**
 * Searches the user's folders, then the dataset's folder, by path, file name and COCO number. Images outside
 * these folders are rejected.
 */
export function createImageFinder({ datasetPath, folders }: ImageFinderOptions): ImageFinder {
  const space = new Folders(
    dirname(resolve(datasetPath)),
    folders.map((folder) => resolve(folder)),
  );
  // Cached, because captions of one image are usually adjacent.
  let last: { name: string; found: Promise<FoundImage> } | undefined;
  return {
    find: (name) => {
      if (last?.name !== name) last = { name, found: find(space, name) };
      return last.found;
    },
  };
}

async function find(space: Folders, name: string): Promise<FoundImage> {
  if (name.includes('\0')) return refused(say`The name has a NUL character.`);
  const isInline = /^data:/i.test(name);
  const web = isInline || /^[a-z][a-z0-9+.-]+:\/\//i.test(name);
  const paths = web ? webPaths(name) : spellings(name);
  let escapes = false;
  if (!web) {
    for (const path of paths) {
      const found = await asPath(space, path);
      if (typeof found === 'string') return { ok: true, path: found };
      if (found) escapes = true;
    }
  }
  for (const path of paths) {
    const found = await byName(space, path);
    if (found !== undefined) return found;
  }
  if (isInline)
    return refused(
      say`The image is embedded as a data: URL, which Captious does not read. Save the image to a file, and use the name of that file.`,
    );
  if (web) return refused(say`This is a web address, and Captious does not download images.`);
  if (escapes) return refused(say`The path is outside the image folders.`);
  return {
    ok: false,
    reason: 'missing',
    message: say`No file named ${name} was found.`,
    places: [...(await space.names()).folders],
  };

  function refused(message: Words): NoImage {
    return { ok: false, reason: 'refused', message, places: space.roots };
  }
}

/** The possible readings of a name: as written, with slashes for backslashes, and percent-decoded. */
function spellings(name: string): string[] {
  const out = [name];
  if (name.includes('\\')) out.push(name.replaceAll('\\', '/'));
  if (name.includes('%')) {
    const decoded = percentDecoded(name);
    if (decoded !== undefined) out.push(decoded);
  }
  return out;
}

function percentDecoded(name: string): string | undefined {
  try {
    const text = decodeURIComponent(name);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

/** The file name in a web address. Captious searches only for this name. */
function webPaths(address: string): string[] {
  if (!URL.canParse(address)) return [];
  const name = posix.basename(new URL(address).pathname);
  const decoded = percentDecoded(name);
  return decoded === undefined ? [name] : [decoded];
}

/** Returns the path of the file. If there is no such file, returns whether the path leads outside the roots. */
async function asPath(space: Folders, path: string): Promise<string | boolean> {
  const absolute = posix.isAbsolute(path) || win32.isAbsolute(path) || /^[a-z]:/i.test(path);
  if (absolute && !isAbsolute(path)) return true;
  const { listings, escapes } = await space.below(dirname(path), absolute);
  const name = basename(path);
  let leadsOut = escapes;
  for (const listing of listings) {
    const file = fileIn(listing, name);
    if (file === undefined) continue;
    if (await space.lawful(file)) return file.path;
    leadsOut = true;
  }
  return leadsOut;
}

/** The image with this file name. If it does not exist, the image with the same COCO number. */
async function byName(space: Folders, path: string): Promise<FoundImage | undefined> {
  const index = await space.names();
  const name = posix.basename(path);
  const wanted = isPicture(name) ? [name] : [name, ...extensionsToTry.map((extension) => name + extension)];
  const named = wanted.flatMap((candidate) => index.named(candidate));
  const found = await choose(space, named, path);
  if (found !== undefined) return found;
  const number = cocoNumber(name);
  if (number === undefined) return undefined;
  const numbered = index.numbered(number);
  // COCO files with the same twelve digits are copies of one image, whatever their folder or year, so one is enough.
  const own = numbered.filter(({ path: file }) => hasCocoForm(file));
  return (await choose(space, own.slice(0, 1), path)) ?? (await choose(space, numbered, path));
}

async function choose(
  space: Folders,
  files: readonly IndexedFile[],
  path: string,
): Promise<FoundImage | undefined> {
  const lawful: string[] = [];
  for (const file of files) if (await space.lawful(file)) lawful.push(file.path);
  if (lawful.length === 0) return undefined;
  if (lawful.length === 1) return { ok: true, path: lawful[0] };
  const closest = sharingMost(lawful, path);
  if (closest.length === 1) return { ok: true, path: closest[0] };
  if (closest.every(hasCocoForm)) return { ok: true, path: closest[0] };
  return {
    ok: false,
    reason: 'ambiguous',
    message: say`${closest.length} files have this name.`,
    places: closest,
  };
}

/** The files whose paths share the most trailing folders with the wanted path. */
function sharingMost(files: readonly string[], path: string): string[] {
  const wanted = path.split('/').reverse();
  const shared = files.map((file) => {
    const parts = file.split(/[\\/]/).reverse();
    let count = 1;
    while (count < wanted.length && parts[count] === wanted[count]) count++;
    return count;
  });
  const most = largest(shared);
  return files.filter((_, i) => shared[i] === most);
}
