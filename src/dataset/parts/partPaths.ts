/* Finds the files of a dataset that a folder, a glob or a brace pattern names. */
import { expand } from 'brace-expansion';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { inputError } from '../../base/errors';
import { isFolder } from '../../base/files/isFile';
import { say } from '../../base/say';
import { inNaturalOrder } from './naturalOrder';
import { type Pair, pairsOf } from './pairs';
import { namesParts, splitPattern } from './paths';
import { onlySplit } from './splits';
import { mostParts, relativeTo, tooMany, Walk } from './walk';

/** The files of a dataset, in natural order. */
export interface PartPaths {
  /** The folder of the parts: the given folder, or the folder in front of the first pattern. */
  folder: string;
  /** Paths relative to `folder`, with slashes. */
  names: readonly string[];
  /** Whether the user named the files one by one, so that a missing one is a fault. */
  missing: readonly string[];
  /** The images with their texts, if the dataset has no other files. */
  pairs?: readonly Pair[];
  /** All images in the folders, if a `metadata` file lists them. */
  images?: readonly string[];
}

/** The file in which ImageFolder lists the images of a folder, by paths that start at this folder. */
export function isMetadata(part: string): boolean {
  return /(?:^|\/)metadata\.(?:csv|jsonl|parquet)$/.test(part);
}

/** The files that a folder or a pattern names; undefined for the path of a file. */
export async function partPaths(path: string, signal?: AbortSignal): Promise<PartPaths | undefined> {
  const full = resolve(path);
  if (!namesParts(full)) return undefined;
  const walk = new Walk(path, signal);
  if (isFolder(full)) {
    const only = await onlySplit(full, walk);
    if (only === full) return partsOf(walk, full, path);
    const parts = await partPaths(only, signal);
    return below(full, parts ?? { folder: dirname(only), names: [basename(only)], missing: [] });
  }
  const { folder, pattern } = splitPattern(full);
  const spelled = expand(pattern.split(sep).join('/'), { max: mostParts + 1 });
  if (spelled.length > mostParts) throw tooMany(path);
  for (const name of spelled) await walk.pattern(folder, name.split('/'));
  return partsOf(walk, folder, path);
}

/** The same files, named from a folder around them. */
function below(folder: string, { folder: inner, names, missing, pairs, images }: PartPaths): PartPaths {
  const named = (name: string): string => relativeTo(folder, join(inner, name));
  return {
    folder,
    names: names.map(named),
    missing: missing.map(named),
    ...(pairs && {
      pairs: pairs.map(({ image, text }) => ({
        ...(image === undefined ? {} : { image: named(image) }),
        ...(text === undefined ? {} : { text: named(text) }),
      })),
    }),
    ...(images && { images: images.map(named) }),
  };
}

async function partsOf(walk: Walk, folder: string, path: string): Promise<PartPaths> {
  const pairs = await pairsOf(walk, folder, path);
  const named = (files: Iterable<string>): string[] =>
    [...files].map((file) => relativeTo(folder, file)).sort(inNaturalOrder);
  const names = pairs === undefined ? named([...walk.files, ...walk.namedTexts]) : [];
  if (pairs === undefined && names.length === 0)
    throw inputError(
      isFolder(path) ? say('dataset.folderWithoutDatasets') : say('dataset.globWithoutMatch'),
      isFolder(path) ? say('dataset.nameFilesByGlob') : say('dataset.checkGlob', folder),
      path,
    );
  return {
    folder,
    names,
    missing: named(walk.missing),
    ...(pairs === undefined ? {} : { pairs }),
    ...(names.some(isMetadata) ? { images: [...walk.allImages(folder)] } : {}),
  };
}
