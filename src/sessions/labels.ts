/** Turns annotators' verdicts into labels of a report's variants. */
import { clusterOf } from '../probe/metric';
import { isMainVariant, type InvarianceRow, mainRows } from '../probe/invariance/row';
import type { Unit } from '../stats/agreement/stratified';
import type { CheckResult, Verdict } from './mergeChecks';
import type { SampleOptions } from './draw';
import { idOf, pathOf } from './sample';
import { strataOf } from './strata';

/**
 * - `valid`: 1 if the original and the variant are each accepted by a majority, otherwise 0.
 * - `preferred`: 1 for the original, 0 for the variant, 0.5 for no difference.
 */
export const checkLabels = ['valid', 'preferred'] as const;
export type CheckLabel = (typeof checkLabels)[number];

export interface LabelledVariants {
  units: Unit[];
  /** Families with fewer than two labels, which have no estimate. */
  leftOut: string[];
}

/** The main variants, with labels if there are any. The score is the shift; for `valid`, the absolute one. */
export function labelledVariants(
  rows: readonly InvarianceRow[],
  { verdicts }: CheckResult,
  kind: CheckLabel,
  by?: SampleOptions['strata'],
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
        path: pathOf(row, variant, by),
        cluster: clusterOf(row),
        score: kind === 'valid' ? Math.abs(variant.delta) : variant.delta,
        ...(label === undefined ? {} : { label }),
      };
    }),
  );
  const { placed, leftOut } = strataOf(variants);
  return {
    units: placed.map(({ unit: { cluster, score, label }, stratum }) => ({
      ...{ stratum, cluster, score },
      ...(label === undefined ? {} : { label }),
    })),
    leftOut,
  };
}

function labelOf({ accepted, better }: Verdict, kind: CheckLabel): number | undefined {
  if (kind === 'valid') return accepted === 'both' ? 1 : 0;
  return better === null ? undefined : { original: 1, changed: 0, equal: 0.5 }[better];
}
