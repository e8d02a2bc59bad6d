/** Pillow's filters in the order of their numbers in preprocessor_config.json. */
export type ResampleFilter = 'nearest' | 'lanczos' | 'bilinear' | 'bicubic' | 'box' | 'hamming';

/**
 * Both resamplers widen the filter when the image shrinks. Pillow rounds weights to 22 bits. torchvision, on
 * uint8 tensors, rounds them to 16 bits in total and always resizes rows first.
 */
export type Resampler = 'pillow' | 'torchvision';
export const resamplers: readonly Resampler[] = ['pillow', 'torchvision'];

export type ResizeRule =
  /** Resizes the shorter side to `side` and keeps the aspect ratio. */
  | { rule: 'shortest'; side: number; longest?: number }
  /** Resizes to this size and may change the aspect ratio. */
  | { rule: 'exact'; width: number; height: number }
  /**
   * Fits the image into the box or covers the box with it, and keeps the aspect ratio. Halves round to even.
   */
  | { rule: 'fit' | 'cover'; width: number; height: number };

/**
 * The steps from decoded pixels to the graph's input, as preprocessor_config.json describes them. They are
 * part of the image key.
 */
export interface ImageSpec {
  resize: (ResizeRule & { filter: ResampleFilter }) | undefined;
  /** The default is Pillow. */
  resampler?: 'torchvision';
  /**
   * With `halves: 'even'`, half a pixel rounds to even, as in torchvision. The hub's processors truncate.
   */
  crop: { width: number; height: number; halves?: 'even'; fill?: number } | undefined;
  /** For each channel, multiplies 8-bit values by `rescale`, subtracts `mean` and divides by `std`. */
  rescale: number;
  mean: readonly [number, number, number];
  std: readonly [number, number, number];
  /** Caffe models need blue first. `mean` and `std` then have the same order. */
  order: 'rgb' | 'bgr';
  /** Whether the channels come one after the other or are interleaved. */
  layout: 'channels-first' | 'channels-last';
  width: number;
  height: number;
  /** The graph takes up to `most` patches of `width` × `height`. The image keeps its aspect ratio. */
  patches?: { most: number; filter: ResampleFilter };
}

/** The dimensions of one image in the graph's input. */
export function pixelDims({ width, height, layout, patches }: ImageSpec): number[] {
  if (patches !== undefined) return [patches.most, width * height * 3];
  return layout === 'channels-first' ? [3, height, width] : [height, width, 3];
}
