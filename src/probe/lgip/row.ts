import * as z from 'zod/mini';
import { wholeNumber } from '../../base/schema';
import { placeSchema, rowSchema } from '../rowSchema';

const span = z.readonly(z.tuple([wholeNumber, wholeNumber]));

const variant = z.object({
  text: z.string(),
  family: z.enum(['paraphrase', 'flip', 'combined', 'beyond']),
  /** Paraphrase: template, passive, synonym, restructure. Flip: color, number, object, or a type beyond the paper. */
  kind: z.string(),
  rule: z.string(),
  score: z.number(),
  /** Score of the variant minus score of the original. */
  delta: z.number(),
  /** Score of the original minus score of the flip; absent for a paraphrase. */
  gap: z.optional(z.number()),
  /** The new words in `text`, and the words they replace in its source, in UTF-16 units. */
  span,
  was: span,
  /** For a combined variant: index of the flipped paraphrase, and its score minus this one. */
  of: z.optional(wholeNumber),
  gapToParaphrase: z.optional(z.number()),
  /** 1 − cosine of flip and original in the model's text space; absent if it has none. */
  distance: z.optional(z.number()),
});

/**
 * `given`: the variants are the dataset's. `no-variant`: filters and caps left none. `other-language`, `no-word`
 * (emoji, digits), `blank`: not changed; a blank one was not scored.
 */
const outcome = z.enum(['perturbed', 'given', 'no-variant', 'other-language', 'no-word', 'blank']);

/** One caption with all of its variants. */
export const lgipRowSchema = z.extend(rowSchema, {
  /** Index of the caption in its example, its column, and its place in the file. */
  caption: wholeNumber,
  field: z.string(),
  captionPlace: z.optional(placeSchema),
  /** Trimmed, as it was scored. */
  text: z.string(),
  words: wholeNumber,
  outcome,
  /** Score with the image; null if the caption was not scored. */
  score: z.nullable(z.number()),
  variants: z.array(variant),
});

export type LgipRow = z.infer<typeof lgipRowSchema>;
export type LgipVariant = z.infer<typeof variant>;
export type Outcome = z.infer<typeof outcome>;
