/** Decoded pixels with three interleaved channels of 8 bits, in rows from the top. */
export interface Pixels {
  width: number;
  height: number;
  data: Uint8Array;
}
