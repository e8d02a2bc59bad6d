import { createHash } from 'node:crypto';
import { Xoshiro } from './xoshiro';

/** A generator whose seed is a hash of `parts`. Draws therefore do not depend on order, batches or shards. */
export class Random extends Xoshiro {
  constructor(...parts: readonly (string | number)[]) {
    const digest = createHash('sha256').update(JSON.stringify(parts)).digest();
    super(Uint32Array.from([0, 4, 8, 12], (at) => digest.readUInt32LE(at)));
  }

  /** Uniform in [0, 1), with 53 random bits. */
  uniform(): number {
    return ((this.bits() >>> 5) * 67108864 + (this.bits() >>> 6)) / 9007199254740992;
  }

  /** A uniform integer in [0, n). `n` is at most 2^32. */
  below(n: number): number {
    const limit = 4294967296 - (4294967296 % n);
    let bits = this.bits();
    while (bits >= limit) bits = this.bits();
    return bits % n;
  }

  pick<T>(items: readonly T[]): T {
    if (items.length === 0) throw new RangeError('Nothing to pick from.');
    return items[this.below(items.length)];
  }

  shuffle<T>(items: readonly T[]): T[] {
    const out = [...items];
    for (let i = out.length - 1; i > 0; i--) {
      const j = this.below(i + 1);
      [out[i], out[j]] = [out[j], out[i]];
    }
    return out;
  }
}
