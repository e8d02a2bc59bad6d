/** A place in a text file: its start, and its `length` in bytes. */
export interface Place {
  /** Counted from 1. */
  line: number;
  /** Counted from 1 in UTF-16 code units, as editors count. */
  column: number;
  /** Bytes from the start of the file, including a byte order mark. */
  offset: number;
  /** The length in bytes. */
  length: number;
}

export interface ImageRef {
  /** The image's name in the file. An embedded image has a name that identifies its row. */
  name: string;
  /** The encoded image, if the dataset file contains it (Parquet). */
  bytes?: Uint8Array;
  /** The part of the image to use, in pixels. */
  crop?: Box;
}

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/**
 * - `caption`: describes the image;
 * - `negative`: resembles a caption of the image and is wrong;
 * - `altered`: a tampered caption;
 * - `candidate`: one of several texts that people judged.
 */
export type CaptionRole = 'caption' | 'negative' | 'altered' | 'candidate';

/** A variant of a caption that the dataset provides. */
export interface GivenVariant {
  text: string;
  /** Whether the variant keeps the meaning or is wrong about the image. */
  family: 'paraphrase' | 'flip';
  /**
   * For a flip: color, number, object, or the type that the file names. For a paraphrase: the rule that the
   * file names, or "".
   */
  kind: string;
}

export interface Caption {
  text: string;
  role: CaptionRole;
  /** The index of its image in `images`. */
  image: number;
  /** The column or key that contains the caption. */
  field: string;
  /** The caption's text in the file, including quotes. */
  place?: Place;
  /** The ratings that people gave the caption. */
  ratings?: number[];
  /** The caption's LGIP variants (`same_caps` and `diff_caps`), if the file has them. */
  variants?: GivenVariant[];
}

/**
 * - `captions`: an image and its captions;
 * - `triplet`: an image, two captions with the same meaning, a negative (VISLA);
 * - `pair`: an image, a caption, a negative (SugarCrepe; also a single VSR statement, true or false);
 * - `crossed`: two images and a caption of each (Winoground);
 * - `altered`: an image, captions, and altered ones (RoCOCO);
 * - `preference`: an image and two candidates, one of which people preferred;
 * - `choice`: any number of images and captions, each caption right for one image or none;
 * - `rating`: an image and a candidate with people's ratings;
 * - `decisions`: an external evaluator's decisions on a choice.
 */
export type ExampleForm =
  'captions' | 'triplet' | 'pair' | 'crossed' | 'altered' | 'preference' | 'choice' | 'rating' | 'decisions';

export type Attribute = string | number | boolean | null;

/** One entry of a dataset: images, captions, and their places in the file. */
export interface Example {
  /** Unique within the dataset; from the file if it has ids, else from the position. */
  id: string;
  form: ExampleForm;
  /** Counted from 0 in file order. */
  row: number;
  place?: Place;
  images: ImageRef[];
  captions: Caption[];
  /** Index of the preferred candidate in `captions`; null if people were undecided. */
  preferred?: number | null;
  /** People rated each candidate alone, and `preferred` follows from the ratings. */
  rated?: true;
  /**
   * The attribute for macro averages. Values with fewer than `atLeast` examples do not count. `within`
   * subdivides the values in the benchmark's own tables.
   */
  by?: { tag: string; atLeast?: number; within?: string };
  /**
   * Names of the two sides (an image with its caption), if they differ in kind, not only in order.
   */
  sides?: readonly string[];
  /** The example's groups by name; the examples of a group also count together. */
  groups?: Record<string, string>;
  /** How many annotators found this caption, and only this one, to be right. */
  votes?: number;
  /** How many people preferred each of the two candidates. */
  votesFor?: [number, number];
  /** Captions of the image by other people, to compare a candidate with. */
  references?: string[];
  /**
   * For each image, whether the evaluator chose its caption; for each caption, whether it chose its image.
   */
  decisions?: { text: boolean[]; image: boolean[] };
  /** The other columns, for slices and groups. */
  attributes: Record<string, Attribute>;
}
