/* Finds lists of features that share most of them, by MinHash with bands. */
import { Xoshiro } from '../../base/xoshiro';

export const bands = 16;
const rowsOfBand = 4;
/** The length of a signature. */
export const hashes = bands * rowsOfBand;
/** Lists with at least this share of common features are similar. */
export const leastSimilar = 0.8;

const draws = new Xoshiro(Uint32Array.of(1, 2, 3, 4));
const [factors, shifts] = [0, 1].map(() => Uint32Array.from({ length: hashes }, () => draws.bits() | 1));

/** Writes the signature of some features, from the index `at` on. */
export function sign(features: Uint32Array, signatures: Uint32Array, at: number): void {
  signatures.fill(0xffffffff, at, at + hashes);
  for (const feature of features)
    for (let h = 0; h < hashes; h++) {
      const mixed = Math.imul(feature ^ shifts[h], factors[h]);
      const hash = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d) >>> 0;
      if (hash < signatures[at + h]) signatures[at + h] = hash;
    }
}

/** A number for the band of a signature, which equal bands share. */
export function bandHash(signatures: Uint32Array, signature: number, band: number): number {
  const at = signature * hashes + band * rowsOfBand;
  let hash = 0;
  for (let row = at; row < at + rowsOfBand; row++)
    hash = Math.imul(hash ^ signatures[row] ^ (hash >>> 15), 0x2c1b3c6d) + 0x9e3779b9;
  return hash >>> 0;
}

/** The band of a signature as a key, which only equal bands share. */
export function bandKey(signatures: Uint32Array, signature: number, band: number): string {
  const at = signature * hashes + band * rowsOfBand;
  return signatures.subarray(at, at + rowsOfBand).join(' ');
}

/** The signatures by the hash of a band, and then in their order. */
export class BandTable {
  readonly hashes: Uint32Array;
  readonly order: Uint32Array;

  constructor(signatures: Uint32Array, band: number) {
    const count = signatures.length / hashes;
    // A hash and a number in one float, because these sort much faster than with a comparison.
    const keys = new Float64Array(count);
    for (let i = 0; i < count; i++) keys[i] = bandHash(signatures, i, band) * numbers + i;
    keys.sort();
    this.hashes = Uint32Array.from(keys, (key) => Math.floor(key / numbers));
    this.order = Uint32Array.from(keys, (key) => key % numbers);
  }

  /** Groups of at least two signatures with one hash. */
  *groups(): Generator<Uint32Array> {
    for (let [from, to] = [0, 0]; from < this.order.length; from = to) {
      while (to < this.order.length && this.hashes[to] === this.hashes[from]) to++;
      if (to - from > 1) yield this.order.subarray(from, to);
    }
  }

  /** The signatures with a hash. */
  with(hash: number): Uint32Array {
    let [from, end] = [0, this.hashes.length];
    while (from < end) {
      const middle = (from + end) >>> 1;
      if (this.hashes[middle] < hash) from = middle + 1;
      else end = middle;
    }
    let to = from;
    while (to < this.hashes.length && this.hashes[to] === hash) to++;
    return this.order.subarray(from, to);
  }
}

/** More signatures than a run has. Times 2^32, they are below 2^53. */
const numbers = 2 ** 21;

/** The Jaccard index of two ascending lists. */
export function alike(a: Uint32Array, b: Uint32Array): number {
  let common = 0;
  for (let [i, j] = [0, 0]; i < a.length && j < b.length;) {
    if (a[i] === b[j]) {
      common++;
      i++;
      j++;
    } else if (a[i] < b[j]) i++;
    else j++;
  }
  const both = a.length + b.length - common;
  return both === 0 ? 1 : common / both;
}
