import { relative, sep } from 'node:path';
import { shownPath } from '../figures';

/** A path for tools that open files. A file outside the current folder gets only its name. */
export function relativePath(path: string, from = process.cwd()): string {
  const below = relative(from, path);
  const isInside = below !== '' && !below.startsWith('..') && shownPath(below) === below;
  return isInside ? below.split(sep).join('/') : shownPath(path);
}
