import type { Transform } from '../perturb/transform';

export interface TextItem {
  kind: 'text';
  text: string;
  /**
   * The dataset's caption of which this is a variant. Reference-based metrics do not compare the variant with
   * it.
   */
  origin?: string;
}

/** An image on disk or embedded in the dataset. Messages use its `name`. */
export type ImageSource = { name: string; path: string } | { name: string; bytes: Uint8Array };

export interface ImageItem {
  kind: 'image';
  source: ImageSource;
  /** The transforms in the order of application: after decoding and before preprocessing. */
  transforms: readonly Transform[];
}

export type Item = TextItem | ImageItem;

/**
 * Two items whose similarity a probe needs. If one is an image and the other a text, the image is on the
 * left.
 */
export interface Want {
  left: Item;
  right: Item;
  /** The reference captions for this pair, for evaluators that compare with references. */
  references?: readonly string[];
  /** The caption of the same image with which a pairwise judge compares the text. */
  against?: string;
}

export type WantKind = 'text-text' | 'image-text' | 'image-image';

export function wantKind(want: Want): WantKind {
  if (want.left.kind === 'text') return 'text-text';
  return want.right.kind === 'text' ? 'image-text' : 'image-image';
}
