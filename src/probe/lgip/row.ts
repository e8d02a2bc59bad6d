import * as z from 'zod/mini';
import { wholeNumber } from '../../base/schema';
import { placeSchema, rowSchema } from '../rowSchema';

const span = z.readonly(z.tuple([wholeNumber, wholeNumber]));

const variant = z.object({
  text: z.string(),
  family: z.enum(['paraphrase', 'flip', 'combined', 'beyond']),
  /** Of a paraphrase: template, passive, synonym, restructure. Of a flip: color, number, object, or what it is beyond the paper. */
  kind: z.string(),
  rule: z.string(),
  score: z.number(),
  /** The variant's score minus the original's. */
  delta: z.number(),
  /** The original's score minus the flip's; absent for a paraphrase. */
  gap: z.optional(z.number()),
  /** What is new in `text`, and what it replaces in the text it was made from, in UTF-16 units. */
  span,
  was: span,
  /** Of a combined variant: the index of the paraphrase that was flipped, and that one's score minus this one's. */
  of: z.optional(wholeNumber),
  gapToParaphrase: z.optional(z.number()),
  /** 1 − cosine of the flip and the original in the model's text space; absent where it has none. */
  distance: z.optional(z.number()),
});

/**
 * - `perturbed`: it has variants;
 * - `given`: it has variants, and the dataset brought them;
 * - `no-variant`: nothing of it survived the filters and caps;
 * - `other-language`, `no-word` (emoji, digits), `blank`: nothing was made from it, and a blank one was not scored.
 */
const outcome = z.enum(['perturbed', 'given', 'no-variant', 'other-language', 'no-word', 'blank']);

/** One caption with everything that was asked about it. */
export const lgipRowSchema = z.extend(rowSchema, {
  /** Index of the caption in its example, the column it was read from, and its place in the file. */
  caption: wholeNumber,
  field: z.string(),
  captionPlace: z.optional(placeSchema),
  /** Trimmed, as it was scored. */
  text: z.string(),
  words: wholeNumber,
  outcome,
  /** Against the image; null where the caption was not scored. */
  score: z.nullable(z.number()),
  variants: z.array(variant),
});

export type LgipRow = z.infer<typeof lgipRowSchema>;
export type LgipVariant = z.infer<typeof variant>;
export type Outcome = z.infer<typeof outcome>;
