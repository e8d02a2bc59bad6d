/* Decides in which units the metrics of several reports are compared. */
import { say, type Words } from '../base/say';
import type { Metric } from '../probe/metric';
import { type DefinedSpread, isDefinedSpread, isRelative, unitOf } from '../probe/spread';
import { viewFor } from '../probe/views';
import type { Report } from './report';

/**
 * - `raw`: the evaluators have the same scale, so scores are compared as they are.
 * - `relative`: differences of scores are divided by each evaluator's spread.
 * - `none`: metrics in units of the score are not compared, because a spread is missing.
 */
export type Basis =
  | { kind: 'raw' }
  | { kind: 'relative'; spreads: readonly DefinedSpread[] }
  | { kind: 'none'; why: Words; remedy: Words };

type Scaled = Pick<Report, 'evaluator' | 'spread'>;

/** How to compare the reports of one probe. The basis has a spread for each report, in the same order. */
export function basisOf(reports: readonly Scaled[]): Basis {
  if (reports.every((report) => isSameScale(report, reports[0]))) return { kind: 'raw' };
  const spreads = reports.map(({ spread }) => spread);
  if (spreads.every(isDefinedSpread)) return { kind: 'relative', spreads };
  const missing = reports.filter(({ spread }) => !isDefinedSpread(spread));
  const names = [...new Set(missing.map(({ evaluator }) => evaluator.name))].join(', ');
  return {
    kind: 'none',
    why: say`The evaluators have different scales, and the report does not have the spread of ${names}.`,
    remedy: say`Audit again with this version, without --no-spread. Cached results are reused.`,
  };
}

/** Whether two evaluators state the same scale: they are the same evaluator, or have the same stated bounds. */
function isSameScale({ evaluator: a }: Scaled, { evaluator: b }: Scaled): boolean {
  if (JSON.stringify(a.scale) !== JSON.stringify(b.scale)) return false;
  const isBounded = a.scale.name === 'own' && a.scale.low !== undefined && a.scale.high !== undefined;
  return isBounded || (a.sha256 === b.sha256 && a.prefix === b.prefix);
}

/** The metrics that can be compared: in units of the score or of the spread, or neither. */
export function comparableMetrics(probe: string, metrics: readonly Metric[], basis: Basis): Metric[] {
  return metrics.filter(({ id }) =>
    basis.kind === 'raw' ? !isRelative(id) : isRelative(id) || !isInScoreUnits(probe, id),
  );
}

/** Whether a metric is in units of the score, so that other evaluators have other units. */
export function isInScoreUnits(probe: string, metric: string): boolean {
  return unitOf(viewFor(probe), metric) !== undefined;
}
