import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { withoutEnd } from '../../base/text/ends';

/** A folder with images. With `from`, it has the images whose names begin with this folder or web address. */
export interface ImagePlace {
  from?: string;
  folder: string;
}

/** Reads `DIR` or `FROM=DIR`. A folder whose own name has the sign "=" is `DIR`. */
export function imagePlace(given: string): ImagePlace {
  const at = given.lastIndexOf('=');
  if (at <= 0 || existsSync(given)) return { folder: given };
  return { from: withoutEnd(given.slice(0, at), /[\\/]/), folder: given.slice(at + 1) };
}

/** The place with its folder changed, by default to an absolute path. */
export function placed(
  given: string,
  change: (folder: string) => string = (folder) => resolve(folder),
): string {
  const { from, folder } = imagePlace(given);
  return from === undefined ? change(folder) : `${from}=${change(folder)}`;
}
