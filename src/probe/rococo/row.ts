import * as z from 'zod/mini';
import { wholeNumber } from '../../base/schema';
import { mixSchema } from '../../perturb/transformSchema';
import { rowSchema } from '../rowSchema';

const numbers = z.record(z.string(), z.number());

/** A noun and its edit influence (EI) on the report's evaluator. */
const wordInfluence = z.object({
  start: wholeNumber,
  end: wholeNumber,
  text: z.string(),
  /** Null if the embedding with or without the noun failed. */
  influence: z.nullable(z.number()),
});

/** An altered caption. `source` is the policy that made it, or `file`. */
const altered = z.object({
  source: z.string(),
  text: z.string(),
  from: z.optional(z.string()),
  to: z.optional(z.string()),
  fromConcept: z.optional(z.string()),
  toConcept: z.optional(z.string()),
  /** The cosine with the original caption. */
  similarity: z.optional(z.number()),
});

const alteredImage = z.object({ image: z.string(), transform: mixSchema });

const search = z.object({
  images: z.string(),
  stressed: numbers,
  rsms: z.number(),
  /** The highest score of an altered image in any draw. */
  rival: z.number(),
  /** How the altered image with the highest score was made. The image mixed into it is named as in the dataset. */
  made: z.optional(alteredImage),
});

/** A caption, the influence of its nouns, and its altered versions. */
const captionRow = z.extend(rowSchema, {
  kind: z.literal('caption'),
  caption: z.string(),
  words: z.optional(z.array(wordInfluence)),
  /** The index in `words` of the noun that received the most votes for the least influence. */
  chosen: z.optional(wholeNumber),
  votes: z.optional(wholeNumber),
  voters: z.optional(wholeNumber),
  altered: z.array(altered),
  /** Of the image's other true captions, the closest to this caption. */
  nearest: z.optional(z.object({ text: z.string(), similarity: z.number() })),
  /** Text-to-image search: hits for each kind of altered image, averaged over draws. */
  search: z.optional(z.object({ score: z.number(), hits: z.array(search), clean: numbers })),
});

const listed = z.object({
  text: z.string(),
  score: z.number(),
  /** `true`: a caption of this image. `other`: a caption of another image. */
  kind: z.enum(['true', 'other', 'altered']),
  /** The id of the caption's example. */
  of: z.string(),
});

/** An image and the captions that its search returns. */
const imageRow = z.extend(rowSchema, {
  kind: z.literal('image'),
  caption: z.string(),
  score: z.number(),
  clean: numbers,
  /** The first results of the search without altered captions. */
  first: z.array(listed),
  lists: z.array(
    z.object({ source: z.string(), stressed: numbers, rsms: z.number(), first: z.array(listed) }),
  ),
  /** For each cell of a 4 × 4 grid, by rows: the cosine of the whole image and of it with a black cell. */
  occlusion: z.optional(z.array(z.number())),
});

export const rococoRowSchema = z.discriminatedUnion('kind', [captionRow, imageRow]);

export type WordInfluence = z.infer<typeof wordInfluence>;
export type AlteredRow = z.infer<typeof altered>;
export type AlteredImage = z.infer<typeof alteredImage>;
export type SearchRow = z.infer<typeof search>;
export type ListedCaption = z.infer<typeof listed>;
export type CaptionRow = z.infer<typeof captionRow>;
export type ImageRow = z.infer<typeof imageRow>;
export type RococoRow = z.infer<typeof rococoRowSchema>;
