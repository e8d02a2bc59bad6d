import type { CallContext } from '../../base/calls';
import { throwIfCancelled } from '../../base/errors';
import type { Words } from '../../base/say';
import { joinedDraws } from '../../probe/inference/joinedDraws';
import { markedBySpread } from '../../probe/spread';
import { viewFor } from '../../probe/views';
import type { Verdict } from '../../protocol/rows';
import { readReport } from '../../report/report';
import { LeftOutRows } from '../../report/rowChecks';
import { readRows } from '../../report/rows';

/** What a report says about an example, as above its line in an editor. */
export interface ReportResult {
  words: Words;
  verdict: Verdict;
  /** The first table line of the row with this result. */
  index: number;
  /** The texts of the example at the time of the audit. */
  texts: readonly string[];
}

/** From best to worst. */
const ranks: readonly Verdict[] = ['none', 'right', 'tie', 'wrong'];
const worstOf = (some: readonly Verdict[]): Verdict =>
  some.reduce((one, other) => (ranks.indexOf(other) > ranks.indexOf(one) ? other : one), 'none');

export interface ReportResults {
  /** The worst result of each example, by the examples' ids. */
  worst: ReadonlyMap<string, ReportResult>;
  /** Why rows of the report are not among them. */
  leftOut: Words | undefined;
}

export async function worstResults(
  path: string,
  { signal, step }: Partial<CallContext> = {},
): Promise<ReportResults> {
  const report = await readReport(path);
  const view = markedBySpread(viewFor(report.probe).rows, report.spread);
  const found = new Map<string, ReportResult>();
  const leftOut = new LeftOutRows();
  let index = 0;
  // The panel's table joins the draws of a caption, so its lines are counted in the same way.
  for await (const row of joinedDraws(view, readRows(path, report, leftOut))) {
    throwIfCancelled(signal);
    step?.();
    const facts = view.facts(row);
    const verdict = worstOf(facts.map((one) => one.verdict));
    const known = found.get(row.example);
    if (known === undefined || worstOf([known.verdict, verdict]) !== known.verdict) {
      const { words, texts } = view.mark(row);
      found.set(row.example, { words, verdict, index, texts });
    }
    index += facts.length;
  }
  return { worst: found, leftOut: leftOut.words(report.rows) };
}
