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
  tags: z.optional(tagsSchema),
});

export type BenchmarkRow = z.infer<typeof benchmarkRowSchema>;
