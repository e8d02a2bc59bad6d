import { createHash } from 'node:crypto';
import type { Item, Want } from '../protocol/item';

/**
 * Names a pair the same on every machine: by the texts, and by a picture's name in the dataset with its transforms. 80 bits:
 * among ten million pairs the odds of two sharing a name are one in twenty billion.
 */
export function wantKey({ left, right }: Want): string {
  const names = JSON.stringify([nameOf(left), nameOf(right)]);
  return createHash('sha256').update(names).digest('hex').slice(0, 20);
}

function nameOf(item: Item): unknown {
  return item.kind === 'text'
    ? { text: item.text }
    : { image: item.source.name, transforms: item.transforms };
}
