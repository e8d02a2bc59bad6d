import * as z from 'zod/mini';
import { rowCheck, rowSchema } from '../rowSchema';

const sides = { p1p2: z.number(), p1n: z.number(), p2n: z.number() };
const result = { right: z.boolean(), tie: z.boolean() };
const edges = z.object(sides);

/**
 * P1 is the positive that differs from the negative in fewer characters. `swapped`: whether the file has the
 * positives in the other order.
 */
const vislaRowSchema = z.extend(rowSchema, {
  p1: z.string(),
  p2: z.string(),
  n: z.string(),
  swapped: z.boolean(),
  /** The edit distances of the three pairs of captions: in characters (`characters`) and in words (`words`). */
  characters: edges,
  words: edges,
  /** The cosines of the three pairs, and whether the positives are closer to each other than to the negative. */
  t2t: z.optional(z.object({ ...sides, ...result })),
  /** The scores of the three captions with the image, and whether both positives score above the negative. */
  i2t: z.optional(z.object({ p1: z.number(), p2: z.number(), n: z.number(), ...result })),
  /** Which settings are right, if both were scored. */
  settings: z.optional(z.enum(['both right', 'both wrong', 'only t2t', 'only i2t'])),
});

export type VislaRow = z.infer<typeof vislaRowSchema>;

export const vislaRowCheck = rowCheck(vislaRowSchema, {
  holds: ({ t2t, i2t }) => t2t !== undefined || i2t !== undefined,
  expected: 'scored: it has neither t2t nor i2t',
});
export type Edges = z.infer<typeof edges>;
