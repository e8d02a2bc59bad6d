/** Recomputes an LGIP report without the variants that annotators rejected. */
import { lgipOptionsFrom } from '../../probe/lgip/options';
import type { LgipRow, LgipVariant } from '../../probe/lgip/row';
import { LgipSummary } from '../../probe/lgip/summary';
import type { PlanContext } from '../../probe/probe';
import { lgipId } from './variants';

/** The row without the variants in `ids`, and without flips that were made from these variants. */
export function lgipRowWithout(row: LgipRow, ids: ReadonlySet<string>): LgipRow {
  const gone = row.variants.map((variant) => ids.has(lgipId(row, variant)));
  if (!gone.includes(true)) return row;
  const isKept = ({ of }: LgipVariant, at: number): boolean => !gone[at] && !(of !== undefined && gone[of]);
  const places = new Map<number, number>();
  for (const [at, variant] of row.variants.entries()) if (isKept(variant, at)) places.set(at, places.size);
  const variants = row.variants
    .filter(isKept)
    .map((variant) => (variant.of === undefined ? variant : { ...variant, of: places.get(variant.of)! }));
  return { ...row, variants, outcome: variants.length === 0 ? 'no-variant' : row.outcome };
}

export function lgipSummaryOf({ options, scores }: Pick<PlanContext, 'options' | 'scores'>): LgipSummary {
  return new LgipSummary(lgipOptionsFrom(options), scores);
}
