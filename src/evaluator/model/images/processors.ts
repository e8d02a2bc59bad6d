import type { ResampleFilter } from '../../../protocol/imageSpec';

export type Triple = readonly [number, number, number];
const openAiMean: Triple = [0.48145466, 0.4578275, 0.40821073];
const openAiStd: Triple = [0.26862954, 0.26130258, 0.27577711];
const half: Triple = [0.5, 0.5, 0.5];

/** The default settings of an image processor of transformers. */
export interface Defaults {
  /** Whether a size of one number means a square. If false, the number is the length of the shorter side. */
  square: boolean;
  size: number;
  filter: ResampleFilter;
  crop: number | undefined;
  mean: Triple;
  std: Triple;
}

const clip: Defaults = {
  square: false,
  size: 224,
  filter: 'bicubic',
  crop: 224,
  mean: openAiMean,
  std: openAiStd,
};
export const processors: Record<string, Defaults> = {
  CLIP: clip,
  ChineseCLIP: clip,
  Siglip: { square: true, size: 224, filter: 'bicubic', crop: undefined, mean: half, std: half },
  ViT: { square: true, size: 224, filter: 'bilinear', crop: undefined, mean: half, std: half },
  EfficientNet: { square: true, size: 346, filter: 'bicubic', crop: undefined, mean: half, std: half },
  Siglip2: { square: true, size: 256, filter: 'bilinear', crop: undefined, mean: half, std: half },
  Blip: { square: true, size: 384, filter: 'bicubic', crop: undefined, mean: openAiMean, std: openAiStd },
};
