/* Reads Open Images' own files of boxes: one CSV of boxes, and one CSV of class names next to it. */
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { inputError } from '../../base/errors';
import { archived } from '../../base/files/archived';
import { readBoundedSync } from '../../base/files/readFile';
import { say } from '../../base/say';
import { type Instance, type Instances, type Outlined, outlinesOf, readInstances } from '../instances';
import type { ImageSource } from '../../protocol/item';
import { jpegSize } from './jpegSize';

const needed = ['ImageID', 'LabelName', 'XMin', 'XMax', 'YMin', 'YMax'] as const;

/** The largest accepted file. The training set's boxes are larger: keep the lines of the images that you audit. */
const mostBytes = 500 << 20;

/** The class names' file, such as `class-descriptions-boxable.csv` or `oidv7-class-descriptions-boxable.csv`. */
const descriptionsFile = /class-descriptions.*\.csv$/i;

/** Reads a file of objects: Open Images' CSV of boxes, or outlined objects in COCO's form. */
export function readObjects(path: string): Instances {
  if (!/\.csv$/i.test(path)) return readInstances(path);
  const content = readBoundedSync(path, mostBytes);
  const sha256 = createHash('sha256').update(content).digest('hex');
  return { path, sha256, images: imagesOf(path, content) };
}

/**
 * The boxes by image file name. Boxes are shares of the width and of the height, because the files do not have the size
 * of the images. Groups and depictions (drawings, statues) are no single objects.
 */
function imagesOf(path: string, content: Buffer): Map<string, Outlined> {
  const [head = '', ...lines] = linesOf(content);
  const missing = needed.filter((column) => !head.split(',').includes(column));
  if (missing.length > 0)
    throw inputError(
      say('dataset.notOpenImagesBoxes', missing.join(', ')),
      say('dataset.setInstancesOption'),
      path,
    );
  const labels = readDescriptions(path);
  const at = new Map(head.split(',').map((column, i) => [column, i]));
  const images = new Map<string, Outlined & { instances: Instance[] }>();
  for (const [i, line] of lines.entries()) {
    const cells = line.split(',');
    const cell = (column: string): string => cells[at.get(column) ?? -1] ?? '';
    const label = labels.get(cell('LabelName'));
    const [left, right, top, bottom] = ['XMin', 'XMax', 'YMin', 'YMax'].map((column) =>
      shareOf(cell(column)),
    );
    if (label === undefined || !(left <= right && top <= bottom))
      throw inputError(say('dataset.boxOfUnknownClass', i + 2), say('dataset.useMatchingOpenImages'), path);
    const name = `${cell('ImageID')}.jpg`;
    let image = images.get(name);
    if (image === undefined)
      images.set(name, (image = { width: 1, height: 1, isInShares: true, instances: [] }));
    const box = [left, top, right - left, bottom - top] as const;
    image.instances.push({
      ...{ label, box, area: box[2] * box[3] },
      crowd: cell('IsGroupOf') === '1' || cell('IsDepiction') === '1',
    });
  }
  return images;
}

/** The boxes of an image in pixels. */
function inPixels({ instances }: Outlined, width: number, height: number): Outlined {
  return {
    ...{ width, height },
    instances: instances.map(({ box: [left, top, wide, high], ...instance }) => ({
      ...instance,
      box: [left * width, top * height, wide * width, high * height] as const,
      area: instance.area * width * height,
    })),
  };
}

/** The known objects of an image in pixels. Boxes in shares need the size of the image, so its file is read. */
export function outlinesIn(
  known: Instances,
  name: string,
  source: () => ImageSource | undefined,
): Outlined | undefined {
  const found = outlinesOf(known, name);
  if (found?.isInShares !== true) return found;
  const file = source();
  if (file === undefined) return undefined;
  const size = jpegSize('bytes' in file ? file.bytes : bytesAt(file.path));
  return size && inPixels(found, size.width, size.height);
}

function bytesAt(path: string): Buffer {
  if (archived(path) === undefined) return readBoundedSync(path);
  throw inputError(say('dataset.boxesOfArchived'), say('dataset.unpackForBoxes'), path);
}

function readDescriptions(path: string): Map<string, string> {
  const folder = dirname(path);
  const name = readdirSync(folder)
    .sort()
    .find((file) => descriptionsFile.test(file));
  if (name === undefined)
    throw inputError(say('dataset.classNamesMissing'), say('dataset.addClassNames'), path);
  // A name may contain a comma, and then it is in quotes.
  return new Map(
    linesOf(readBoundedSync(join(folder, name))).map((line) => {
      const comma = line.indexOf(',');
      return [
        line.slice(0, comma),
        line
          .slice(comma + 1)
          .replace(/^"|"$/g, '')
          .toLowerCase(),
      ];
    }),
  );
}

function linesOf(content: Buffer): string[] {
  const text = content.toString('utf8').replace(/^\uFEFF/, '');
  return text.split(/\r?\n/).filter((line) => line !== '');
}

/** NaN for what is not a share, so that every comparison with it is false. */
function shareOf(text: string): number {
  const value = text.trim() === '' ? NaN : Number(text);
  return value >= 0 && value <= 1 ? value : NaN;
}
