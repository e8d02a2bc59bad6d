/* A mark of the checkpoint: the examples up to it are measured, and their rows are on disk. */
import {
  choice,
  count,
  countOrText,
  flag,
  list,
  number,
  object,
  optional,
  pair,
  record,
  type Shape,
  text,
  words,
} from '../../base/shape';
import type { Answers } from '../../probe/refused/answers';

const leftOutShape = object({
  reason: words,
  line: optional(countOrText),
  number: optional(count),
  unscored: optional(flag),
});

const answersShape: Shape<Answers> = object({
  cluster: text,
  image: optional(text),
  groups: record(text),
  kinds: record(pair(count, count)),
  lost: optional(object({ variants: count, captions: count, images: count })),
  unreadable: optional(count),
  number: optional(count),
});

const seatShape = object({
  /** Bytes of rows so far. */
  bytes: count,
  lines: count,
  crc: number,
  examples: count,
  /** The skipped examples and the keys of truncated texts since the previous mark. */
  leftOut: list(leftOutShape),
  cut: text,
  /** The answers to the pairs of the examples since the previous mark. */
  answers: list(answersShape),
  /** The test of the evaluator before the run. */
  repeat: optional(
    object({
      pairs: count,
      constant: optional(flag),
      decides: optional(choice('chance', 'order', 'batch')),
      largest: optional(number),
      relative: optional(number),
    }),
  ),
});

const placeShape = object({ line: count, column: count, offset: count, length: count });

export const markShape = object({
  /** Number of examples read. */
  examples: count,
  /** The position of the last example. */
  position: object({ row: count, nth: count, place: optional(placeShape) }),
  /** A hash of the states of all image files so far, from `ImageStates`. */
  images: text,
  evaluatorRuns: list(seatShape),
});

export type LeftOutOne = ReturnType<typeof leftOutShape>;
export type Mark = ReturnType<typeof markShape>;
