/** Decoded pixels, 8 bits, three channels interleaved, rows from the top. */
export interface Pixels {
  width: number;
  height: number;
  data: Uint8Array;
}

/** A change of a picture, as data: it travels to the child process, into store keys and into reports. */
export type Transform = { op: 'hflip' } | { op: 'vflip' };

export function applyTransforms(pixels: Pixels, transforms: readonly Transform[]): Pixels {
  return transforms.reduce(applyTransform, pixels);
}

function applyTransform(pixels: Pixels, transform: Transform): Pixels {
  switch (transform.op) {
    case 'hflip':
      return remap(pixels, (x, y) => y * pixels.width + (pixels.width - 1 - x));
    case 'vflip':
      return remap(pixels, (x, y) => (pixels.height - 1 - y) * pixels.width + x);
  }
}

/** The same size, each pixel taken from the index that `source` gives. */
function remap({ width, height, data }: Pixels, source: (x: number, y: number) => number): Pixels {
  const out = new Uint8Array(data.length);
  let to = 0;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const from = source(x, y) * 3;
      out[to++] = data[from];
      out[to++] = data[from + 1];
      out[to++] = data[from + 2];
    }
  }
  return { width, height, data: out };
}
