import * as z from 'zod/mini';
import { between } from '../../base/quickTest';
import { rowSchema } from '../rowSchema';

const wholeFromMinusOne = between(z.int(), -1);
/** Additional fields of an example in the dataset, by name. Reports have slices by their values. */
export const tagsSchema = z.record(z.string(), z.nullable(z.union([z.string(), z.number(), z.boolean()])));

const boxSchema = z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() });

export const choiceRowSchema = z.extend(rowSchema, {
  captions: z.array(z.string()),
  /** The part of each image that the evaluator received, in pixels. Null means the whole image. */
  crops: z.optional(z.array(z.nullable(boxSchema))),
  /** Names of the images; empty if only captions are compared. */
  images: z.array(z.string()),
  /** For each caption, the index of its image; -1 for a wrong caption. */
  rightOf: z.array(wholeFromMinusOne),
  /** Scores by image, then by caption. */
  scores: z.array(z.array(z.number())),
  /** For triplets: the similarities of the two right captions, and of each with the wrong one. */
  texts: z.optional(z.tuple([z.number(), z.number(), z.number()])),
  tags: z.optional(tagsSchema),
  /** The tag whose values have equal weights in the macro averages. */
  by: z.optional(
    z.object({ tag: z.string(), atLeast: z.optional(z.number()), within: z.optional(z.string()) }),
  ),
  /** For BiVLC: the names of the two sides, "positive" and "negative". A side is an image with its caption. */
  sides: z.optional(z.array(z.string())),
  /**
   * Decisions of an external evaluator without scores: whether it found the right caption for each image
   * (`text`), and the right image for each caption (`image`).
   */
  decisions: z.optional(z.object({ text: z.array(z.boolean()), image: z.array(z.boolean()) })),
  /** For each group metric, the id of the example's group, which is right if all of its examples are. */
  groups: z.optional(z.record(z.string(), z.string())),
});

export type ChoiceRow = z.infer<typeof choiceRowSchema>;
