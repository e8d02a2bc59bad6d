/** Decoded pixels, 8 bits, three channels interleaved, rows from the top. */
export interface Pixels {
  width: number;
  height: number;
  data: Uint8Array;
}
