import { finite } from './outcome';

const digitBits = 11;
const digitMask = (1 << digitBits) - 1;

/**
 * Indices in ascending order of the values. The sort is stable, and −0 equals 0. A radix sort of the doubles'
 * bits skips digits that all values share.
 */
export function ascendingOrder(values: ArrayLike<number>): Uint32Array {
  const x = finite(values);
  const n = x.length;
  let order = new Uint32Array(n);
  for (let i = 0; i < n; i++) order[i] = i;
  // A comparison sort is faster for few values.
  if (n < 400) return order.sort((a, b) => x[a] - x[b] || a - b);
  const words = new Uint32Array(x.map((value) => value + 0).buffer);
  const low = new Uint32Array(n);
  const high = new Uint32Array(n);
  const [lowAt, highAt] = littleEndian ? [0, 1] : [1, 0];
  for (let i = 0; i < n; i++) {
    // Maps the bits to an unsigned integer that grows with the value.
    const flip = words[2 * i + highAt] >>> 31 === 1 ? 0xffffffff : 0;
    low[i] = words[2 * i + lowAt] ^ flip;
    high[i] = words[2 * i + highAt] ^ (flip | 0x80000000);
  }
  let other = new Uint32Array(n);
  for (const key of [low, high]) {
    for (let shift = 0; shift < 32; shift += digitBits) {
      if (pass(key, shift, order, other)) [order, other] = [other, order];
    }
  }
  return order;
}

const littleEndian = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1;

/** Sorts `from` into `to` by one digit, with a stable sort. Returns false if all values share the digit. */
function pass(key: Uint32Array, shift: number, from: Uint32Array, to: Uint32Array): boolean {
  const n = key.length;
  const next = new Uint32Array(digitMask + 2);
  for (let i = 0; i < n; i++) next[((key[i] >>> shift) & digitMask) + 1]++;
  if (next[((key[0] >>> shift) & digitMask) + 1] === n) return false;
  for (let d = 0; d < digitMask; d++) next[d + 1] += next[d];
  for (let i = 0; i < n; i++) {
    const at = from[i];
    to[next[(key[at] >>> shift) & digitMask]++] = at;
  }
  return true;
}
