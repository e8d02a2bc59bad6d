import * as z from 'zod/mini';
import { rowSchema } from '../rowSchema';

const wholeFromMinusOne = z.number().check(z.refine((value) => Number.isInteger(value) && value >= -1));
/** Further fields of the example in the file. */
export const tagsSchema = z.record(z.string(), z.nullable(z.union([z.string(), z.number(), z.boolean()])));

const boxSchema = z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() });

export const choiceRowSchema = z.extend(rowSchema, {
  captions: z.array(z.string()),
  /** Part of each image that the evaluator saw, in pixels; null for the whole image. */
  crops: z.optional(z.array(z.nullable(boxSchema))),
  /** Names of the images; empty if only captions were compared. */
  photos: z.array(z.string()),
  /** For each caption the index of its image; -1 if it is wrong for all. */
  rightOf: z.array(wholeFromMinusOne),
  /** By image, then by caption. */
  scores: z.array(z.array(z.number())),
  /** Similarities of two positives and a wrong caption: first–second, first–wrong, second–wrong. */
  texts: z.optional(z.tuple([z.number(), z.number(), z.number()])),
  tags: z.optional(tagsSchema),
  /** The tag for macro averages. */
  by: z.optional(
    z.object({ tag: z.string(), atLeast: z.optional(z.number()), within: z.optional(z.string()) }),
  ),
  /** What distinguishes the first image and its caption from the second. */
  sides: z.optional(z.array(z.string())),
  /** Decisions made elsewhere, without scores: per image and per caption. */
  decisions: z.optional(z.object({ text: z.array(z.boolean()), image: z.array(z.boolean()) })),
  /** Examples that count together, by the name of the metric. */
  groups: z.optional(z.record(z.string(), z.string())),
});

export type ChoiceRow = z.infer<typeof choiceRowSchema>;
