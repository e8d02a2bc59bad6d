/** Decoded pixels with three interleaved channels of 8 bits, stored row by row from the top. */
export interface Pixels {
  width: number;
  height: number;
  data: Uint8Array;
}
