import * as z from 'zod/mini';
import { wholeNumber, wordsSchema } from '../../base/schema';
import type { Transform } from '../../perturb/transform';
import { isMaskWithin, maskSchema, rowTransformSchema } from '../../perturb/transformSchema';
import { placeSchema, rowCheck, rowSchema } from '../rowSchema';

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

/** Bins of the share of the image that an object covers, in percent. Only the last bin includes its upper end. */
export const bins = ['0-10', '10-20', '20-35', '35-50', '50-70', '70-90', '90-100'] as const;

const auditObject = z.object({
  label: z.string(),
  category: z.enum(categories),
  /** Whether another category is equally frequent for the label (see `categoryOf` in taxonomy.ts). */
  tied: z.boolean(),
  /** The position (x, y), the width and the height, in pixels. */
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
  /** The variant's name; empty in a family with one variant. */
  variant: z.string(),
  /** For a dataset's caption: whether its word was replaced by a neutral one or by its counterpart. */
  natural: z.optional(z.enum(['neutralised', 'swapped'])),
  /** The change of the image. A move uses the mask of the row's object. */
  transform: z.optional(rowTransformSchema),
  /**
   * For a changed caption: the scored caption (`text`) and the caption that it is compared with
   * (`againstText`). For a moved object with its own caption, both are this caption.
   */
  text: z.optional(z.string()),
  againstText: z.optional(z.string()),
  against: z.number(),
  score: z.number(),
  delta: z.number(),
  /** The change in percent: 100 · delta / |against|. Null if |against| is below a millionth. */
  change: z.nullable(z.number()),
  seams: z.optional(
    z.object({
      background: z.nullable(z.number()),
      seam: z.nullable(z.number()),
      surroundings: z.optional(z.nullable(z.number())),
      shade: z.optional(z.nullable(z.number())),
    }),
  ),
  /**
   * For a word in a generated caption: the valence of the word alone and of the word with its object. Absent if
   * the evaluator does not compare texts.
   */
  valence: z.optional(z.object({ word: z.number(), phrase: z.number() })),
});

const rejection = z.object({
  what: z.string(),
  reason: wordsSchema,
  /** Facts about the reason, such as a number. */
  detail: z.optional(wordsSchema),
});

/** One caption of one image, with all scored changes of the caption or of the image. */
const invarianceRowSchema = z.extend(rowSchema, {
  /**
   * `single`: one prominent object. `multi`: two to four prominent objects. `none`: no object is known, or
   * the image's object was rejected.
   */
  objects: z.enum(['single', 'multi', 'none']),
  /** Whether the caption was generated, or is the dataset's, which has an index, a column and a place. */
  source: z.enum(['template', 'dataset']),
  caption: z.optional(wholeNumber),
  field: z.optional(z.string()),
  captionPlace: z.optional(placeSchema),
  text: z.string(),
  object: z.optional(auditObject),
  /** The score of the unchanged caption. Null if no caption could be generated for the image. */
  score: z.nullable(z.number()),
  variants: z.array(variant),
  /** Changes that were left out, with reasons. */
  rejected: z.array(rejection),
});

export type InvarianceRow = z.infer<typeof invarianceRowSchema>;

export const invarianceRowCheck = rowCheck(invarianceRowSchema, {
  holds: ({ object, variants }) =>
    object?.mask === undefined
      ? variants.every(({ transform }) => transform?.op !== 'move')
      : isMaskWithin(object.mask),
  expected: 'whole: it moves an object that has no mask',
});
export type InvarianceVariant = z.infer<typeof variant>;
export type RowTransform = z.infer<typeof rowTransformSchema>;
export type Rejection = z.infer<typeof rejection>;
export type Axis = z.infer<typeof axis>;

/** The transforms that turn the row's image into the variant's image. */
export function transformsOf(row: InvarianceRow, { transform }: InvarianceVariant): Transform[] {
  if (transform === undefined) return [];
  if (transform.op !== 'move') return [transform];
  const mask = row.object?.mask;
  if (mask === undefined) throw new Error(`Row ${row.example} moves an object that has no mask.`);
  const { dx, dy, fill, feather, plain } = transform;
  return [{ op: 'move', mask, dx, dy, fill, feather, ...(plain === undefined ? {} : { plain }) }];
}

/**
 * The rows that count for metrics without a slice: generated captions of images with one prominent object. If
 * no captions were generated, the dataset's captions count.
 */
export function mainRows(rows: readonly InvarianceRow[]): InvarianceRow[] {
  const templated = rows.some(({ source }) => source === 'template');
  return rows.filter((row) =>
    templated ? row.source === 'template' && row.objects === 'single' : row.source === 'dataset',
  );
}

/** Whether the content stays the same. A gender word's counterpart is false of the image. */
export function keepsContent({ family, natural }: Pick<InvarianceVariant, 'family' | 'natural'>): boolean {
  return natural !== 'swapped' || family !== 'gender';
}

/** Whether a filter should decide the same before and after the change. Neutral words and blur are controls. */
export function isFilterChange(variant: Pick<InvarianceVariant, 'family' | 'natural'>): boolean {
  return variant.family !== 'neutral' && variant.family !== 'blur' && keepsContent(variant);
}

/** Whether a variant counts for its axis. Neutral controls and edits of a dataset's caption do not. */
export function isMainVariant({ family, natural }: InvarianceVariant): boolean {
  return family !== 'neutral' && natural === undefined;
}
