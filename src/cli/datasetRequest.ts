import { type FieldMap, parseFieldMap } from '../dataset/fields/fields';
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
    images: repeated(values, 'images'),
    limit: wholeNumber(values, 'limit', 1),
    seed: wholeNumber(values, 'seed'),
    draws: wholeNumber(values, 'seeds', 1),
    options: parseSettings(repeated(values, 'set')),
    map: fieldsOf(values),
  };
}

/** The columns that --map names. */
export function fieldsOf(values: Values): FieldMap | undefined {
  const given = text(values, 'map');
  return given === undefined ? undefined : parseFieldMap(given);
}
