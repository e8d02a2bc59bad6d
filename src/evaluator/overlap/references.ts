import { createHash } from 'node:crypto';
import { sha256Of } from '../../base/files/sha256';
import { inputError, throwIfCancelled } from '../../base/errors';
import { say } from '../../base/say';
import { readCaptions } from '../../dataset/captionTable';
import type { FieldMap } from '../../dataset/fields/fields';
import type { NameFolders } from '../../dataset/images/nameFolders';
import type { PartlyFound } from '../../dataset/images/partlyFound';
import { openDataset } from '../../dataset/open';
import type { ImageItem, TextItem, Want } from '../../protocol/item';
import { ImageNames } from '../embeddings/imageNames';

/** Reference captions by image. */
export interface References {
  path: string;
  /** A hash of all references by image, because the mapping of fields also decides what they are. */
  sha256: string;
  of(image: string): readonly string[];
  /** Each image's references, for document frequencies. */
  all: readonly (readonly string[])[];
  /** The images whose references were found by less than the whole path of their names. */
  partly?: PartlyFound;
}

/**
 * Returns the pair's own references if there are any. Otherwise returns the image's references without the
 * pair's caption and without the caption that it was made from.
 */
export function referencesOf({ left, right, references }: Want, table: References): readonly string[] {
  if (references !== undefined) return references;
  const { text, origin } = right as TextItem;
  const own = new Set([text, origin ?? text].map((one) => one.trim()));
  return table.of((left as ImageItem).source.name).filter((one) => !own.has(one.trim()));
}

export const noReferences = say('overlap.imageWithoutReferences');

/**
 * Reads references from a caption file. `readCaptions` says which forms it may have. `folders`: the folders in the
 * image names of the dataset, which decide how much of a name must match.
 */
export async function readReferences(
  path: string,
  signal?: AbortSignal,
  folders?: NameFolders,
): Promise<References> {
  const table = await readCaptions(path, signal);
  const captions = new Map([...table.values()].map(({ image, captions: own }) => [image, new Set(own)]));
  const names = new ImageNames(folders, () => false);
  const images = [...captions.keys()];
  for (const [row, image] of images.entries()) names.add(image, row);
  const keyOf = (image: string): string | undefined => {
    const row = captions.has(image) ? undefined : names.find(image);
    return row === undefined ? image : images.at(typeof row === 'number' ? row : images.length);
  };
  return { ...tableOf(path, captions, keyOf), partly: names.partly };
}

/** Reads a dataset's references. If no entry names references, the captions of each image are its references. */
export async function ownReferences(path: string, map?: FieldMap, signal?: AbortSignal): Promise<References> {
  const named = new Map<string, Set<string>>();
  const captioned = new Map<string, Set<string>>();
  const dataset = await openDataset(path, { map, signal });
  for await (const { images, captions, references = [] } of dataset.read({ signal })) {
    throwIfCancelled(signal);
    if (images.length > 0) add(named, images[0].name, references);
    for (const { text, role, image } of captions)
      if (role === 'caption' && images.length > image) add(captioned, images[image].name, [text]);
  }
  if (named.size === 0 && captioned.size === 0)
    throw inputError(say('overlap.noReferences'), say('overlap.provideReferences'), path);
  // The names come from the dataset itself, so images of equal file names in different folders stay apart.
  return tableOf(path, named.size > 0 ? named : captioned, (image) => image);
}

function add(table: Map<string, Set<string>>, image: string, texts: readonly string[]): void {
  if (texts.length === 0) return;
  const own = table.get(image) ?? new Set();
  for (const text of texts) own.add(text);
  table.set(image, own);
}

function tableOf(
  path: string,
  table: ReadonlyMap<string, ReadonlySet<string>>,
  keyOf: (image: string) => string | undefined,
): References {
  const lists = new Map([...table].map(([key, texts]) => [key, [...texts]]));
  const hash = createHash('sha256');
  for (const list of lists) hash.update(`${JSON.stringify(list)}\n`);
  return {
    path,
    sha256: hash.digest('hex'),
    of: (image) => lists.get(keyOf(image) ?? '') ?? [],
    all: [...lists.values()],
  };
}

/** Makes an evaluator's hash from `parts` and the references. */
export function hashWith(references: References, ...parts: readonly string[]): string {
  return sha256Of([...parts, references.sha256]);
}
