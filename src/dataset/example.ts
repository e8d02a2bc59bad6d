/** The start and length of a text in a file. */
export interface Place {
  /** Counted from 1. */
  line: number;
  /** Counted from 1 in UTF-16 code units, as editors count. */
  column: number;
  /** Bytes from the start of the file, including a byte order mark. */
  offset: number;
  /** In bytes. */
  length: number;
  /** The file, relative to the dataset's folder, if the dataset has several. */
  part?: string;
}

/** The line, with its file if the dataset has several. */
export function lineOf(place: Place | undefined): number | string | undefined {
  return place?.part === undefined ? place?.line : `${place.part}:${place.line}`;
}

export interface ImageRef {
  /** The image's name in the file. An embedded image without a path is named after its row. */
  name: string;
  /** The encoded image, if the dataset file contains it (Parquet, tar). */
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
 * - `caption`: describes the image.
 * - `negative`: is similar to a caption of the image, but wrong.
 * - `altered`: is made from a caption of the image by replacing a word (RoCOCO).
 * - `candidate`: is a text that people judged.
 */
export type CaptionRole = 'caption' | 'negative' | 'altered' | 'candidate';

/** A variant of a caption that the dataset provides. */
export interface GivenVariant {
  text: string;
  /** A paraphrase keeps the caption's meaning. A flip is wrong about the image. */
  family: 'paraphrase' | 'flip';
  /** The type of a flip, such as `color`, or the rule that made a paraphrase. Empty if the file does not name it. */
  kind: string;
}

export interface Caption {
  text: string;
  role: CaptionRole;
  /** The index in `images` of the caption's image. */
  image: number;
  /** The column or key that contains the caption. */
  field: string;
  /** The place of the caption's text in the file, including quotes. */
  place?: Place;
  /** The ratings that people gave the caption. */
  ratings?: number[];
  /** The caption's LGIP variants (`same_caps` and `diff_caps`), if the file has them. */
  variants?: GivenVariant[];
}

/**
 * - `captions`: an image and its captions.
 * - `triplet`: an image, two captions with the same meaning and a negative (VISLA).
 * - `pair`: an image, a caption and a negative (SugarCrepe), or a true or false statement (VSR).
 * - `crossed`: two images and a caption of each (Winoground).
 * - `altered`: an image, captions and altered captions (RoCOCO).
 * - `preference`: an image, two candidates, and which one people preferred.
 * - `choice`: any number of images and captions. Each caption is right for one image or for none.
 * - `rating`: an image and a candidate with people's ratings.
 * - `decisions`: an external evaluator's right and wrong choices among two images and two captions (BiVLC).
 */
export type ExampleForm =
  'captions' | 'triplet' | 'pair' | 'crossed' | 'altered' | 'preference' | 'choice' | 'rating' | 'decisions';

export type Attribute = string | number | boolean | null;

/** One entry of a dataset: images, captions, and their places in the file. */
export interface Example {
  /** Unique within the dataset. If the file has no ids, Captious makes the ids. */
  id: string;
  form: ExampleForm;
  /** Counted from 0 in file order. */
  row: number;
  place?: Place;
  images: ImageRef[];
  captions: Caption[];
  /** The index of the preferred candidate in `captions`; null if people were undecided. */
  preferred?: number | null;
  /** Set if people rated each candidate separately. `preferred` is then derived from the ratings. */
  rated?: true;
  /**
   * `tag` is the attribute for macro averages, which skip values with fewer than `atLeast` examples. `within` is a
   * second attribute, which the benchmark's tables combine with `tag`.
   */
  by?: { tag: string; atLeast?: number; within?: string };
  /** The names of the two sides, such as positive and negative. A side is an image with its caption. */
  sides?: readonly string[];
  /** For each kind of group, such as `set`, the example's group. Group metrics count a group's examples together. */
  groups?: Record<string, string>;
  /** How many annotators found only the caption right, and not its foil (VALSE). */
  votes?: number;
  /** How many people preferred each of the two candidates. */
  votesFor?: [number, number];
  /** Reference captions of the image, to compare a candidate with. */
  references?: string[];
  /** For each image, whether its caption was chosen (`text`); for each caption, whether its image was. */
  decisions?: { text: boolean[]; image: boolean[] };
  /** What counts as one observation, if the user named its column. By default, this is the image. */
  cluster?: string;
  /** The other columns, for slices and groups. */
  attributes: Record<string, Attribute>;
}

/**
 * What random choices about captions of an image are seeded with. Ids, rows and folders depend on the format, the order
 * and the place of a file, so the same captions in another file get the same choices.
 */
export function drawKey(
  { images }: Pick<Example, 'images'>,
  ...captions: readonly Pick<Caption, 'image' | 'text'>[]
): readonly string[] {
  const name = images.at(captions.at(0)?.image ?? 0)?.name ?? '';
  const known = name.startsWith(ofRow)
    ? ''
    : name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
  return [known, ...captions.map(({ text }) => text.trim())];
}

const ofRow = 'row ';

/** The name of an embedded image without a path. */
export const rowImage = (row: number | string): string => `${ofRow}${row}`;
