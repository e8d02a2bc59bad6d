import * as z from 'zod/mini';
import { wholeNumber } from '../../base/schema';
import { tagsSchema } from '../choice/row';
import { rowSchema } from '../rowSchema';

export const benchmarkRowSchema = z.extend(rowSchema, {
  captions: z.array(z.string()),
  /** The index of the right caption. */
  right: wholeNumber,
  /** The credit of a model that is blind in some way, by its name: 1 for right, 0 for wrong, a part for ties. */
  credits: z.record(z.string(), z.number()),
  /** What is wrong with the item, such as `duplicate`. */
  faults: z.optional(z.array(z.string())),
  /** The name of the earlier image that the item's image equals or nearly equals. */
  earlierImage: z.optional(z.string()),
  /** What the item shares with other files or splits, and which, such as `leakedCaption`: `train.json`. */
  leaks: z.optional(z.record(z.string(), z.string())),
  tags: z.optional(tagsSchema),
});

export type BenchmarkRow = z.infer<typeof benchmarkRowSchema>;
