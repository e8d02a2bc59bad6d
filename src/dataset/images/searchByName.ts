import { say } from '../../base/say';
import { basename } from 'node:path';
import { largest } from '../../base/extent';
import { areOneCocoImage, cocoNumber, cocoSplit, hasCocoForm } from './cocoNames';
import { extensionsToTry, type Folders, isImage, usualFolders } from './folders';
import type { IndexedFile, NameIndex } from './nameIndex';
import { commonFolders, foldersOfFile, type NameFolders, type NamePath } from './nameFolders';
import { onlyImage } from './sameImage';
import type { FoundImage } from './foundImage';

interface Candidate {
  path: string;
  /** How many folders it shares with the name. */
  common: number;
}

/**
 * The image with this file name, or else the one with the same COCO number. If there are only files whose folders
 * disagree with the name, returns that the image is missing, with these files as `places`.
 */
export async function searchByName(
  space: Folders,
  own: NamePath,
  namesOf: () => Promise<NameFolders | undefined>,
): Promise<FoundImage | undefined> {
  const index = await space.names();
  const files: string[] = [];
  for (const file of candidatesOf(index, own)) if (await space.lawful(file)) files.push(file.path);
  if (files.length === 0) return undefined;
  const names = await namesOf();
  const agreeing = files
    .map((path) => ({ path, common: commonFolders(own.folders, foldersOfFile(path)) }))
    .filter((candidate) => isCoco(space, own, candidate, names) || agrees(space, own, candidate, names));
  if (agreeing.length === 0)
    return {
      ok: false,
      reason: 'missing',
      message: say('dataset.severalFilesOfName', files.length),
      places: files,
    };
  const most = largest(agreeing.map(({ common }) => common));
  const closest = agreeing.filter(({ common }) => common === most).map(({ path }) => path);
  const exact = closest.filter((path) => basename(path).normalize('NFC') === own.file);
  const only = await onlyImage(exact.length > 0 ? exact : closest);
  if (typeof only !== 'string') return only;
  const isWhole = exact.length > 0 && own.folders.length > 0 && most === own.folders.length;
  return isWhole ? { ok: true, path: only } : { ok: true, path: only, partly: true };
}

function candidatesOf(index: NameIndex, { file }: NamePath): readonly IndexedFile[] {
  const wanted = isImage(file) ? [file] : [file, ...extensionsToTry.map((extension) => file + extension)];
  const named = wanted.flatMap((candidate) => index.named(candidate));
  if (named.length > 0) return named;
  const number = cocoNumber(file);
  if (number === undefined) return [];
  const numbered = index.numbered(number);
  // A number identifies an image only in COCO, whose files have twelve digits.
  return numbered.filter(({ path }) => hasCocoForm(path));
}

/** Whether no folder of the file contradicts the name, and all folders in which the dataset's names differ match. */
function agrees(
  space: Folders,
  own: NamePath,
  { path, common }: Candidate,
  names: NameFolders | undefined,
): boolean {
  const below = space.belowRoot(path);
  if (common < own.folders.length && common < below.length) return false;
  const needed = names?.needed(own) ?? own.folders.length;
  if (common < needed) return false;
  if (names === undefined || names.isOne) return true;
  if (common === 0 && below.length > 0) return false;
  return !names.isOthers(foldersOfFile(path), needed);
}

/** Whether name and file are of one COCO image. COCO's numbers are unique, whatever the folder and the year. */
function isCoco(space: Folders, own: NamePath, { path }: Candidate, names: NameFolders | undefined): boolean {
  if (names?.areCoco !== true || !hasCocoForm(path)) return false;
  const folders = space.belowRoot(path);
  const folder = folders.at(-1);
  const isUsual =
    folder !== undefined && usualFolders.includes(folder) && cocoSplit(folder, '') === undefined;
  return areOneCocoImage(own, { folders: isUsual ? [] : folders.slice(-1), file: basename(path) });
}
