import * as z from 'zod/mini';
import { wholeNumber } from '../../base/schema';
import { tagsSchema } from '../choice/row';
import { rowSchema } from '../rowSchema';

const withError = z.tuple([z.number(), z.number()]);

/** What several evaluators say about an item. */
const itemFindingsSchema = z.object({
  /** The credit of each evaluator that answered. */
  credits: z.record(z.string(), z.number()),
  /** The probability that the label is wrong, and the item's place among all items by it. */
  wrongLabel: z.optional(z.number()),
  suspect: z.optional(wholeNumber),
  /** On the scale of the evaluators' abilities, with its standard error. */
  difficulty: z.optional(withError),
  discrimination: z.optional(withError),
  /** Whether the item is in the smallest subset that keeps the order of the evaluators. */
  subset: z.optional(z.boolean()),
});

export type ItemFindings = z.infer<typeof itemFindingsSchema>;

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
  evaluators: z.optional(itemFindingsSchema),
});

export type BenchmarkRow = z.infer<typeof benchmarkRowSchema>;
