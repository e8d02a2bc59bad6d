/** Decoded pixels with three interleaved channels of 8 bits, stored row by row from the top. */
export interface Pixels {
  width: number;
  height: number;
  data: Uint8Array;
}

/** Math.round for numbers from 0 to 255, to the bit and several times as fast. */
export function rounded(value: number): number {
  // The largest number below 0.5 would become 1, because its sum with 0.5 is not exact.
  return value < 0.5 ? 0 : (value + 0.5) | 0;
}
