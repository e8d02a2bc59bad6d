import * as z from 'zod/mini';
import { rowSchema } from '../rowSchema';

const wholeFromMinusOne = z.number().check(z.refine((value) => Number.isInteger(value) && value >= -1));
/** What the file says of an example, besides its images and captions. */
export const tagsSchema = z.record(z.string(), z.nullable(z.union([z.string(), z.number(), z.boolean()])));

export const choiceRowSchema = z.extend(rowSchema, {
  captions: z.array(z.string()),
  /** Names of the images; none where only texts were compared. */
  photos: z.array(z.string()),
  /** For each caption the image it is right of; -1 where it is wrong of all. */
  rightOf: z.array(wholeFromMinusOne),
  /** By image, then by caption. */
  scores: z.array(z.array(z.number())),
  /** Of two captions that say the same and a wrong one: first with second, first with wrong, second with wrong. */
  texts: z.optional(z.tuple([z.number(), z.number(), z.number()])),
  tags: z.optional(tagsSchema),
  /** The tag over whose values a macro average is taken. */
  by: z.optional(z.object({ tag: z.string(), atLeast: z.optional(z.number()) })),
  /** Examples that count together, by the name of the metric. */
  groups: z.optional(z.record(z.string(), z.string())),
});

export type ChoiceRow = z.infer<typeof choiceRowSchema>;
