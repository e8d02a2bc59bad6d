import * as z from 'zod/mini';
import { wholeNumber } from '../../base/schema';
import { captionRowSchema, spanSchema } from '../rowSchema';

const variant = z.object({
  text: z.string(),
  family: z.enum(['paraphrase', 'flip', 'combined', 'beyond']),
  /**
   * For a paraphrase: template, passive, synonym, restructure or given. For a flip: color, number, object or
   * another type.
   */
  kind: z.string(),
  rule: z.string(),
  score: z.number(),
  /** The variant's score minus the original caption's score. */
  delta: z.number(),
  /** The original caption's score minus the flip's score. Absent for paraphrases. */
  gap: z.optional(z.number()),
  /** The range of the new words in `text`, in UTF-16 units. */
  span: spanSchema,
  /** The range of the replaced words in the original caption or, for a combined variant, in the paraphrase. */
  was: spanSchema,
  /** For a combined variant: the index of the paraphrase that was flipped. */
  of: z.optional(wholeNumber),
  /** For a combined variant: the paraphrase's score minus the variant's score. */
  gapToParaphrase: z.optional(z.number()),
  /** For a flip: 1 − cosine of the flip and the original caption. Absent if the evaluator does not embed texts. */
  distance: z.optional(z.number()),
});

/**
 * `given`: the variants are from the dataset. `no-variant`: no rule applies, or filters and limits removed all
 * variants. `too-long`: the caption, or a word in it, is too long to be parsed. `no-word`: the caption has only emoji, digits or punctuation. Blank captions are not scored.
 */
const outcome = z.enum([
  'perturbed',
  'given',
  'no-variant',
  'other-language',
  'no-word',
  'too-long',
  'blank',
]);

/** One caption with all of its variants. */
export const lgipRowSchema = z.extend(captionRowSchema, {
  words: wholeNumber,
  outcome,
  /** The caption's score with the image; null for a blank caption. */
  score: z.nullable(z.number()),
  variants: z.array(variant),
});

export type LgipRow = z.infer<typeof lgipRowSchema>;
export type LgipVariant = z.infer<typeof variant>;
export type Outcome = z.infer<typeof outcome>;

/** The row without some variants, and without flips of these variants. */
export function withoutVariants(row: LgipRow, isGone: (variant: LgipVariant) => boolean): LgipRow {
  const gone = row.variants.map(isGone);
  if (!gone.includes(true)) return row;
  const isKept = ({ of }: LgipVariant, at: number): boolean => !gone[at] && !(of !== undefined && gone[of]);
  const places = new Map<number, number>();
  for (const [at, variant] of row.variants.entries()) if (isKept(variant, at)) places.set(at, places.size);
  const variants = row.variants
    .filter(isKept)
    .map((variant) => (variant.of === undefined ? variant : { ...variant, of: places.get(variant.of)! }));
  return { ...row, variants };
}

/** The row of a caption with the distinct variants of several draws. */
export function joinedDraws(rows: readonly LgipRow[]): LgipRow {
  const keyOf = ({ family, text }: LgipVariant): string => `${family} ${text}`;
  const distinct = new Map<string, { variant: LgipVariant; from: LgipRow }>();
  for (const from of rows)
    for (const variant of from.variants)
      if (!distinct.has(keyOf(variant))) distinct.set(keyOf(variant), { variant, from });
  const places = new Map([...distinct.keys()].map((key, at) => [key, at]));
  const variants = [...distinct.values()].map(({ variant, from }) =>
    variant.of === undefined ? variant : { ...variant, of: places.get(keyOf(from.variants[variant.of]))! },
  );
  const { seed, ...row } = rows.find((one) => one.variants.length > 0) ?? rows[0];
  void seed;
  return { ...row, variants };
}
