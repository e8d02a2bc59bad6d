import { type Dirent, readdirSync, type Stats, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { isAbsolute, relative, sep } from 'node:path';

export function isFolder(path: string): boolean {
  return statOf(path)?.isDirectory() ?? false;
}

export function isFile(path: string): boolean {
  return statOf(path)?.isFile() ?? false;
}

/** The size of a file; 0 if it is missing. */
export function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}

/** The entries of a folder; empty if it is missing or unreadable. */
export function entriesOf(path: string): Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** Whether `path` is the folder or in it, by names alone. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

/** Undefined for what does not exist or cannot be read. */
function statOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}
