import { inARow, type Words } from '../say';

/** Counts equal messages. */
export class Tally {
  private readonly counts = new Map<string, { words: Words; count: number }>();

  add(words: Words, count = 1): this {
    const key = keyOf(words);
    const known = this.counts.get(key);
    if (known === undefined) this.counts.set(key, { words, count });
    else known.count += count;
    return this;
  }

  /** The messages with their counts, in the order of their first use. */
  get list(): { words: Words; count: number }[] {
    return [...this.counts.values()];
  }
}

/** Such as "3 × its image was not found; 1 × it has no caption". */
export function listed(counts: readonly { words: Words; count: number }[]): Words {
  return inARow(
    counts.map(({ words, count }) => inARow([String(count), words], ' × ')),
    '; ',
  );
}

/** Equal for equal messages. */
export function keyOf(words: Words): string {
  return JSON.stringify(words);
}
