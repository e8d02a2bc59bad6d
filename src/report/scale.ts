/* Decides whether the metrics of several reports can be compared, and in which units. */
import { usageError } from '../base/errors';
import { say, type Words } from '../base/say';
import type { Metric } from '../probe/metric';
import { type DefinedSpread, isDefinedSpread, unitOf } from '../probe/spread';
import { viewFor } from '../probe/views';
import type { Report } from './report';
import { baseId, isRelative } from '../protocol/parts/spreads';

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
    why: say('report.spreadMissing', names),
    remedy: say('report.auditForSpread'),
  };
}

/** Whether two evaluators state the same scale: they are the same evaluator, or have the same stated bounds. */
function isSameScale({ evaluator: a }: Scaled, { evaluator: b }: Scaled): boolean {
  if (JSON.stringify(a.scale) !== JSON.stringify(b.scale)) return false;
  return hasBounds(a.scale) || (a.sha256 === b.sha256 && a.prefix === b.prefix);
}

function hasBounds(scale: Report['evaluator']['scale']): boolean {
  return scale.name === 'own' && scale.low !== undefined && scale.high !== undefined;
}

/**
 * The metrics that can be compared: in units of the score or of the spread, or neither. Changes in percent are left out if
 * the same changes are known in units of the spread, and so are parts of the range: evaluators fill theirs differently.
 */
export function comparableMetrics(probe: string, metrics: readonly Metric[], basis: Basis): Metric[] {
  if (basis.kind === 'raw') return metrics.filter(({ id }) => !isRelative(id));
  const view = viewFor(probe);
  const isOut = (id: string): boolean =>
    isInScoreUnits(probe, id) || (basis.kind === 'relative' && view.percent?.(id) !== undefined);
  return metrics.filter(({ id }) => (isRelative(id) || !isOut(id)) && view.ofRange?.(baseId(id)) !== true);
}

/** Whether a metric is in units of the score, so that other evaluators have other units. */
export function isInScoreUnits(probe: string, metric: string): boolean {
  return unitOf(viewFor(probe), metric) !== undefined;
}

/**
 * Throws if reports on one dataset did different tasks: their altered captions or image files differ, or what counts as
 * one observation, or how often an observation counts.
 */
export function requireComparable(...reports: readonly Report[]): void {
  for (const [at, report] of reports.entries())
    for (const other of reports.slice(at + 1)) requireTwoComparable(report, other);
}

function requireTwoComparable(first: Report, second: Report): void {
  if (first.dataset.sha256 !== second.dataset.sha256) return;
  const names = [first.evaluator.id, second.evaluator.id] as const;
  if (haveSameImages(first, second) === 'otherBytes')
    throw usageError(say('report.imageContentsDiffer', names[0], names[1]), say('report.useSameImages'));
  if (first.altered?.sha256 !== second.altered?.sha256) {
    const votersOf = ({ altered }: Report): string =>
      altered?.voters.map(({ id }) => id).join(', ') || 'none';
    throw usageError(
      say('report.alteredCaptionsDiffer', names[0], names[1]),
      say('report.useSameAlterations', votersOf(first), votersOf(second)),
    );
  }
  const remedy = say('report.useSameOptions');
  const clusters = [first, second].map(({ dataset }) => dataset.cluster ?? 'image');
  if (clusters[0] !== clusters[1])
    throw usageError(say('report.observationsDiffer', clusters[0], names[0], clusters[1], names[1]), remedy);
  for (const key of viewFor(first.probe).sameOptions ?? [])
    if (first.options[key] !== second.options[key])
      throw usageError(
        say('report.optionDiffers', key, names[0], names[1], shown(first, key), shown(second, key)),
        remedy,
      );
}

/** Whether two reports used the same image files. Undefined if a report does not say which it used. */
export function haveSameImages(
  { dataset: { images: first } }: Report,
  { dataset: { images: second } }: Report,
): 'same' | 'otherBytes' | 'otherNames' | undefined {
  if (first === undefined || second === undefined) return undefined;
  if (first.names !== second.names) return 'otherNames';
  return first.sha256 === second.sha256 ? 'same' : 'otherBytes';
}

function shown({ options }: Report, key: string): string {
  return String(options[key] ?? 'none');
}
