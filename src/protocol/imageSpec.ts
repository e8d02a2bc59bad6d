/** Pillow's filters, in the order of their numbers in preprocessor_config.json. */
export type ResampleFilter = 'nearest' | 'lanczos' | 'bilinear' | 'bicubic' | 'box' | 'hamming';

/**
 * The library whose resizing to reproduce. Pillow rounds the filter's weights to 22 fractional bits. torchvision
 * rounds them to 16-bit integers for uint8 tensors, and always changes the width before the height.
 */
export type Resampler = 'pillow' | 'torchvision';
/** `aliased`: without antialiasing, as in OpenCV's resize. Only comparisons of evaluators try it. */
export type Resizing = Resampler | 'aliased';
export const resamplers: readonly Resampler[] = ['pillow', 'torchvision'];

export type ResizeRule =
  /** Resizes the shorter side to `side` and keeps the aspect ratio. */
  | { rule: 'shortest'; side: number; longest?: number }
  /** Resizes to this size and may change the aspect ratio. */
  | { rule: 'exact'; width: number; height: number }
  /** Fits the image into the box, or covers the box. The aspect ratio stays, and halves round to even. */
  | { rule: 'fit' | 'cover'; width: number; height: number };

/** How other programs decode images. By default, the EXIF orientation is applied and transparency is dropped. */
export interface Decoding {
  exif?: 'ignored';
  /** The colour behind transparent pixels. */
  behind?: 'white' | 'black';
}

/** The steps from decoded pixels to the graph's input. They are part of an image's key in the store. */
export interface ImageSpec {
  resize: (ResizeRule & { filter: ResampleFilter }) | undefined;
  /** The default is Pillow. */
  resampler?: 'torchvision' | 'aliased';
  /** `halves: 'even'` rounds half a pixel to even, as torchvision does. The hub's processors round down. */
  crop: { width: number; height: number; halves?: 'even'; fill?: number } | undefined;
  /** Per channel, multiplies 8-bit values by `rescale`, subtracts `mean` and divides by `std`. */
  rescale: number;
  mean: readonly [number, number, number];
  std: readonly [number, number, number];
  /** Some models need blue first. `mean` and `std` use the same order. */
  order: 'rgb' | 'bgr';
  /** Whether channels are sequential or interleaved. */
  layout: 'channels-first' | 'channels-last';
  width: number;
  height: number;
  decoding?: Decoding;
  /** The graph reads up to `most` patches of `width` × `height`. The image keeps its aspect ratio. */
  patches?: { most: number; filter: ResampleFilter };
}

/** The dimensions of one image in the graph's input. */
export function pixelDims({ width, height, layout, patches }: ImageSpec): number[] {
  if (patches !== undefined) return [patches.most, width * height * 3];
  return layout === 'channels-first' ? [3, height, width] : [height, width, 3];
}
