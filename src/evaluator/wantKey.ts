import { createHash } from 'node:crypto';
import type { ImageItem, Item, Want } from '../protocol/item';

/**
 * The key of a pair, made from its texts, its images' names in the dataset and their transforms. The probability
 * that ten million keys of 80 bits contain two equal ones is about one in 24 billion.
 */
export function wantKey({ left, right }: Want): string {
  return hashOf([nameOf(left), nameOf(right)]);
}

/** The key of a text, for example in a file of precomputed embeddings. */
export function textItemKey(text: string): string {
  return hashOf({ text });
}

/**
 * The key of an image with its transforms, for example in a file of precomputed embeddings. If a transform uses a
 * second image, the key contains its hash and not its path, because paths differ between machines.
 */
export function imageItemKey({
  source,
  transforms,
}: {
  source: Pick<ImageItem['source'], 'name'>;
  transforms: ImageItem['transforms'];
}): string {
  const portable = transforms.map((transform) =>
    'other' in transform ? { ...transform, other: transform.other.sha256 } : transform,
  );
  return hashOf({ image: source.name, transforms: portable });
}

function hashOf(name: unknown): string {
  return createHash('sha256').update(JSON.stringify(name)).digest('hex').slice(0, 20);
}

function nameOf(item: Item): unknown {
  return item.kind === 'text'
    ? { text: item.text }
    : { image: item.source.name, transforms: item.transforms };
}
