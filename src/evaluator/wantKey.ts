import { createHash } from 'node:crypto';
import type { ImageItem, Item, Want } from '../protocol/item';

/**
 * A machine-independent key of a pair: the texts, or the image's name in the dataset with its transforms. 80
 * bits, so that ten million pairs collide with odds of one in twenty billion.
 */
export function wantKey({ left, right }: Want): string {
  return hashOf([nameOf(left), nameOf(right)]);
}

/** Identifies one item in the way `wantKey` identifies a pair, for precomputed embeddings. */
export function textItemKey(text: string): string {
  return hashOf({ text });
}

/** A second image in a transform is identified by its content: its path belongs to one machine. */
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
