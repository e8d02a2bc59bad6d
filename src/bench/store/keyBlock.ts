import type { Scratch } from '../../base/files/scratch';

/** A possible place of a key's record. */
export interface Location {
  segment: number;
  /** Where the record begins, in bytes. */
  offset: number;
  /** Payload length in bytes. */
  length: number;
}

/** An entry on disk has four words: the second word of the key, the offset / 8, the length and the segment. */
export const wordsOnDisk = 4;
const buckets = 1 << 16;

/**
 * A finished part of an index. Memory holds each key's first word: the upper half is the bucket number, the
 * lower half a tag. `find` reads only the file entries of keys with the same first word.
 */
export class KeyBlock {
  private readonly tags: Uint16Array;
  /** The start of each bucket, and the end of the last bucket. */
  private readonly starts = new Uint32Array(buckets + 1);
  private readonly entry = new Uint32Array(wordsOnDisk);

  constructor(
    private readonly scratch: Scratch,
    /** Where the entries on disk begin in `scratch`, in bytes. */
    private readonly position: number,
    /** The first words of the keys, ascending. */
    lows: Uint32Array,
  ) {
    this.tags = Uint16Array.from(lows);
    for (const low of lows) this.starts[(low >>> 16) + 1]++;
    for (let bucket = 0; bucket < buckets; bucket++) this.starts[bucket + 1] += this.starts[bucket];
  }

  get size(): number {
    return this.tags.length;
  }

  get bytes(): number {
    return this.tags.byteLength + this.starts.byteLength;
  }

  /** The places of this key, in insertion order. */
  find(low: number, high: number): Location[] {
    const found: Location[] = [];
    const bucket = low >>> 16;
    const tag = low & 0xffff;
    for (let at = this.starts[bucket]; at < this.starts[bucket + 1]; at++) {
      if (this.tags[at] !== tag) continue;
      const bytes = this.entry.byteLength;
      this.scratch.read(new Uint8Array(this.entry.buffer), this.position + at * bytes);
      const [own, offset, length, segment] = this.entry;
      if (own === high) found.push({ segment, offset: offset * 8, length });
    }
    return found;
  }
}
