import { CaptiousError } from '../base/errors';
import { say, type Words } from '../base/say';
import { probeNamed } from '../probe/list';
import type { Row } from '../probe/metric';
import { LeftOutRows } from './rowChecks';
import { type PairedDifference, pairedDifferences, rowKeys } from './paired';
import type { Report } from './report';
import { readRows } from './rows';

export interface ReportAt {
  path: string;
  report: Report;
}

/**
 * The metrics that are worse than in the baseline beyond chance. Throws where the two cannot be compared row by row: a gate
 * that cannot be evaluated must not pass.
 */
export async function worseThanBaseline(baseline: ReportAt, own: ReportAt): Promise<PairedDifference[]> {
  const [before, after] = [new Reading(baseline), new Reading(own)];
  const differences = await pairedDifferences(own.report.probe, before.rows(), after.rows());
  const leftOut = before.leftOut.words(baseline.report.rows) ?? after.leftOut.words(own.report.rows);
  if (leftOut !== undefined) throw notComparable(baseline, leftOut);
  const [gone, added] = [before.examplesNotIn(after), after.examplesNotIn(before)];
  // An example that one of the two could not score is in the other alone, and its report says how many those are.
  if (gone > own.report.dataset.skipped)
    throw notComparable(baseline, say`${gone} of its examples have rows that this run does not have.`);
  if (added > baseline.report.dataset.skipped)
    throw notComparable(baseline, say`It lacks rows of ${added} examples of this run.`);
  if (differences.length === 0)
    throw notComparable(baseline, say`No metric of ${own.report.probe} can be compared row by row.`);
  for (const { metric, difference, better, ci } of differences) {
    const isLower = better === 'higher' ? difference < 0 : difference > 0;
    if (isLower && ci === undefined)
      throw notComparable(
        baseline,
        say`${metric} is worse, and too few images have it to tell chance apart.`,
      );
  }
  return differences.filter(({ verdict }) => verdict === 'first');
}

function notComparable({ path }: ReportAt, why: Words): CaptiousError {
  return new CaptiousError('input', say`The baseline cannot be compared with this run. ${why}`, {
    at: path,
    remedy: say`Make the baseline again with the same dataset and options, or use --fail-on.`,
  });
}

/** One reading of a report's rows that remembers which rows there were. */
class Reading {
  readonly leftOut = new LeftOutRows();
  /** Example by key of the row. */
  private readonly exampleOf = new Map<string, string>();

  constructor(private readonly of: ReportAt) {}

  async *rows(): AsyncGenerator<Row> {
    const keyOf = rowKeys(probeNamed(this.of.report.probe));
    for await (const row of readRows(this.of.path, this.of.report, this.leftOut)) {
      this.exampleOf.set(keyOf(row), row.example);
      yield row;
    }
  }

  /** How many examples have a row here that the other one lacks. */
  examplesNotIn(other: Reading): number {
    const found = new Set<string>();
    for (const [key, example] of this.exampleOf) if (!other.exampleOf.has(key)) found.add(example);
    return found.size;
  }
}
