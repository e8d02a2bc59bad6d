import {
  choice,
  count,
  flag,
  list,
  number,
  object,
  optional,
  type Shaped,
  text,
  words,
} from '../../base/shape';

const step = object({
  kind: choice('insert', 'replace', 'delete'),
  /** The inserted word, the new word, or the deleted word. */
  word: text,
  text,
  score: number,
  /** How many texts were scored so far. */
  queries: count,
});

/** A search for a text with a higher score: the texts that it took, each with a higher score than the one before. */
export const climbed = object({
  caption: text,
  score: number,
  /** How many texts could be scored, and how many were. */
  budget: count,
  queries: count,
  path: list(step),
});
export type Climbed = Shaped<typeof climbed>;

export const fooledRequests = {
  /**
   * Searches for a text that the report's evaluator scores higher with the image than the caption `text` of the table
   * line `index`, or with the part of the image that was
   * scored for the line `crop`. The search with a larger budget continues that with a smaller one, whose scores are known.
   */
  fool: {
    ask: object({
      report: text,
      index: count,
      text,
      image: optional(text),
      crop: optional(count),
      budget: count,
    }),
    answer: object({
      search: climbed,
      /** Whether there is no further text to score. */
      isOver: flag,
      /** How many of the texts have no score, and why the last of them has none. */
      lost: count,
      problem: optional(words),
    }),
  },
};
