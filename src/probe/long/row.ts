import * as z from 'zod/mini';
import { wholeNumber } from '../../base/schema';
import { editKinds, errorKinds } from '../../perturb/long/kinds';
import { captionRowSchema, spanSchema } from '../rowSchema';

const variant = z.object({
  kind: z.enum([...errorKinds, ...editKinds]),
  text: z.string(),
  /** The new words in `text`, or the edited sentence, in UTF-16 units. */
  span: spanSchema,
  /** The replaced words in the caption, or the edited sentence. */
  was: spanSchema,
  /** For an error: the share of the caption's words before it, and the tenth of the caption, from 1 to 10. */
  position: z.optional(z.number()),
  decile: z.optional(wholeNumber),
  /** For an error: whether it is after the evaluator's token limit. Absent if the limit is not known. */
  past: z.optional(z.boolean()),
  score: z.number(),
  /** The variant's score minus the caption's score. */
  delta: z.number(),
});

/** One caption of several sentences with its variants. */
export const longRowSchema = z.extend(captionRowSchema, {
  words: wholeNumber,
  /** The mean of people's ratings of the caption. Absent if nobody rated it. */
  rating: z.optional(z.number()),
  sentences: z.readonly(z.array(spanSchema)),
  /** Whether the evaluator truncates the caption. Absent if its limit is not known. */
  truncated: z.optional(z.boolean()),
  score: z.number(),
  variants: z.array(variant),
});

export type LongRow = z.infer<typeof longRowSchema>;
export type LongVariant = z.infer<typeof variant>;
export type PlantedVariant = LongVariant & { position: number; decile: number };

export function isError(variant: LongVariant): variant is PlantedVariant {
  return variant.position !== undefined;
}

/** The row of a caption with the distinct variants of several draws. */
export function joinedDraws([first, ...others]: readonly LongRow[]): LongRow {
  const all = [first, ...others].flatMap(({ variants }) => variants);
  const distinct = new Map(all.map((variant) => [`${variant.kind} ${variant.text}`, variant]));
  const { seed, ...row } = first;
  void seed;
  return { ...row, variants: [...distinct.values()] };
}
