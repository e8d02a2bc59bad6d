/** Pillow's numbers for its filters, as preprocessor_config.json writes them. */
export type ResampleFilter = 'nearest' | 'lanczos' | 'bilinear' | 'bicubic' | 'box' | 'hamming';

/**
 * Both stretch the filter where the image shrinks. Pillow rounds weights to 22 bits; torchvision, on uint8 tensors, to 16
 * in all, and always takes the rows first.
 */
export type Resampler = 'pillow' | 'torchvision';
export const resamplers: readonly Resampler[] = ['pillow', 'torchvision'];

export type ResizeRule =
  /** The shorter side becomes so many pixels, the other follows. */
  | { rule: 'shortest'; side: number; longest?: number }
  /** Both sides as given, whatever the shape was. */
  | { rule: 'exact'; width: number; height: number }
  /** In its own shape: as large as fits into that box, or as small as covers it; halves round to even. */
  | { rule: 'fit' | 'cover'; width: number; height: number };

/** From decoded pixels to what the graph is given, as preprocessor_config.json says. It travels into the image key. */
export interface ImageSpec {
  resize: (ResizeRule & { filter: ResampleFilter }) | undefined;
  /** Pillow where absent. */
  resampler?: 'torchvision';
  /** `halves: 'even'` is torchvision's way: half a pixel rounds to even. The hub's processors always cut it off. */
  crop: { width: number; height: number; halves?: 'even'; fill?: number } | undefined;
  /** Each 8-bit value times `rescale`, then minus `mean`, divided by `std`, channel by channel. */
  rescale: number;
  mean: readonly [number, number, number];
  std: readonly [number, number, number];
  /** Blue first, as Caffe's models want; `mean` and `std` are then in that order too. */
  order: 'rgb' | 'bgr';
  /** Whether the graph wants whole channels one after the other, or channels side by side. */
  layout: 'channels-first' | 'channels-last';
  width: number;
  height: number;
  /** The graph takes patches of `width` × `height`, at most so many, from a picture that keeps its shape. */
  patches?: { most: number; filter: ResampleFilter };
}

/** Axes of one picture as the graph takes it. */
export function pixelDims({ width, height, layout, patches }: ImageSpec): number[] {
  if (patches !== undefined) return [patches.most, width * height * 3];
  return layout === 'channels-first' ? [3, height, width] : [height, width, 3];
}
