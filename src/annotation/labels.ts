/** Turns judgments of a sample of variants into labels for all variants of the report that it was drawn from. */
import { isMainVariant, type InvarianceRow, mainRows } from '../probe/invariance/row';
import type { Unit } from '../stats/agreement/stratified';
import type { CheckResult, Verdict } from './merge';
import { idOf } from './sample';

/**
 * - `valid`: 1 if the majority accepts both versions, otherwise 0;
 * - `preferred`: 1 if the majority prefers the original, 0 if it prefers the variant, 0.5 if it sees no difference.
 */
export const checkLabels = ['valid', 'preferred'] as const;
export type CheckLabel = (typeof checkLabels)[number];

export interface LabelledVariants {
  units: Unit[];
  /** Families without an estimate, because they have fewer than two labels. */
  leftOut: string[];
}

/**
 * A variant's score is its shift or, for `valid`, the size of its shift. Samples are drawn by family and
 * variant, so these are the strata.
 */
export function labelledVariants(
  rows: readonly InvarianceRow[],
  { verdicts }: CheckResult,
  kind: CheckLabel,
): LabelledVariants {
  const labels = new Map<string, number>();
  for (const verdict of verdicts) {
    const label = labelOf(verdict, kind);
    if (label !== undefined) labels.set(verdict.id, label);
  }
  const variants = mainRows(rows).flatMap((row) =>
    row.variants.filter(isMainVariant).map((variant) => {
      const label = labels.get(idOf(row, variant));
      return {
        family: variant.family,
        variant: variant.variant,
        cluster: row.image ?? row.example,
        score: kind === 'valid' ? Math.abs(variant.delta) : variant.delta,
        ...(label === undefined ? {} : { label }),
      };
    }),
  );
  const counts = new Map<string, number>();
  for (const { family, variant, label } of variants)
    for (const key of [family, stratumOf(family, variant)])
      counts.set(key, (counts.get(key) ?? 0) + (label === undefined ? 0 : 1));
  const few = (key: string): boolean => (counts.get(key) ?? 0) < 2;
  // A variant with too few labels shares a stratum with other variants of its family.
  const whole = new Set(
    variants.filter(({ family, variant }) => few(stratumOf(family, variant))).map(({ family }) => family),
  );
  return {
    units: variants
      .filter(({ family }) => !few(family))
      .map(({ family, variant, ...unit }) => ({
        ...unit,
        stratum: whole.has(family) ? family : stratumOf(family, variant),
      })),
    leftOut: [...new Set(variants.map(({ family }) => family))].filter(few),
  };
}

function stratumOf(family: string, variant: string): string {
  return JSON.stringify([family, variant]);
}

function labelOf({ accepted, better }: Verdict, kind: CheckLabel): number | undefined {
  if (kind === 'valid') return accepted === 'both' ? 1 : 0;
  return better === null ? undefined : { original: 1, changed: 0, equal: 0.5 }[better];
}
