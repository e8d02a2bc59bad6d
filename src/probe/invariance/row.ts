import type { Place } from '../../dataset/example';
import type { Fill } from '../../perturb/picture/fill';
import type { Mask } from '../../perturb/picture/mask';
import type { Seams } from '../../perturb/picture/seams';
import type { Transform } from '../../perturb/transform';
import type { Row } from '../probe';
import type { Category } from './taxonomy';
import type { Valence } from './valence';

export type Axis = 'spatial' | 'societal';

/** One caption of one photo, with every change that was tried on either. */
export interface InvarianceRow extends Row {
  /** Of the photo: one prominent object, two to four, or it is not known or was rejected. */
  objects: 'single' | 'multi' | 'none';
  /** Made from a template, or the dataset's own; of the latter, index, column and place. */
  source: 'template' | 'dataset';
  caption?: number;
  field?: string;
  captionPlace?: Place;
  text: string;
  object?: AuditObject;
  /** Of the caption as it is; null where nothing could be asked. */
  score: number | null;
  variants: AuditVariant[];
  /** What was not tried, and why. */
  rejected: Rejection[];
}

export interface AuditObject {
  label: string;
  category: Category;
  /** The vocabularies do not agree on the category. */
  tied: boolean;
  /** x, y, width, height, in pixels. */
  box: readonly [number, number, number, number];
  /** Of its box, as a share of the picture. */
  coverage: number;
  bin: string;
  mask?: Mask;
}

export interface AuditVariant {
  axis: Axis;
  family: string;
  /** Empty where a family has but one. */
  variant: string;
  /** Of a caption that somebody wrote: the word taken out, or swapped for another. */
  natural?: 'neutralised' | 'swapped';
  /** What was done to the photo; a move's mask is the object's. */
  transform?: RowTransform;
  /** What was scored, and what against, where the caption was changed. */
  text?: string;
  againstText?: string;
  against: number;
  score: number;
  /** score − against. */
  delta: number;
  /** 100 · delta / |against|; null where |against| is below a millionth. */
  change: number | null;
  seams?: Seams;
  /** Of a word in a made caption, where the evaluator has a text space. */
  valence?: Valence;
}

export type RowTransform =
  | Exclude<Transform, { op: 'move' | 'mix' | 'patch' | 'blank' }>
  | { op: 'move'; dx: number; dy: number; tries: number; fill: Fill; feather: number };

export interface Rejection {
  what: string;
  reason: string;
  /** The figures behind it. */
  detail?: string;
}

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
