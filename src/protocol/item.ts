import type { Transform } from '../perturb/transform';

export interface TextItem {
  kind: 'text';
  text: string;
  /** The caption that was changed into this variant. It is no reference for reference-based metrics. */
  origin?: string;
  /** The kind of the instruction to the evaluator that the text holds, so that no file has it unmarked. */
  injection?: string;
}

/** An image on disk or inside the dataset. Messages use its `name`. */
export type ImageSource = { name: string; path: string } | { name: string; bytes: Uint8Array };

export interface ImageItem {
  kind: 'image';
  source: ImageSource;
  /** The transforms in order, after decoding and before preprocessing. */
  transforms: readonly Transform[];
}

export type Item = TextItem | ImageItem;

/** Two items whose similarity a probe needs. For an image and a text, the image is on the left. */
export interface Want {
  left: Item;
  right: Item;
  /** Reference captions of this pair, for evaluators that use references. */
  references?: readonly string[];
  /** A caption of the same image, with which a pairwise judge compares the text. */
  against?: string;
}

export type WantKind = 'text-text' | 'image-text' | 'image-image';

export function wantKind(want: Want): WantKind {
  if (want.left.kind === 'text') return 'text-text';
  return want.right.kind === 'text' ? 'image-text' : 'image-image';
}
