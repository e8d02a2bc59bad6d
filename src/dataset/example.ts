/** Where something stands in a text file: from its first character, `length` bytes long. */
export interface Place {
  /** Counted from 1. */
  line: number;
  /** Counted from 1, in UTF-16 code units as editors count. */
  column: number;
  /** In bytes from the start of the file, byte order mark included. */
  offset: number;
  /** In bytes. */
  length: number;
}

export interface ImageRef {
  /** As the file names it. For images inside the file, a name that identifies the row. */
  name: string;
  /** The encoded picture, where the dataset file carries it (Parquet). */
  bytes?: Uint8Array;
  /** The part of the image that counts, in its pixels. */
  crop?: Box;
}

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/**
 * - `caption`: says what the picture shows;
 * - `negative`: looks like a caption of the picture and is wrong;
 * - `altered`: a caption somebody tampered with;
 * - `candidate`: one of several texts that people judged.
 */
export type CaptionRole = 'caption' | 'negative' | 'altered' | 'candidate';

/** A changed caption that the file brings along, made by somebody else. */
export interface GivenVariant {
  text: string;
  /** It says the same, or it says something that is wrong of the picture. */
  family: 'paraphrase' | 'flip';
  /** Of a flip: color, number, object, or what the file calls it. Of a paraphrase: the file's name of its rule, or "". */
  kind: string;
}

export interface Caption {
  text: string;
  role: CaptionRole;
  /** The picture it belongs to, as an index into `images`. */
  image: number;
  /** The column or key it was read from. */
  field: string;
  /** Of the caption's own text in the file, quotes included. */
  place?: Place;
  /** What people gave it, one number each. */
  ratings?: number[];
  /** LGIP's `same_caps` and `diff_caps` of this caption, where the file has them. */
  variants?: GivenVariant[];
}

/**
 * - `captions`: a picture and captions of it;
 * - `triplet`: a picture, two captions that say the same, one negative (VISLA);
 * - `pair`: a picture, a caption, a negative (SugarCrepe; also a VSR statement, alone, true or false);
 * - `crossed`: two pictures and a caption of each (Winoground);
 * - `altered`: a picture, captions, and altered ones (RoCOCO);
 * - `preference`: a picture and two candidates, one of which people preferred;
 * - `choice`: images and captions in any number, each caption right of one image or of none;
 * - `rating`: an image and a candidate with the ratings people gave it;
 * - `decisions`: what an evaluator that is not here decided about a choice.
 */
export type ExampleForm =
  'captions' | 'triplet' | 'pair' | 'crossed' | 'altered' | 'preference' | 'choice' | 'rating' | 'decisions';

export type Attribute = string | number | boolean | null;

/** One entry of a dataset: photos, captions, and where they stand in the file. */
export interface Example {
  /** Unique within the dataset; from the file where it gives one, else from the position. */
  id: string;
  form: ExampleForm;
  /** Counted from 0 in the order of the file. */
  row: number;
  place?: Place;
  images: ImageRef[];
  captions: Caption[];
  /** Index into `captions` of the preferred candidate; null where people were undecided. */
  preferred?: number | null;
  /** The attribute over whose values a macro average is taken, those with fewer examples than `atLeast` left out. */
  by?: { tag: string; atLeast?: number };
  /** Examples of one group count together as well as each alone: by name, the group it is in. */
  groups?: Record<string, string>;
  /** How many of the people asked found the caption, and it alone, to be right. */
  votes?: number;
  /** Captions of the image that others wrote, against which a candidate may be compared. */
  references?: string[];
  /** For each image whether it found its caption, for each caption whether it found its image. */
  decisions?: { text: boolean[]; image: boolean[] };
  /** The other columns, for slices and groups. */
  attributes: Record<string, Attribute>;
}
