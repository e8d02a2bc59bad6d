/** Recomputes an LGIP report without the variants that annotators rejected. */
import { lgipOptionsFrom } from '../../probe/lgip/options';
import { type LgipRow, withoutVariants } from '../../probe/lgip/row';
import { LgipSummary } from '../../probe/lgip/summary';
import type { PlanContext } from '../../probe/probe';
import { lgipId } from './variants';

/** The row without the variants in `ids`, and without flips that were made from these variants. */
export function lgipRowWithout(row: LgipRow, ids: ReadonlySet<string>): LgipRow {
  const kept = withoutVariants(row, (variant) => ids.has(lgipId(row, variant)));
  return kept.variants.length > 0 || kept === row ? kept : { ...kept, outcome: 'no-variant' };
}

export function lgipSummaryOf({ options, scores }: Pick<PlanContext, 'options' | 'scores'>): LgipSummary {
  return new LgipSummary(lgipOptionsFrom(options), scores);
}
