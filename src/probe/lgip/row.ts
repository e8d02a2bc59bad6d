import * as z from 'zod/mini';
import { wholeNumber } from '../../base/schema';
import { placeSchema, rowSchema } from '../rowSchema';

const span = z.readonly(z.tuple([wholeNumber, wholeNumber]));

const variant = z.object({
  text: z.string(),
  family: z.enum(['paraphrase', 'flip', 'combined', 'beyond']),
  /**
   * For a paraphrase: template, passive, synonym or restructure. For a flip: color, number, object, or a type
   * that is not in the paper.
   */
  kind: z.string(),
  rule: z.string(),
  score: z.number(),
  /** The variant's score minus the original's. */
  delta: z.number(),
  /** The original's score minus the flip's. Absent for a paraphrase. */
  gap: z.optional(z.number()),
  /** The new words in `text`, and the words of its source that they replace, in UTF-16 units. */
  span,
  was: span,
  /**
   * For a combined variant: the index of the flipped paraphrase, and the paraphrase's score minus the
   * variant's.
   */
  of: z.optional(wholeNumber),
  gapToParaphrase: z.optional(z.number()),
  /** 1 − cosine of flip and original, if the model embeds texts. */
  distance: z.optional(z.number()),
});

/**
 * `given`: the variants are the dataset's. `no-variant`: filters and limits left none. `other-language`,
 * `no-word` (emoji, digits) and `blank` captions were not changed, and blank ones not scored.
 */
const outcome = z.enum(['perturbed', 'given', 'no-variant', 'other-language', 'no-word', 'blank']);

/** One caption with all of its variants. */
export const lgipRowSchema = z.extend(rowSchema, {
  /** The caption's index in its example, its column, and its place in the file. */
  caption: wholeNumber,
  field: z.string(),
  captionPlace: z.optional(placeSchema),
  /** The text as scored, without spaces at its ends. */
  text: z.string(),
  words: wholeNumber,
  outcome,
  /** The score with the image; null if the caption was not scored. */
  score: z.nullable(z.number()),
  variants: z.array(variant),
});

export type LgipRow = z.infer<typeof lgipRowSchema>;
export type LgipVariant = z.infer<typeof variant>;
export type Outcome = z.infer<typeof outcome>;
