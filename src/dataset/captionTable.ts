import { basename, extname } from 'node:path';
import { CaptiousError, inputError, throwIfCancelled } from '../base/errors';
import { parseJson } from '../base/files/readJson';
import { readBounded } from '../base/files/readFile';
import { say } from '../base/say';
import { cocoNumber } from './images/cocoNames';
import { openDataset } from './open';

export interface CaptionedImage {
  image: string;
  captions: string[];
  /** Another image of this file name, in another folder. */
  other?: string;
  /** The image's id in COCO's annotations. */
  id?: string;
}

/** The most bytes of a JSON file, because Captious reads it into memory. Other files are read as streams. */
const mostJson = 512 << 20;

/**
 * Reads the captions of each image from COCO results (`{image_id, caption}`), from an object whose keys are
 * images, or from a dataset file.
 */
export async function readCaptions(path: string, signal?: AbortSignal): Promise<Map<string, CaptionedImage>> {
  const table = new Map<string, CaptionedImage>();
  const listed = /\.json$/i.test(path) ? await listedIn(path) : undefined;
  if (listed !== undefined) for (const [image, captions] of listed) add(table, image, captions);
  else {
    const dataset = await openDataset(path, { signal });
    for await (const { id, images, captions } of dataset.read({ signal })) {
      throwIfCancelled(signal);
      for (const { text, role, image } of captions)
        if (role === 'caption' && images[image] !== undefined)
          add(table, images[image].name, [text], dataset.format === 'coco' ? id : undefined);
    }
  }
  const ambiguous = [...table.values()].find(({ other }) => other !== undefined);
  if (ambiguous !== undefined)
    throw inputError(
      say('dataset.sameFileName', ambiguous.image, ambiguous.other ?? ''),
      say('dataset.renameImages'),
      path,
    );
  if (table.size === 0)
    throw inputError(say('dataset.noCaptionsWithImage'), say('dataset.useCaptionFormat'), path);
  return table;
}

/** Returns one key for all names of an image, such as 397133, 000000397133.jpg and coco/397133. */
export function imageKey(name: string): string {
  const file = basename(name.replaceAll('\\', '/'));
  const number = cocoNumber(file);
  if (number !== undefined) return String(number);
  return /^\.(jpe?g|png|webp|gif|bmp|tiff?)$/i.test(extname(file))
    ? file.slice(0, -extname(file).length)
    : file;
}

/** Replaces each image id in COCO results by the image's name in COCO's annotations. */
export function byIdsOf(
  annotations: ReadonlyMap<string, CaptionedImage>,
  table: ReadonlyMap<string, CaptionedImage>,
): ReadonlyMap<string, CaptionedImage> {
  const keys = new Map([...annotations].flatMap(([key, { id }]) => (id === undefined ? [] : [[id, key]])));
  if (keys.size === 0) return table;
  return new Map(
    [...table].map(([key, entry]) => {
      if (!/^\d+$/.test(entry.image)) return [key, entry];
      const found = keys.get(entry.image.replace(/^0+(?=\d)/, ''));
      // An id that is not in the annotations must not match a number in a file name.
      return found === undefined
        ? [`id ${key}`, { ...entry, image: `id ${entry.image}` }]
        : [found, { ...entry, image: annotations.get(found)!.image }];
    }),
  );
}

function add(
  table: Map<string, CaptionedImage>,
  image: string,
  captions: readonly string[],
  id?: string,
): void {
  const key = imageKey(image);
  const entry = table.get(key);
  if (entry === undefined)
    table.set(key, { image, captions: [...captions], ...(id === undefined ? {} : { id }) });
  else {
    if (entry.image !== image) entry.other ??= image;
    for (const caption of captions) entry.captions.push(caption);
  }
}

/** The captions of each image in a JSON file. Undefined if the file has another form, such as COCO's annotations. */
async function listedIn(path: string): Promise<[string, string[]][] | undefined> {
  let value: unknown;
  try {
    value = parseJson(await readBounded(path, mostJson), { bytes: mostJson, parts: 1 << 26 });
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
  if (Array.isArray(value)) return resultsIn(value);
  if (value === null || typeof value !== 'object') return undefined;
  const entries = Object.entries(value as Record<string, unknown>);
  const found = entries.map(([image, of]) => [image, captionsOf(of)] as const);
  if (found.length === 0 || found.some(([, captions]) => captions === undefined)) return undefined;
  return found.map(([image, captions = []]) => [image, captions]);
}

function resultsIn(list: readonly unknown[]): [string, string[]][] | undefined {
  const found: [string, string[]][] = [];
  for (const entry of list) {
    if (entry === null || typeof entry !== 'object') return undefined;
    const { image_id: image, caption } = entry as Record<string, unknown>;
    if ((typeof image !== 'number' && typeof image !== 'string') || typeof caption !== 'string')
      return undefined;
    if (typeof image === 'number' && Math.abs(image) > Number.MAX_SAFE_INTEGER)
      throw new CaptiousError('input', say('dataset.numberTooLarge', 'image_id'));
    found.push([String(image), [caption]]);
  }
  return found.length === 0 ? undefined : found;
}

/** Reads a caption, a list of captions, or a list of objects with the key `caption`. Undefined for other values. */
function captionsOf(value: unknown): string[] | undefined {
  if (typeof value === 'string') return [value];
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const captions = value.map((one: unknown) =>
    one !== null && typeof one === 'object' && 'caption' in one ? one.caption : one,
  );
  return captions.every((caption): caption is string => typeof caption === 'string') ? captions : undefined;
}
