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
  /** Whether another category is equally frequent for the label. */
  tied: z.boolean(),
  /** x, y, width and height, in pixels. */
  box: z.readonly(z.tuple([z.number(), z.number(), z.number(), z.number()])),
  /** The box's share of the image's area. */
  coverage: z.number(),
  bin: z.string(),
  mask: z.optional(maskSchema),
});

const axis = z.enum(['spatial', 'societal']);

const variant = z.object({
  axis,
  family: z.string(),
  /** Empty in a family with one variant. */
  variant: z.string(),
  /** For a dataset's caption: whether a neutral word or the counterpart replaced the word. */
  natural: z.optional(z.enum(['neutralised', 'swapped'])),
  /** The image's change. A moved object has the mask of the row's object. */
  transform: z.optional(rowTransformSchema),
  /**
   * For a changed caption, the scored text and the comparison text. For a moved object with a side in its
   * caption, that caption twice.
   */
  text: z.optional(z.string()),
  againstText: z.optional(z.string()),
  against: z.number(),
  score: z.number(),
  delta: z.number(),
  /** 100 · delta / |against|; null if |against| is below a millionth. */
  change: z.nullable(z.number()),
  seams: z.optional(
    z.object({
      background: z.nullable(z.number()),
      seam: z.nullable(z.number()),
      surroundings: z.optional(z.nullable(z.number())),
    }),
  ),
  /**
   * For a word in a generated caption, its valence alone and with its object. Absent if the evaluator embeds
   * no texts.
   */
  valence: z.optional(z.object({ word: z.number(), phrase: z.number() })),
});

const rejection = z.object({
  what: z.string(),
  reason: z.string(),
  /** Facts about the reason, such as a number. */
  detail: z.optional(z.string()),
});

/** One caption of one image, with every attempted change of caption or image. */
export const invarianceRowSchema = z
  .extend(rowSchema, {
    /** `single`: one prominent object. `multi`: two to four. `none`: no known or accepted object. */
    objects: z.enum(['single', 'multi', 'none']),
    /** Whether the caption was generated. A dataset's caption also has its index, column and place. */
    source: z.enum(['template', 'dataset']),
    caption: z.optional(wholeNumber),
    field: z.optional(z.string()),
    captionPlace: z.optional(placeSchema),
    text: z.string(),
    object: z.optional(auditObject),
    /** The unchanged caption's score; null if neither the caption nor a variant could be scored. */
    score: z.nullable(z.number()),
    variants: z.array(variant),
    /** Changes that were not attempted, with reasons. */
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
  const { dx, dy, fill, feather, plain } = transform;
  return [{ op: 'move', mask, dx, dy, fill, feather, ...(plain === undefined ? {} : { plain }) }];
}

/**
 * The rows of metrics without a slice: generated captions of single objects. Without generated captions, the
 * dataset's captions.
 */
export function mainRows(rows: readonly InvarianceRow[]): InvarianceRow[] {
  const templated = rows.some(({ source }) => source === 'template');
  return rows.filter((row) =>
    templated ? row.source === 'template' && row.objects === 'single' : row.source === 'dataset',
  );
}

/** Whether a variant counts for its axis, unlike controls and edits of a dataset's caption. */
export function isMainVariant({ family, natural }: InvarianceVariant): boolean {
  return family !== 'neutral' && natural === undefined;
}
