import { findImages } from '../../../audit/findImages';
import { inputError } from '../../../base/errors';
import type { FieldMap } from '../../../dataset/fields/fields';
import { createImageFinder } from '../../../dataset/images/images';
import { partlyField, type PartlyFound } from '../../../dataset/images/partlyFound';
import { openDataset } from '../../../dataset/open';
import type { EvaluatorInfo } from '../../../evaluator/evaluator';
import { imageItemKey } from '../../../evaluator/wantKey';
import type { ImageItem, TextItem, Want } from '../../../protocol/item';

/** The captions of the first examples, each with its image if it has one, and the distinct texts and images. */
export interface Items {
  captions: { text: string; image?: ImageItem }[];
  texts: TextItem[];
  images: ImageItem[];
  /** The images that were found by less than the whole path of their names. */
  partly?: PartlyFound;
}

export async function readItems(
  path: string,
  { folders, limit, map, signal }: { folders: string[]; limit: number; map?: FieldMap; signal: AbortSignal },
): Promise<Items> {
  const dataset = await openDataset(path, { signal, ...(map === undefined ? {} : { map }) });
  const finder = createImageFinder({ dataset, folders, signal });
  const captions: Items['captions'] = [];
  let examples = 0;
  for await (const example of dataset.read()) {
    if (examples++ === limit) break;
    const found = await findImages(example, finder);
    for (const { text, image } of example.captions) {
      const item = found[image];
      captions.push({ text, ...(item === undefined ? {} : { image: item }) });
    }
  }
  if (captions.length === 0)
    throw inputError(
      'The file has no captions.',
      'Check that the file is complete: "captious inspect" lists what Captious read.',
      path,
    );
  const images = new Map(
    captions.flatMap(({ image }): [string, ImageItem][] =>
      image === undefined ? [] : [[imageItemKey(image), image]],
    ),
  );
  return {
    captions,
    texts: [...new Set(captions.map(({ text }) => text))].map((text) => ({ kind: 'text', text })),
    images: [...images.values()],
    ...partlyField(finder.partly),
  };
}

/** Two pairs to score. The evaluator decides for the pair with the higher score. */
export type Decision = readonly [Want, Want];

/**
 * Pairs each image with its own caption and with the next caption of another image. If this gives no decisions and
 * the evaluator scores texts, pairs each caption with the next two captions.
 */
export function decisionsOf({ captions, texts }: Items, scores: EvaluatorInfo['scores']): Decision[] {
  if (scores.includes('image-text')) {
    const withImages = captions.flatMap(({ text, image }) => (image === undefined ? [] : [{ text, image }]));
    const decisions = withImages.flatMap(({ text, image }, i): Decision[] => {
      for (let step = 1; step < withImages.length; step++) {
        const other = withImages[(i + step) % withImages.length];
        if (other.image.source.name !== image.source.name && other.text !== text)
          return [[wantOf(image, text), wantOf(image, other.text)]];
      }
      return [];
    });
    if (decisions.length > 0 || !scores.includes('text-text')) return decisions;
  }
  if (!scores.includes('text-text') || texts.length < 3) return [];
  return texts.map((left, i) => {
    const [near, far] = [1, 2].map((step) => texts[(i + step) % texts.length]);
    return [
      { left, right: near },
      { left, right: far },
    ];
  });
}

function wantOf(image: ImageItem, text: string): Want {
  return { left: image, right: { kind: 'text', text } };
}
