import {
  bytes,
  choice,
  count,
  list,
  nullable,
  number,
  object,
  optional,
  pair,
  type Shaped,
  text,
} from '../base/shape';

/* Why a score is what it is, as pages show it. */

const region = object({
  /** Counted from 0, from the top and from the left. */
  row: count,
  column: count,
  influence: nullable(number),
  /** Its influence on each word. Absent unless it was measured. */
  words: optional(list(nullable(number))),
});
export type ExplainedRegion = Shaped<typeof region>;

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
