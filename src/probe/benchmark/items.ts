import type { Box, Example, ImageRef, Place } from '../../dataset/example';
import { imageKey } from '../../dataset/images/imageKey';
import { clusterOfExample, ownCluster, type Row } from '../metric';
import type { Tags } from '../choice/slices';

/** A choice between captions of an image, of which one is right. */
export interface Item extends Row {
  /** In the order of the file. */
  captions: readonly string[];
  /** The index of the right caption. */
  right: number;
  /** Whether the captions are a list, so that the place of the right one is part of the question. */
  isList: boolean;
  tags: Tags;
  /** What counts as one observation. */
  observation: string;
  place?: Place;
  /** The image and the part of it that the item is about. */
  seen?: string;
  /** The image, as `keyOfImage` has it. */
  imageKey?: string;
  crop?: Box;
}

/** An image and the part of it that an item is about. */
export function seenOf(key: string, crop?: Box): string {
  return JSON.stringify([key, crop]);
}

/** What the items of one image have in common: its name or, because embedded images may share one, also its bytes. */
export function keyOfImage({ name, bytes }: ImageRef): string {
  return bytes === undefined ? name : imageKey({ name, bytes });
}

/**
 * The choices of an example: each right caption of an image with all captions that are wrong about this image. An
 * example with two images, as in Winoground, has one for each image. Choices between images are not covered.
 */
export function itemsOf(example: Example): Item[] {
  const { images, captions, attributes } = example;
  const keys = images.map(keyOfImage);
  const isList = new Set(captions.map(({ field }) => field.replace(/[\d[\]._-]+/g, ''))).size === 1;
  return Array.from({ length: Math.max(1, images.length) }, (_, i) => i).flatMap((i) => {
    const isRight = captions.map(({ role, image }) => role === 'caption' && image === i);
    if (isRight.every((right) => right)) return [];
    return captions.flatMap((_, own): Item[] => {
      if (!isRight[own]) return [];
      const shown = captions.map((__, c) => c).filter((c) => c === own || !isRight[c]);
      return [
        {
          ...{ example: example.id, row: example.row, place: example.place, image: images.at(i)?.name },
          ...ownCluster(example),
          captions: shown.map((c) => captions[c].text.trim()),
          ...{ right: shown.indexOf(own), isList, tags: attributes, observation: clusterOfExample(example) },
          ...(images.length === 0
            ? {}
            : { imageKey: keys[i], crop: images[i].crop, seen: seenOf(keys[i], images[i].crop) }),
        },
      ];
    });
  });
}

const word = /[\p{L}\p{M}\p{N}']+/gu;

/** The words of a caption in lower case. In English, they are `[a-z0-9']+`. */
export function wordsOf(caption: string): string[] {
  return caption.toLowerCase().match(word) ?? [];
}

/** The credit for the highest score: 1 if only the right caption has it, a part if others do too, else 0. */
export function creditOf(scores: readonly number[], right: number): number {
  let same = 0;
  for (const score of scores) {
    if (score > scores[right]) return 0;
    if (score === scores[right]) same++;
  }
  return 1 / same;
}
