import * as z from 'zod/mini';
import { rowSchema } from '../rowSchema';

/** A sample of another program's log. */
export const importedRowSchema = z.extend(rowSchema, {
  /** The sample's scores by name: 1 for right, 0 for wrong, or a number. Each is the mean over the epochs. */
  scores: z.record(z.string(), z.number()),
  /** Whether more is better. A score without an entry has no known direction. */
  better: z.optional(z.record(z.string(), z.enum(['higher', 'lower']))),
  /** The scores of each epoch, if the sample has several. */
  epochs: z.optional(z.record(z.string(), z.array(z.number()))),
  /** What was asked, what was expected and what the model answered, if the log has them. */
  input: z.optional(z.string()),
  target: z.optional(z.string()),
  answer: z.optional(z.string()),
});

export type ImportedRow = z.infer<typeof importedRowSchema>;
