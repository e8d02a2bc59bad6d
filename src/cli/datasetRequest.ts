import { usageError } from '../base/errors';
import { archived } from '../base/files/archived';
import { isFolder } from '../base/files/isFile';
import { type FieldMap, parseFieldMap } from '../dataset/fields/fields';
import { imagePlace } from '../dataset/images/imagePlaces';
import { parseSettings, repeated, text, type Values, wholeNumber } from './arguments';
import { images, limit, map, seed, set } from './options';

/** The options that `datasetRequest` reads, with `seeds` for commands that make the variants of an audit. */
export const datasetRequestOptions = { images, limit, seed, set, map };

/** How a command reads a dataset and makes variants of its examples. */
export function datasetRequest(values: Values): {
  images: string[];
  limit: number | undefined;
  seed: number | undefined;
  draws: number | undefined;
  options: Record<string, Record<string, string>>;
  map: FieldMap | undefined;
} {
  return {
    images: imageFolders(values),
    limit: wholeNumber(values, 'limit', 1),
    seed: wholeNumber(values, 'seed'),
    draws: wholeNumber(values, 'seeds', 1),
    options: parseSettings(repeated(values, 'set')),
    map: fieldsOf(values),
  };
}

/** The folders that --images names, each of which exists. */
export function imageFolders(values: Values): string[] {
  const given = repeated(values, 'images');
  for (const one of given) {
    const { folder } = imagePlace(one);
    if (!isFolder(folder) && archived(folder) === undefined)
      throw usageError(
        `--images ${one}: there is no folder or .zip archive at this path.`,
        'Correct the path, or omit --images if the images are next to the dataset.',
      );
  }
  return given;
}

/** The columns that --map names. */
export function fieldsOf(values: Values): FieldMap | undefined {
  const given = text(values, 'map');
  return given === undefined ? undefined : parseFieldMap(given);
}
