import * as z from 'zod/mini';
import { wholeNumber } from '../../base/schema';
import { wordKinds } from '../../perturb/words/wordKinds';
import { captionRowSchema, spanSchema } from '../rowSchema';

const word = z.object({
  word: z.string(),
  /** The word in the caption, in UTF-16 units. */
  span: spanSchema,
  /** The number of words before it. */
  at: wholeNumber,
  /** Absent if the caption is not English. */
  kind: z.optional(z.enum(wordKinds)),
  /** The caption without the word, and its score. */
  text: z.string(),
  score: z.number(),
  /** The caption's score minus the score without the word. */
  influence: z.number(),
  /** The word's Shapley value. Absent unless it was asked for. */
  shapley: z.optional(z.number()),
});

/** One caption with the influence of its words. */
export const explainRowSchema = z.extend(captionRowSchema, {
  score: z.number(),
  /** The number of words, of which `words` lacks those without a score. */
  length: wholeNumber,
  words: z.array(word),
  /** The share of the regions' influence that outlined objects have, and what it would be if all regions were alike. */
  regions: z.optional(z.object({ mass: z.number(), area: z.number() })),
  /** How many orders of the words were sampled for Shapley values. Absent if they are exact, or were not asked for. */
  orders: z.optional(wholeNumber),
  /** In an example's first row: how many captions were left out, because they have too few or too many words. */
  unfit: z.optional(wholeNumber),
});

export type ExplainRow = z.infer<typeof explainRowSchema>;
export type ExplainedWord = z.infer<typeof word>;

export const thirds = ['first', 'middle', 'last'] as const;
export type Third = (typeof thirds)[number];

/** The third of the caption that has the word. */
export function thirdOf({ length }: Pick<ExplainRow, 'length'>, { at }: Pick<ExplainedWord, 'at'>): Third {
  return thirds[Math.floor((3 * at) / length)];
}
