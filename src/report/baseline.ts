import { type CaptiousError, inputError, untilCancelled } from '../base/errors';
import { observations } from '../base/text/observations';
import { say, type Words } from '../base/say';
import { inTurns } from '../base/turns/steps';
import { lackingGround } from '../probe/ground';
import { reporting } from '../probe/list';
import type { Row } from '../probe/metric';
import { viewFor } from '../probe/views';
import { type Margins, nonInferiority } from './decisions/decisions';
import { LeftOutRows } from './rowChecks';
import { differencesIn, type PairedDifference, verdictLevel } from './paired';
import type { Report } from './report';
import { readRows } from './rows';
import { basisOf, isInScoreUnits, requireComparable } from './scale';
import { rowKeys, type RowShares, sharesByRow } from './shares';

export interface ReportAt {
  path: string;
  report: Report;
}

export interface BaselineRules {
  /** A metric with a margin fails unless a test shows that its loss is smaller than the margin. */
  margins?: Margins;
  /** Compares only metrics that count right and wrong results, by a test that is valid at every sample size. */
  anytime?: boolean;
  signal?: AbortSignal;
}

export interface Worse extends PairedDifference {
  /** The margin of the metric, if it has one. */
  margin?: number;
}

/** Examples with values of the metrics in the baseline but not in the run, such as those that it could not score. */
export interface Lost {
  metrics: string[];
  examples: number;
  /** The number of examples with a value in the baseline. */
  of: number;
}

interface Against {
  /** Metrics without a margin that are significantly worse, and metrics whose loss may be larger than their margin. */
  worse: Worse[];
  lost: Lost[];
  /** The metrics that were tested. */
  tested: readonly PairedDifference[];
  /** Metrics that say nothing, because the evaluator of the baseline or of the run is at chance level. They are not judged. */
  groundless: Groundless[];
}

interface Groundless {
  metric: string;
  baseline: boolean;
  run: boolean;
}

/**
 * Compares a run with an earlier report. A test cannot judge lost examples, because they may be the worst ones.
 * Throws if rows cannot be compared, because an undecided gate must not pass.
 */
export async function worseThanBaseline(
  baseline: ReportAt,
  own: ReportAt,
  { margins, anytime = false, signal }: BaselineRules = {},
): Promise<Against> {
  requireComparable(baseline.report, own.report);
  const [before, after] = [new Reading(baseline, signal), new Reading(own, signal)];
  const basis = basisOf([baseline.report, own.report]);
  // A gate must not pass because its metrics cannot be compared.
  if (basis.kind === 'none' && !anytime && hasScoreUnits(own.report))
    throw notComparable(baseline, basis.why, basis.remedy);
  const { probe } = own.report;
  const [first, second] = [await sharesByRow(probe, before.rows()), await sharesByRow(probe, after.rows())];
  const differences = await inTurns(differencesIn(probe, first, second, { basis, anytime }), signal);
  const leftOut = before.leftOut.words(baseline.report.rows) ?? after.leftOut.words(own.report.rows);
  if (leftOut !== undefined) throw notComparable(baseline, leftOut);
  const [gone, added] = [before.examplesNotIn(after), after.examplesNotIn(before)];
  // An example that one report could not score has a row only in the other report. At most `skipped` examples can
  // be missing for this reason.
  if (gone > own.report.dataset.skipped)
    throw notComparable(baseline, say('report.examplesOnlyInBaseline', gone));
  if (added > baseline.report.dataset.skipped)
    throw notComparable(baseline, say('report.examplesOnlyInRun', added));
  const lost = lostSince(first, second, before);
  if (differences.length === 0 && lost.length === 0)
    throw notComparable(baseline, say('report.noRowwiseMetric', own.report.probe));
  const tested = anytime ? differences.filter((one) => one.anytime !== undefined) : differences;
  if (tested.length === 0 && lost.length === 0)
    throw notComparable(
      baseline,
      say('report.noBinaryMetric', own.report.probe),
      say('report.leaveOutAnytime'),
    );
  const groundless = tested.flatMap(({ metric }): Groundless[] => {
    const [isBefore, isAfter] = [baseline, own].map(
      ({ report }) => lackingGround(viewFor(probe), report.metrics, metric) !== undefined,
    );
    return isBefore || isAfter ? [{ metric, baseline: isBefore, run: isAfter }] : [];
  });
  const worse = tested.flatMap((one): Worse[] => {
    // A margin in wrong units is an error whether its metric is judged or not.
    const margin = margins?.(one.metric);
    if (groundless.some(({ metric }) => metric === one.metric)) return [];
    if (margin !== undefined) return nonInferiority(one, margin).shown ? [] : [{ ...one, margin }];
    return isWorse(one, baseline) ? [one] : [];
  });
  return { worse, lost, tested, groundless };
}

function lostSince(before: RowShares, after: RowShares, baseline: Reading): Lost[] {
  const examples = new Map<string, { all: Set<string>; lost: Set<string> }>();
  for (const [key, { shares }] of before) {
    const still = new Set(after.get(key)?.shares.map(({ metric }) => metric));
    for (const { metric } of shares) {
      const of = examples.get(metric) ?? { all: new Set(), lost: new Set() };
      examples.set(metric, of);
      of.all.add(baseline.exampleAt(key));
      if (!still.has(metric)) of.lost.add(baseline.exampleAt(key));
    }
  }
  const found = new Map<string, Lost>();
  for (const [metric, { all, lost }] of examples) {
    if (lost.size === 0) continue;
    const counts = `${lost.size} of ${all.size}`;
    const of = found.get(counts) ?? { metrics: [], examples: lost.size, of: all.size };
    found.set(counts, of);
    of.metrics.push(metric);
  }
  return [...found.values()];
}

function hasScoreUnits({ probe, metrics }: Report): boolean {
  return metrics.some(({ id, value }) => value !== null && isInScoreUnits(probe, id));
}

/** Whether a metric is significantly worse. Throws if p is small, but there are too few data for a verdict. */
function isWorse(one: PairedDifference, baseline: ReportAt): boolean {
  const { metric, better, tooFew } = one;
  const { difference, pValue } = one.anytime ?? one;
  if (better === undefined)
    throw notComparable(baseline, say('report.metricUndirected', metric), say('report.sayDirection'));
  if ((better === 'higher' ? difference >= 0 : difference <= 0) || pValue >= verdictLevel) return false;
  if (one.anytime !== undefined || tooFew === undefined) return true;
  const few = {
    images: observations(baseline.report.dataset.cluster),
    texts: say('report.distinctCaptions'),
    discordant: undefined,
    drops: undefined,
  }[tooFew];
  throw notComparable(
    baseline,
    few === undefined ? say('report.worseWithFewRows', metric) : say('report.worseTooFew', metric, few),
  );
}

function notComparable(
  { path }: ReportAt,
  why: Words,
  remedy: Words = say('report.renewBaseline'),
): CaptiousError {
  return inputError(say('report.baselineNotComparable', why), remedy, path);
}

/** Reads a report's rows once and keeps their keys. */
class Reading {
  readonly leftOut = new LeftOutRows();
  private readonly exampleOf = new Map<string, string>();

  constructor(
    private readonly of: ReportAt,
    private readonly signal: AbortSignal | undefined,
  ) {}

  async *rows(): AsyncGenerator<Row> {
    const keyOf = rowKeys(reporting(this.of.report.probe));
    const rows = readRows(this.of.path, this.of.report, this.leftOut);
    for await (const row of untilCancelled(rows, this.signal)) {
      this.exampleOf.set(keyOf(row), row.example);
      yield row;
    }
  }

  exampleAt(key: string): string {
    return this.exampleOf.get(key)!;
  }

  /** How many examples have a row in this report that `other` lacks. */
  examplesNotIn(other: Reading): number {
    const found = new Set<string>();
    for (const [key, example] of this.exampleOf) if (!other.exampleOf.has(key)) found.add(example);
    return found.size;
  }
}
