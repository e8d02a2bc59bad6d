import type { Transform } from '../../perturb/transform';
import type { Row } from '../probe';

/** A noun and how far the embedding turns without it, by the evaluator whose report this is. */
export interface WordInfluence {
  start: number;
  end: number;
  text: string;
  influence: number | null;
}

/** One altered caption beside the one it was made from. */
export interface AlteredRow {
  source: string;
  text: string;
  from?: string;
  to?: string;
  fromConcept?: string;
  toConcept?: string;
  /** With the caption it was made from. */
  similarity?: number;
}

/** A caption, the weight of its words and what was made of it. */
export interface CaptionRow extends Row {
  kind: 'caption';
  caption: string;
  words?: WordInfluence[];
  /** Index into `words`: the noun the evaluators together weigh least. */
  chosen?: number;
  votes?: number;
  voters?: number;
  altered: AlteredRow[];
  /** The closest of the photo's other true captions. */
  nearest?: { text: string; similarity: number };
  /** Text to image: by kind of altered photo, the hits averaged over the draws. */
  search?: { score: number; hits: SearchRow[]; clean: Record<string, number> };
}

export interface SearchRow {
  pictures: string;
  stressed: Record<string, number>;
  rsms: number;
  /** The best altered photo's score, of all draws. */
  rival: number;
  /** How that photo was made; the other one is named as the dataset names it. */
  made?: AlteredPhoto;
}

export interface AlteredPhoto {
  image: string;
  transform: MixTransform;
}

export type MixTransform = Extract<Transform, { op: 'mix' | 'patch' }>;

export interface ListedCaption {
  text: string;
  score: number;
  /** `true`: of this photo; `other`: a true caption of another photo. */
  kind: 'true' | 'other' | 'altered';
  /** Example id. */
  of: string;
}

/** A photo, and the captions it found. */
export interface PhotoRow extends Row {
  kind: 'photo';
  caption: string;
  score: number;
  clean: Record<string, number>;
  /** What it found before anything altered was put among the captions. */
  first: ListedCaption[];
  lists: {
    source: string;
    stressed: Record<string, number>;
    rsms: number;
    first: ListedCaption[];
  }[];
  /** Cosine with the whole photo, of the photo with each cell of a 4 × 4 grid made black, row by row. */
  occlusion?: number[];
}

export type RococoRow = CaptionRow | PhotoRow;
