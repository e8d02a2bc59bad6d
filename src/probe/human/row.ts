import * as z from 'zod/mini';
import { tagsSchema } from '../choice/row';
import { rowSchema } from '../rowSchema';

/**
 * A judgment of people. `rating`: one caption that people rated. `preference`: two captions that people
 * compared. `foil`: a caption and the same caption with an error.
 */
export const humanRowSchema = z.extend(rowSchema, {
  kind: z.enum(['rating', 'preference', 'foil']),
  captions: z.array(z.string()),
  /** The scores by draw of references, then by caption. Without references, there is one draw. */
  scores: z.array(z.array(z.number())),
  /** The number of references in each draw. */
  references: z.optional(z.array(z.number())),
  /** For a rating, each person's rating. */
  ratings: z.optional(z.array(z.number())),
  /** For a rating, the caption's rank by people and by the evaluator, from 0 to 1. */
  ranks: z.optional(z.object({ people: z.number(), evaluator: z.number() })),
  /** For a rating, whether it is in the lowest, middle or highest third of all ratings. */
  band: z.optional(z.enum(['low', 'middle', 'high'])),
  /** The index of the preferred caption; null if people were undecided. */
  preferred: z.optional(z.nullable(z.number())),
  /** The number of votes for each caption. */
  votes: z.optional(z.tuple([z.number(), z.number()])),
  /** The system that generated each caption. */
  systems: z.optional(z.array(z.string())),
  tags: z.optional(tagsSchema),
});

export type HumanRow = z.infer<typeof humanRowSchema>;

/** The first caption's score in the first draw. */
export function scoreOf({ scores }: HumanRow): number {
  return scores[0][0];
}

/** The preferred caption's score minus the other caption's score, in one draw of references. */
export function leadOf({ scores, preferred }: HumanRow, draw = 0): number {
  const own = preferred ?? 0;
  return scores[draw][own] - scores[draw][1 - own];
}

/** The captions of an image are compared with each other. What counts as one observation is `clusterOf`. */
export function imageOf({ image, example }: HumanRow): string {
  return image ?? example;
}

/** Columns that say what kind of pair an example is, such as two captions by people, or one by a machine. */
export const kindColumns = /^(category|kind|type)$/i;

/** The kind of the row's pair, if the dataset names it. */
export function kindOf({ tags = {} }: Pick<HumanRow, 'tags'>): string | undefined {
  const column = Object.keys(tags).find((name) => kindColumns.test(name));
  const kind = column === undefined ? undefined : tags[column];
  return typeof kind === 'string' && kind !== '' ? kind : undefined;
}
