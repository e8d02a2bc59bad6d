import { Random } from '../base/random';
import type { Dataset } from '../dataset/dataset';
import { fileOf, type ImageFinder } from '../dataset/images/images';
import type { Attribute } from '../dataset/example';
import type { ImageItem } from '../protocol/item';

/** An image with all its correct captions. */
export interface Image {
  name: string;
  path: string;
  item: ImageItem;
  captions: string[];
  attributes: Record<string, Attribute>;
}

export interface Gathered {
  images: Image[];
  /** How many entries or images were left out for each reason. */
  leftOut: Map<string, number>;
}

/** Lists each image file once, because it must not be in both the training and the held-out part. */
export async function gatherImages(
  dataset: Dataset,
  finder: ImageFinder,
  signal: AbortSignal,
): Promise<Gathered> {
  const byPath = new Map<string, Image>();
  const leftOut = new Map<string, number>();
  const leave = (reason: string): void => void leftOut.set(reason, (leftOut.get(reason) ?? 0) + 1);
  for await (const { images, captions, attributes } of dataset.read({
    signal,
    onProblem: ({ severity }) => {
      if (severity === 'error') leave('the entry cannot be read');
    },
  })) {
    for (const [at, { name, bytes }] of images.entries()) {
      const own = captions.filter(({ role, image }) => role === 'caption' && image === at);
      if (own.length === 0) {
        leave('it has no correct caption');
        continue;
      }
      if (bytes !== undefined) {
        leave('its image is embedded in the dataset, and mixing needs image files');
        continue;
      }
      const found = fileOf(await finder.find(name));
      if (found === undefined) {
        leave('its image was not found');
        continue;
      }
      const { path } = found;
      let image = byPath.get(path);
      if (image === undefined) {
        const item: ImageItem = { kind: 'image', source: { name, path }, transforms: [] };
        byPath.set(path, (image = { name, path, item, captions: [], attributes }));
      }
      for (const { text } of own) if (!image.captions.includes(text)) image.captions.push(text);
    }
  }
  // The order decides what is held out, so it must not depend on that of the file.
  const images = [...byPath.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const { captions } of images) captions.sort();
  return { images, leftOut };
}

/** Images that match `fitOn` are never held out. Of the other images, a random `share` is held out. */
export function splitImages(
  images: readonly Image[],
  share: number,
  seed: number,
  fitOn: { column: string; value: string } | undefined,
): { fittedOn: Image[]; heldOut: Image[] } {
  const free = images.filter(
    ({ attributes }) =>
      fitOn === undefined ||
      !Object.hasOwn(attributes, fitOn.column) ||
      String(attributes[fitOn.column]) !== fitOn.value,
  );
  const drawn = new Set(
    new Random(seed, 'repair.split').shuffle(free).slice(0, Math.round(share * free.length)),
  );
  return {
    fittedOn: images.filter((image) => !drawn.has(image)),
    heldOut: images.filter((image) => drawn.has(image)),
  };
}
