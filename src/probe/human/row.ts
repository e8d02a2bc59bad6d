import * as z from 'zod/mini';
import { tagsSchema } from '../choice/row';
import { rowSchema } from '../rowSchema';

/**
 * - `rating`: one caption that people rated;
 * - `preference`: two captions, one of which people preferred;
 * - `foil`: a caption and the same caption with an error.
 */
export const humanRowSchema = z.extend(rowSchema, {
  kind: z.enum(['rating', 'preference', 'foil']),
  captions: z.array(z.string()),
  /** By draw of references, then by caption; one draw if the evaluator compares with no or all references. */
  scores: z.array(z.array(z.number())),
  /** Number of references in each draw. */
  references: z.optional(z.array(z.number())),
  /** Only for a rating: the rating of each person. */
  ratings: z.optional(z.array(z.number())),
  /** Of a rating: where people and the evaluator rank the caption among all, from 0 to 1. */
  ranks: z.optional(z.object({ people: z.number(), evaluator: z.number() })),
  /** Of a rating: the third of all ratings that it belongs to. */
  band: z.optional(z.enum(['low', 'middle', 'high'])),
  /** Index of the preferred caption; null if people were undecided. */
  preferred: z.optional(z.nullable(z.number())),
  /** How many people voted for each caption. */
  votes: z.optional(z.tuple([z.number(), z.number()])),
  /** The system that wrote each caption. */
  systems: z.optional(z.array(z.string())),
  tags: z.optional(tagsSchema),
});

export type HumanRow = z.infer<typeof humanRowSchema>;

/** The first draw's score of the only or first caption. */
export function scoreOf({ scores }: HumanRow): number {
  return scores[0][0];
}

/** Lead of the preferred caption over the other, in one draw. */
export function leadOf({ scores, preferred }: HumanRow, draw = 0): number {
  const own = preferred ?? 0;
  return scores[draw][own] - scores[draw][1 - own];
}

export function imageOf({ image, example }: HumanRow): string {
  return image ?? example;
}
