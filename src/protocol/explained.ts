import {
  bytes,
  choice,
  count,
  flag,
  list,
  nullable,
  number,
  object,
  optional,
  pair,
  type Shape,
  type Shaped,
  text,
} from '../base/shape';

/* Why a score is what it is, as pages show it. */

const influences = {
  influence: nullable(number),
  /** The influence on each word. Absent unless it was measured. */
  words: optional(list(nullable(number))),
};

const region = object({
  /** Counted from 0, from the top and from the left. */
  row: count,
  column: count,
  ...influences,
});

/** The influence of a part of the image: of a region of a grid, or of an object. */
export type ExplainedPart = Shaped<ReturnType<typeof object<typeof influences>>>;

/** An object of the image that was hidden. The box is x, y, width, height in pixels. */
const hiddenObject = object({
  ...{ name: text, box: list(number) as Shape<readonly number[]>, share: number },
  ...influences,
});

const word = object({
  ...{ word: text, start: count, end: count },
  influence: nullable(number),
  /** The 95 % interval of a sampled influence. */
  ci: optional(pair(number, number)),
  /** The score of the caption without this word. */
  without: nullable(number),
});

const wordChange = object({ from: text, to: text, influence: number, ci: optional(pair(number, number)) });

export const explained = object({
  caption: text,
  /** The text that the caption was compared with. Absent if it was compared with its image. */
  against: optional(text),
  method: choice('shapley', 'leave-one-out'),
  permutations: optional(count),
  score: number,
  /** The score of a caption without words. */
  base: nullable(number),
  words: list(word),
  grid: optional(object({ rows: count, columns: count })),
  regions: optional(list(region)),
  /** The largest objects of the image, of the given size. `leftOut` counts smaller ones. */
  objects: optional(object({ width: number, height: number, leftOut: count, found: list(hiddenObject) })),
  /** Whether the outlines of objects can be asked for. */
  hasOutlines: optional(flag),
  /** Which changed words carry the difference to the other caption. Its regions are those of the difference. */
  change: optional(
    object({
      otherScore: number,
      difference: number,
      changes: list(wordChange),
      regions: optional(list(region)),
    }),
  ),
  /** The explanation as a file, if one was asked for. */
  written: optional(text),
  /** The same, if the file is not a text. */
  bytes: optional(bytes),
});
export type Explained = Shaped<typeof explained>;
export type ExplainedObjects = NonNullable<Explained['objects']>;
