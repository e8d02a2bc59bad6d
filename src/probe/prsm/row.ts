import * as z from 'zod/mini';
import { smallest } from '../../base/extent';
import { rowSchema } from '../rowSchema';

/** Two wordings of a query, and how well their image rankings agree. */
const pair = z.object({
  first: z.string(),
  second: z.string(),
  /** Null if all images have equal scores for one of the wordings. */
  rho: z.nullable(z.number()),
  listwise: z.nullable(z.number()),
  /** The share of common images, by size of the top list. */
  shared: z.record(z.string(), z.number()),
});

export const queryRowSchema = z.extend(rowSchema, {
  kind: z.literal('query'),
  caption: z.string(),
  /** How often the dataset has the caption. */
  occurrences: z.optional(z.number()),
  /** How often the caption counts in metrics and tests, if more than once. */
  weight: z.optional(z.number()),
  wordings: z.array(z.object({ label: z.string(), text: z.string(), first: z.array(z.string()) })),
  pairs: z.array(pair),
  /**
   * For each wording except the first of its set: the top images that it adds (`entered`) and drops (`left`),
   * compared with the first wording (`against`).
   */
  moved: z.array(
    z.object({
      label: z.string(),
      against: z.string(),
      entered: z.array(z.string()),
      left: z.array(z.string()),
    }),
  ),
  /** The means over all pairs of wordings in the sets, as in metrics without a slice. */
  global: z.nullable(z.number()),
  listwise: z.nullable(z.number()),
  local: z.record(z.string(), z.number()),
});

export type PairRow = z.infer<typeof pair>;
export type QueryRow = z.infer<typeof queryRowSchema>;

/** The mean overlap of two wordings' smallest top lists. A report's rows are sorted by it. */
export function steadiness({ local }: QueryRow): number {
  return local[smallest(Object.keys(local).map(Number))];
}
