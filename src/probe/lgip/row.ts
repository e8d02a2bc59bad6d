import * as z from 'zod/mini';
import { wholeNumber } from '../../base/schema';
import { placeSchema, rowSchema } from '../rowSchema';

const span = z.readonly(z.tuple([wholeNumber, wholeNumber]));

const variant = z.object({
  text: z.string(),
  family: z.enum(['paraphrase', 'flip', 'combined', 'beyond']),
  /**
   * For a paraphrase: template, passive, synonym or restructure. For a flip: color, number, object or another
   * type.
   */
  kind: z.string(),
  rule: z.string(),
  score: z.number(),
  /** The variant's score minus the original's. */
  delta: z.number(),
  /** The original's score minus the flip's. Absent for paraphrases. */
  gap: z.optional(z.number()),
  /** The new words in `text` and the replaced words of its source, in UTF-16 units. */
  span,
  was: span,
  /** For a combined variant, the flipped paraphrase's index, and the paraphrase's score minus the variant's. */
  of: z.optional(wholeNumber),
  gapToParaphrase: z.optional(z.number()),
  /** 1 − cosine of flip and original, if the model embeds texts. */
  distance: z.optional(z.number()),
});

/**
 * `given`: the dataset's variants. `no-variant`: no rule applies, or filters and limits removed all. Captions
 * in another language, without words (emoji, digits) or blank stay unchanged; blank ones are not scored.
 */
const outcome = z.enum(['perturbed', 'given', 'no-variant', 'other-language', 'no-word', 'blank']);

/** One caption with all of its variants. */
export const lgipRowSchema = z.extend(rowSchema, {
  /** The caption's index in its example, its column, and its place in the file. */
  caption: wholeNumber,
  field: z.string(),
  captionPlace: z.optional(placeSchema),
  /** The scored text, trimmed. */
  text: z.string(),
  words: wholeNumber,
  outcome,
  /** The score with the image; null for an unscored caption. */
  score: z.nullable(z.number()),
  variants: z.array(variant),
});

export type LgipRow = z.infer<typeof lgipRowSchema>;
export type LgipVariant = z.infer<typeof variant>;
export type Outcome = z.infer<typeof outcome>;
