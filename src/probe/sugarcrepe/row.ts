import * as z from 'zod/mini';
import { tagsSchema } from '../choice/row';
import { rowSchema } from '../rowSchema';

export const sugarcrepeRowSchema = z.extend(rowSchema, {
  caption: z.string(),
  negative: z.string(),
  /** The scores of both captions with the image. */
  i2t: z.optional(
    z.object({ caption: z.number(), negative: z.number(), right: z.boolean(), tie: z.boolean() }),
  ),
  /** The cosine of the two captions with each other. */
  text: z.optional(z.number()),
  tags: z.optional(tagsSchema),
});

export type SugarcrepeRow = z.infer<typeof sugarcrepeRowSchema>;
