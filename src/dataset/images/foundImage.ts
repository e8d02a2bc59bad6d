import type { Words } from '../../base/say';

export interface ImageFile {
  ok: true;
  path: string;
  /** Whether less than the whole path of the name led to the file, such as its file name alone. */
  partly?: boolean;
}

export type FoundImage = ImageFile | NoImage;

export interface NoImage {
  ok: false;
  /** `refused`: not found, and the name is a web address, leads outside the folders or has a NUL. */
  reason: 'missing' | 'ambiguous' | 'refused';
  message: Words;
  /** The folders that Captious searched. For an ambiguous name, the possible images. */
  places: readonly string[];
  /** The image folder that would lead to a file of this name: `FROM=DIR`. */
  instead?: string;
  /** Whether image folders that the user named have different files for the name. */
  isConflict?: true;
}
