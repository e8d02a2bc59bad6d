/* Pairs the images of a folder with the texts of the same name. */
import { basename, dirname, join } from 'node:path';
import { inputError } from '../../base/errors';
import { say } from '../../base/say';
import type { Problem } from '../dataset';
import type { Place } from '../example';
import { naturalKey } from './naturalOrder';
import { relativeTo, type Walk } from './walk';
import { addTo } from '../../base/lists';

/** A caption is short, so a longer file is none. */
export const mostTextBytes = 1 << 20;

/** An image and its text, or one without the other. Names are relative to the dataset's folder. */
export interface Pair {
  image?: string;
  text?: string;
}

/**
 * The images and texts of the folders that were searched, in natural order. Undefined if no text has the name of an
 * image. Throws if there are also dataset files, because both cannot be one dataset.
 */
export async function pairsOf(
  walk: Walk,
  folder: string,
  path: string,
): Promise<readonly Pair[] | undefined> {
  const texts = [...walk.namedTexts, ...walk.texts];
  if (texts.length === 0) return undefined;
  const byFolder = new Map<string, string[]>();
  for (const text of texts) {
    addTo(byFolder, dirname(text), basename(text));
  }
  const pairs: Pair[] = [];
  const paired = new Set<string>();
  const used = new Set<string>();
  for (const [inner, names] of byFolder) {
    const images = new Map((await walk.imagesIn(inner)).map((name) => [stemOf(name), name]));
    const below = (name: string): string => relativeTo(folder, join(inner, name));
    for (const name of names) {
      const image = images.get(stemOf(name));
      pairs.push({ text: below(name), ...(image === undefined ? {} : { image: below(image) }) });
      if (image === undefined) continue;
      used.add(below(image));
      paired.add(stemOf(below(image)));
    }
  }
  if (paired.size === 0) return undefined;
  for (const image of walk.allImages(folder)) if (!used.has(image)) pairs.push({ image });
  // Some tools write a file of settings next to each image.
  const other = [...walk.files]
    .map((file) => relativeTo(folder, file))
    .find((name) => !paired.has(stemOf(name)));
  if (other !== undefined)
    throw inputError(
      say('dataset.filesAndTexts', other, pairs.find(isWhole)?.text ?? ''),
      say('dataset.nameFilesOrTexts'),
      path,
    );
  return inOrder(pairs);
}

function isWhole({ image, text }: Pair): boolean {
  return image !== undefined && text !== undefined;
}

function inOrder(pairs: readonly Pair[]): readonly Pair[] {
  const keyed = pairs.map((pair) => ({ pair, key: naturalKey(pair.image ?? pair.text ?? '') }));
  keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return keyed.map(({ pair }) => pair);
}

/** A name without its ending. */
export function stemOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot > name.lastIndexOf('/') + 1 ? name.slice(0, dot) : name;
}

export function imageAlone(image: string): Problem {
  return {
    code: 'missing-text',
    severity: 'error',
    message: say('dataset.imageWithoutText', image),
    place: startOf(image),
  };
}

/** The place that names a whole file. */
export function startOf(part: string): Place {
  return { line: 1, column: 1, offset: 0, length: 0, part };
}
