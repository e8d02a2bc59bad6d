/** Pillow's filter numbers, as preprocessor_config.json stores them. */
export type ResampleFilter = 'nearest' | 'lanczos' | 'bilinear' | 'bicubic' | 'box' | 'hamming';

/**
 * Both widen the filter when shrinking. Pillow rounds weights to 22 bits; torchvision, on uint8 tensors, to 16
 * in total, and always resizes rows first.
 */
export type Resampler = 'pillow' | 'torchvision';
export const resamplers: readonly Resampler[] = ['pillow', 'torchvision'];

export type ResizeRule =
  /** Resizes the shorter side to `side` and keeps the aspect ratio. */
  | { rule: 'shortest'; side: number; longest?: number }
  /** Resizes to this size without keeping the aspect ratio. */
  | { rule: 'exact'; width: number; height: number }
  /** Keeps the aspect ratio: fits into the box, or covers it; halves round to even. */
  | { rule: 'fit' | 'cover'; width: number; height: number };

/**
 * Preprocessing from decoded pixels to the graph's input, as in preprocessor_config.json. It is part of the
 * image key.
 */
export interface ImageSpec {
  resize: (ResizeRule & { filter: ResampleFilter }) | undefined;
  /** Default Pillow. */
  resampler?: 'torchvision';
  /** `halves: 'even'` rounds half a pixel to even, as torchvision does; the hub's processors truncate. */
  crop: { width: number; height: number; halves?: 'even'; fill?: number } | undefined;
  /** Multiplies each 8-bit value by `rescale`, subtracts `mean` and divides by `std`, per channel. */
  rescale: number;
  mean: readonly [number, number, number];
  std: readonly [number, number, number];
  /** Caffe models need blue first; `mean` and `std` are then in that order too. */
  order: 'rgb' | 'bgr';
  /** Whether channels are planar or interleaved. */
  layout: 'channels-first' | 'channels-last';
  width: number;
  height: number;
  /** The graph takes at most `most` patches of `width` × `height`, from an image that keeps its aspect ratio. */
  patches?: { most: number; filter: ResampleFilter };
}

/** The dimensions of one image in the graph's input. */
export function pixelDims({ width, height, layout, patches }: ImageSpec): number[] {
  if (patches !== undefined) return [patches.most, width * height * 3];
  return layout === 'channels-first' ? [3, height, width] : [height, width, 3];
}
