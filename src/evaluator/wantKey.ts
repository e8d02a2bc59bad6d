import { createHash } from 'node:crypto';
import type { ImageItem, Item, Want } from '../protocol/item';

/**
 * The key of a pair, equal on all machines: made from texts, and from images' names in the dataset with their
 * transforms. With 80 bits, ten million pairs have a collision with odds of one in twenty billion.
 */
export function wantKey({ left, right }: Want): string {
  return hashOf([nameOf(left), nameOf(right)]);
}

/** The key of a text among precomputed embeddings, like `wantKey` for pairs. */
export function textItemKey(text: string): string {
  return hashOf({ text });
}

/**
 * The key of an image with its transforms. A transform's second image is identified by content, because paths
 * differ between machines.
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
