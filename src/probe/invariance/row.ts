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
  /** Whether the label has another category that is equally frequent in the vocabularies. */
  tied: z.boolean(),
  /** x, y, width and height, in pixels. */
  box: z.readonly(z.tuple([z.number(), z.number(), z.number(), z.number()])),
  /** The area of the box as a share of the image. */
  coverage: z.number(),
  bin: z.string(),
  mask: z.optional(maskSchema),
});

const axis = z.enum(['spatial', 'societal']);

const variant = z.object({
  axis,
  family: z.string(),
  /** Empty if the family has only one variant. */
  variant: z.string(),
  /** For a caption of the dataset: whether the word was removed or swapped. */
  natural: z.optional(z.enum(['neutralised', 'swapped'])),
  /** The change of the image. A moved object has the mask of the row's object. */
  transform: z.optional(rowTransformSchema),
  /**
   * For a changed caption: the scored text, and the text to compare it with. For a moved object whose caption
   * names a side: that caption, twice.
   */
  text: z.optional(z.string()),
  againstText: z.optional(z.string()),
  against: z.number(),
  score: z.number(),
  delta: z.number(),
  /** 100 · delta / |against|; null if |against| is below a millionth. */
  change: z.nullable(z.number()),
  seams: z.optional(z.object({ background: z.nullable(z.number()), seam: z.nullable(z.number()) })),
  /**
   * For a word in a generated caption: its valence, alone and with its object. Absent if the evaluator embeds
   * no texts.
   */
  valence: z.optional(z.object({ word: z.number(), phrase: z.number() })),
});

const rejection = z.object({
  what: z.string(),
  reason: z.string(),
  /** Facts that explain the reason, such as a number. */
  detail: z.optional(z.string()),
});

/** One caption of one image, with every change that was tried on the caption or on the image. */
export const invarianceRowSchema = z
  .extend(rowSchema, {
    /** `single` for one prominent object, `multi` for two to four, `none` if no object is known or accepted. */
    objects: z.enum(['single', 'multi', 'none']),
    /** Whether the caption was generated. A caption of the dataset also has its index, column and place. */
    source: z.enum(['template', 'dataset']),
    caption: z.optional(wholeNumber),
    field: z.optional(z.string()),
    captionPlace: z.optional(placeSchema),
    text: z.string(),
    object: z.optional(auditObject),
    /** Score of the unchanged caption; null if neither it nor a variant could be scored. */
    score: z.nullable(z.number()),
    variants: z.array(variant),
    /** Changes that were not tried, with the reasons. */
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
export type InvarianceVariant = z.infer<typeof variant>;
export type RowTransform = z.infer<typeof rowTransformSchema>;
export type Rejection = z.infer<typeof rejection>;
export type Axis = z.infer<typeof axis>;

/** The transforms from the row's image to the variant's. */
export function transformsOf(row: InvarianceRow, { transform }: InvarianceVariant): Transform[] {
  if (transform === undefined) return [];
  if (transform.op !== 'move') return [transform];
  const mask = row.object?.mask;
  if (mask === undefined) throw new Error(`Row ${row.example} moves an object that has no mask.`);
  const { dx, dy, fill, feather } = transform;
  return [{ op: 'move', mask, dx, dy, fill, feather }];
}

/**
 * The rows of metrics without a slice: generated captions of single objects or, if no captions were
 * generated, the dataset's own captions.
 */
export function mainRows(rows: readonly InvarianceRow[]): InvarianceRow[] {
  const templated = rows.some(({ source }) => source === 'template');
  return rows.filter((row) =>
    templated ? row.source === 'template' && row.objects === 'single' : row.source === 'dataset',
  );
}

/** Whether a variant counts for its axis. Controls and edits of a dataset's caption do not. */
export function isMainVariant({ family, natural }: InvarianceVariant): boolean {
  return family !== 'neutral' && natural === undefined;
}
