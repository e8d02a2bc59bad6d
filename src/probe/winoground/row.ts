import * as z from 'zod/mini';
import { tagsSchema } from '../choice/row';
import { rowSchema } from '../rowSchema';

/** `c0i1` is the score of caption 0 with image 1. */
export const winogroundRowSchema = z.extend(rowSchema, {
  captions: z.tuple([z.string(), z.string()]),
  images: z.tuple([z.string(), z.string()]),
  c0i0: z.number(),
  c1i0: z.number(),
  c0i1: z.number(),
  c1i1: z.number(),
  /** Whether each image finds its caption (`text`), each caption its image (`image`), and both (`group`). */
  right: z.object({ text: z.boolean(), image: z.boolean(), group: z.boolean() }),
  tags: z.optional(tagsSchema),
});

export type WinogroundRow = z.infer<typeof winogroundRowSchema>;
