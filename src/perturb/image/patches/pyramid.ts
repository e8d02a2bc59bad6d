/** An image with a hole, at one of several resolutions. */
export interface Level {
  width: number;
  height: number;
  /** Three channels per pixel, from 0 to 255. */
  colours: Float32Array;
  /** Contains 1 for pixels of the hole and 0 for others. */
  hole: Uint8Array;
}

/** Halves the resolution. A new pixel is in the hole if any of the four old pixels is in the hole. */
export function halved({ width, height, colours, hole }: Level): Level {
  const w = width >> 1;
  const h = height >> 1;
  const out: Level = {
    width: w,
    height: h,
    colours: new Float32Array(w * h * 3),
    hole: new Uint8Array(w * h),
  };
  for (let y = 0; y < h; y++)
    for (let x = 0; x < w; x++) {
      const a = 2 * y * width + 2 * x;
      const to = y * w + x;
      out.hole[to] = hole[a] | hole[a + 1] | hole[a + width] | hole[a + width + 1];
      for (let c = 0; c < 3; c++)
        out.colours[to * 3 + c] =
          (colours[a * 3 + c] +
            colours[(a + 1) * 3 + c] +
            colours[(a + width) * 3 + c] +
            colours[(a + width + 1) * 3 + c]) /
          4;
    }
  return out;
}
