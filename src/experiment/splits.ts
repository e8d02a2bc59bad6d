/* The split and the configuration of a dataset in an experiment file. */
import { basename } from 'node:path';
import { CaptiousError } from '../base/errors';
import { isSaid, type Words } from '../base/say';
import { splitPath } from '../dataset/parts/splits';
import type { DatasetEntry } from './shape';

type Named = Pick<DatasetEntry, 'path' | 'split' | 'config'>;

/** The path of the files of the split, or the path itself without a split. `wrong` makes the error at a key. */
export async function pathOfSplit(
  path: string,
  { split, config }: Named,
  wrong: (key: 'split' | 'config', what: Words, remedy?: Words) => CaptiousError,
): Promise<string> {
  if (split === undefined && config === undefined) return path;
  const wanted = { ...(split === undefined ? {} : { split }), ...(config === undefined ? {} : { config }) };
  try {
    return await splitPath(path, wanted);
  } catch (error) {
    if (!(error instanceof CaptiousError)) throw error;
    const isOfConfig = isSaid(error.what) && /Configs?$/.test(error.what.code);
    throw wrong(
      split === undefined || (isOfConfig && config !== undefined) ? 'config' : 'split',
      error.what,
      error.details.remedy,
    );
  }
}

/** The name of a folder with its configuration and split. Undefined if the entry has neither. */
export function nameOfSplit({ path, config, split }: Named): string | undefined {
  if (config === undefined && split === undefined) return undefined;
  return [basename(path), config, split].filter((part) => part !== undefined).join('-');
}
