import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type CaptiousError, inputError, wordsOf } from '../base/errors';
import { parseJson } from '../base/files/readJson';
import { readBoundedSync } from '../base/files/readFile';
import { say, type Words } from '../base/say';
import { pathOfName } from './images/nameFolders';
import { folderOf } from './parts/paths';
import { count, list, number, object, optional, type Shape, ShapeError, text } from '../base/shape';

/** An annotated object in an image. */
export interface Instance {
  label: string;
  /** x, y, width, height, in pixels from the top left corner. */
  box: readonly [number, number, number, number];
  /** In square pixels. */
  area: number;
  /** Whether one annotation covers several objects. */
  crowd: boolean;
  /** Absent if the file has only boxes, as in Objects365. */
  outline?: InstanceOutline;
}

/** Polygons (x, y, x, y, …) or a mask. A mask has COCO's run lengths, as numbers or as compressed text. */
export type InstanceOutline =
  | { polygons: readonly (readonly number[])[] }
  | { width: number; height: number; counts: readonly number[] | string };

export interface Outlined {
  width: number;
  height: number;
  /** Whether boxes are shares of the width and of the height, because the file does not have the image's size. */
  isInShares?: boolean;
  instances: readonly Instance[];
}

/** A file of annotated objects. */
export interface Instances {
  path: string;
  sha256: string;
  /** By the images' names. */
  images: ReadonlyMap<string, Outlined>;
  /** By the ends of names with folders; undefined for an end that two names share. */
  ends?: ReadonlyMap<string, Outlined | undefined>;
}

/** The objects of an image. If two names differ, one must be the end of the other: no folder may contradict. */
export function outlinesOf({ images, ends }: Instances, image: string): Outlined | undefined {
  const { folders, file } = pathOfName(image);
  const parts = [...folders, file];
  for (const from of parts.keys()) {
    const found = images.get(parts.slice(from).join('/'));
    if (found !== undefined) return found;
  }
  return ends?.get(parts.join('/'));
}

const outlineShape: Shape<InstanceOutline> = (value, at) => {
  if (Array.isArray(value)) return { polygons: list(list(number))(value, at) };
  const { size, counts } = object({ size: list(count), counts: runsShape })(value, at);
  if (size.length !== 2) throw new ShapeError(`${at}.size`, 'two numbers, height and width');
  return { height: size[0], width: size[1], counts };
};

const runsShape: Shape<readonly number[] | string> = (value, at) =>
  typeof value === 'string' ? value : list(count)(value, at);

const boxShape: Shape<[number, number, number, number]> = (value, at) => {
  const numbers = list(number)(value, at);
  if (numbers.length !== 4) throw new ShapeError(at, 'four numbers: x, y, width, height');
  return [numbers[0], numbers[1], numbers[2], numbers[3]];
};

const fileShape = object({
  images: list(object({ id: count, file_name: text, width: count, height: count })),
  annotations: list(
    object({
      image_id: count,
      category_id: count,
      bbox: boxShape,
      area: optional(number),
      iscrowd: optional(count),
      segmentation: optional(outlineShape),
    }),
  ),
  categories: list(object({ id: count, name: text })),
});

/** The largest accepted file. COCO's instances_train2017.json has 470 MB. */
const mostBytes = 500 << 20;

/** Reads object instances in COCO's form. Objects365 is also available in that form. */
export function readInstances(path: string): Instances {
  const wrong = (message: Words, cause: unknown): CaptiousError =>
    inputError(message, say('dataset.setCocoInstances'), path, cause);
  let content: Buffer;
  try {
    content = readBoundedSync(path, mostBytes);
  } catch (cause) {
    throw wrong(say('dataset.instancesUnreadable', wordsOf(cause)), cause);
  }
  let file: ReturnType<typeof fileShape>;
  try {
    file = fileShape(parseJson(content, { bytes: mostBytes, parts: 1 << 26 }), '');
  } catch (cause) {
    throw wrong(say('dataset.notInstancesFile', wordsOf(cause)), cause);
  }
  const labels = new Map(file.categories.map(({ id, name }) => [id, name]));
  const byId = new Map<number, Instance[]>();
  const images = new Map<string, Outlined>();
  const ends = new Map<string, Outlined | undefined>();
  for (const { id, file_name: name, width, height } of file.images) {
    const instances: Instance[] = [];
    byId.set(id, instances);
    const named = pathOfName(name);
    const parts = [...named.folders, named.file];
    images.set(parts.join('/'), { width, height, instances });
    for (const from of parts.keys()) {
      const end = parts.slice(from).join('/');
      ends.set(end, ends.has(end) ? undefined : { width, height, instances });
    }
  }
  for (const [at, annotation] of file.annotations.entries()) {
    const label = labels.get(annotation.category_id);
    const instances = byId.get(annotation.image_id);
    if (label === undefined || instances === undefined)
      throw wrong(say('dataset.annotationDangling', at), undefined);
    const { bbox, area, iscrowd, segmentation } = annotation;
    instances.push({
      label,
      box: bbox,
      area: area ?? bbox[2] * bbox[3],
      crowd: iscrowd === 1,
      ...(segmentation === undefined ? {} : { outline: segmentation }),
    });
  }
  return { path, sha256: createHash('sha256').update(content).digest('hex'), images, ends };
}

/** Finds a dataset's file of object instances: `instances.json`, or one named after its captions' file. */
export function findInstances(datasetPath: string): string | undefined {
  const folder = folderOf(datasetPath);
  const split = /^captions?([_-].*)?\.\w+$/i.exec(basename(datasetPath))?.[1] ?? '';
  const files = new Set(readdirSync(folder));
  const name = [`instances${split}.json`, 'instances.json'].find((candidate) => files.has(candidate));
  return name === undefined ? undefined : join(folder, name);
}
