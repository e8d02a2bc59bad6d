import * as z from 'zod/mini';
import { wholeNumber } from '../../base/schema';
import type { Transform } from '../../perturb/transform';
import { maskSchema, rowTransformSchema } from '../../perturb/transformSchema';
import { placeSchema, rowSchema } from '../rowSchema';

export const categories = [
  'person',
  'animal',
  'vehicle',
  'furniture',
  'kitchen',
  'sports',
  'electronics',
  'indoor',
  'outdoor',
] as const;
export type Category = (typeof categories)[number];

const auditObject = z.object({
  label: z.string(),
  category: z.enum(categories),
  /** The vocabularies do not agree on the category. */
  tied: z.boolean(),
  /** x, y, width, height, in pixels. */
  box: z.readonly(z.tuple([z.number(), z.number(), z.number(), z.number()])),
  /** Of its box, as a share of the image. */
  coverage: z.number(),
  bin: z.string(),
  mask: z.optional(maskSchema),
});

const axis = z.enum(['spatial', 'societal']);

const variant = z.object({
  axis,
  family: z.string(),
  /** Empty where a family has but one. */
  variant: z.string(),
  /** Of a caption from the dataset: the word taken out, or swapped for another. */
  natural: z.optional(z.enum(['neutralised', 'swapped'])),
  /** What was done to the image; a move's mask is the object's. */
  transform: z.optional(rowTransformSchema),
  /** What was scored, and what against, where the caption was changed. */
  text: z.optional(z.string()),
  againstText: z.optional(z.string()),
  against: z.number(),
  score: z.number(),
  /** score − against. */
  delta: z.number(),
  /** 100 · delta / |against|; null where |against| is below a millionth. */
  change: z.nullable(z.number()),
  seams: z.optional(z.object({ background: z.nullable(z.number()), seam: z.nullable(z.number()) })),
  /** Of a word in a made caption, where the evaluator has a text space. */
  valence: z.optional(z.object({ word: z.number(), phrase: z.number() })),
});

const rejection = z.object({
  what: z.string(),
  reason: z.string(),
  /** The numbers behind it. */
  detail: z.optional(z.string()),
});

/** One caption of one image, with every change that was tried on either. */
export const invarianceRowSchema = z
  .extend(rowSchema, {
    /** Of the image: one prominent object, two to four, or it is not known or was rejected. */
    objects: z.enum(['single', 'multi', 'none']),
    /** Made from a template, or the dataset's own; of the latter, index, column and place. */
    source: z.enum(['template', 'dataset']),
    caption: z.optional(wholeNumber),
    field: z.optional(z.string()),
    captionPlace: z.optional(placeSchema),
    text: z.string(),
    object: z.optional(auditObject),
    /** Of the caption as it is; null where nothing could be asked. */
    score: z.nullable(z.number()),
    variants: z.array(variant),
    /** What was not tried, and why. */
    rejected: z.array(rejection),
  })
  .check(
    z.refine(
      ({ object, variants }) =>
        object?.mask !== undefined || variants.every(({ transform }) => transform?.op !== 'move'),
      'whole: it moves an object that has no mask',
    ),
  );

export type InvarianceRow = z.infer<typeof invarianceRowSchema>;
export type AuditObject = z.infer<typeof auditObject>;
export type AuditVariant = z.infer<typeof variant>;
export type RowTransform = z.infer<typeof rowTransformSchema>;
export type Rejection = z.infer<typeof rejection>;
export type Axis = z.infer<typeof axis>;

/** What turns the row's photo into the variant's. */
export function transformsOf(row: InvarianceRow, { transform }: AuditVariant): Transform[] {
  if (transform === undefined) return [];
  if (transform.op !== 'move') return [transform];
  const mask = row.object?.mask;
  if (mask === undefined) throw new Error(`Row ${row.example} moves an object that has no mask.`);
  const { dx, dy, fill, feather } = transform;
  return [{ op: 'move', mask, dx, dy, fill, feather }];
}

/** Scores closer to zero than this have no change in percent. */
export const leastScore = 1e-6;

export function changeOf(score: number, against: number): number | null {
  return Math.abs(against) < leastScore ? null : (100 * (score - against)) / Math.abs(against);
}

/** Rows that count in the figures without a slice: made captions of single objects, or, where none were made, the dataset's own. */
export function mainRows(rows: readonly InvarianceRow[]): InvarianceRow[] {
  const templated = rows.some(({ source }) => source === 'template');
  return rows.filter((row) =>
    templated ? row.source === 'template' && row.objects === 'single' : row.source === 'dataset',
  );
}

/** Whether a variant counts in its axis: not the controls, and not what was done to a caption somebody wrote. */
export function isMainVariant({ family, natural }: AuditVariant): boolean {
  return family !== 'neutral' && natural === undefined;
}
