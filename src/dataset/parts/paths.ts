/* What the path of a dataset names: a file, a folder, a glob or a brace pattern. */
import { dirname, join, relative, resolve, sep } from 'node:path';
import { usageError } from '../../base/errors';
import { isFile, isFolder } from '../../base/files/isFile';
import { say } from '../../base/say';
import { magic } from './walk';

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
    throw usageError(say('dataset.nameLikePattern'), say('dataset.nameFilesByGlob'), odd);
  return names.length === 1 ? full[0] : join(folder, `{${names.join(',')}}`);
}

/** Splits a pattern after its longest existing folder, whose name may contain any character. */
export function splitPattern(full: string): { folder: string; pattern: string } {
  let folder = dirname(full);
  while (!isFolder(folder) && dirname(folder) !== folder) folder = dirname(folder);
  return { folder, pattern: relative(folder, full) };
}
