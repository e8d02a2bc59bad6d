/* Marks the best value of each column, and the values that a paired test cannot distinguish from the best. */
import { append } from '../../base/lists';
import { leastDiscordant, leastImages } from '../../stats/decisions/smallSample';
import { holm } from '../../stats/holm';
import { lackingGround } from '../../probe/ground';
import { isDefinedSpread } from '../../probe/spread';
import { viewFor } from '../../probe/views';
import { endsOf, figure } from '../figures';
import { comparedShares, verdictLevel } from '../paired';
import { type Basis, requireComparable } from '../scale';
import { observation, observationCount } from '../../base/text/observations';
import { english } from '../../base/english';
import type { Entry } from './entry';
import { type Column, isNumber, type NumberCell, type PaperCell } from './table';
import { shownHead } from './empty';
import { pairedId } from '../../protocol/parts/pairedId';
import { isRelative } from '../../protocol/parts/spreads';
import { metricTitles } from '../titles';

/** More columns are counted in a footnote instead of named. */
const mostNamed = 6;

interface Tested {
  cell: NumberCell;
  pValue: number;
}

/** Facts about the marks of a table, for the footnotes. */
export interface Marks {
  best: boolean;
  /** The number of tests in Holm's correction. */
  tests: number;
  level: boolean;
  /** Whether some values have too few images or discordant rows for a test. */
  tooFew: boolean;
  /** The headings of columns without a paired test, such as slices, medians and ratios. */
  untested: string[];
  /** For values that say nothing about their evaluator: the evaluator with the reason, and the headings. */
  groundless: Map<string, string[]>;
}

/**
 * Sets `best` and `level` in the columns for which higher or lower is better and which have a paired test. p values
 * are corrected over the whole table. A value that says nothing about its evaluator is neither marked nor tested.
 */
export async function markBest(
  columns: readonly { column: Column; cells: readonly PaperCell[] }[],
): Promise<Marks> {
  const marks: Marks = {
    ...{ best: false, tests: 0, level: false, tooFew: false, untested: [] },
    groundless: new Map<string, string[]>(),
  };
  const tested: Tested[] = [];
  for (const { column, cells } of columns) {
    const { better } = column;
    if (better === undefined || cells.filter(isNumber).length < 2) continue;
    const numbers = cells.filter(isNumber).filter((cell) => {
      const why = whyGroundless(cell);
      if (why !== undefined)
        marks.groundless.set(why, [...(marks.groundless.get(why) ?? []), nameOf(column)]);
      return why === undefined;
    });
    if (numbers.length < 2) continue;
    const sign = better === 'higher' ? 1 : -1;
    const best = numbers.reduce((a, b) => (sign * b.metric.value! > sign * a.metric.value! ? b : a));
    const others = numbers.filter(({ shown }) => shown !== best.shown);
    const found = await testsOf(best, others);
    if (found.tests.length > 0) {
      for (const cell of numbers) cell.best = cell.shown === best.shown;
      marks.best = true;
    }
    marks.tooFew ||= found.tooFew;
    if (found.untested) marks.untested.push(nameOf(column));
    append(tested, found.tests);
  }
  const adjusted = holm(tested.map(({ pValue }) => pValue));
  for (const [i, { cell }] of tested.entries()) {
    if (adjusted[i] < verdictLevel) continue;
    cell.level = true;
    marks.level = true;
  }
  marks.tests = tested.length;
  return marks;
}

/** Why a value says nothing about its evaluator. Undefined if it says something. */
function whyGroundless({ entry: { report, evaluator }, metric: { id } }: NumberCell): string | undefined {
  const lacking = lackingGround(viewFor(report.probe), report.metrics, id);
  if (lacking === undefined) return undefined;
  const { metric, interval, chance } = lacking;
  const title = metricTitles(report.probe, report.metrics)(metric);
  return `${evaluator} (${title}: ${figure(metric.value, interval)} ${endsOf(interval)}, chance level ${figure(chance, interval)})`;
}

/** Tests the other values of a column against the best one. */
async function testsOf(
  best: NumberCell,
  others: readonly NumberCell[],
): Promise<{ tests: Tested[]; tooFew: boolean; untested: boolean }> {
  // Rows contribute only to metrics without a slice, so values of slices cannot be tested.
  if (best.metric.slice !== undefined) return { tests: [], tooFew: false, untested: true };
  const made = { tests: [] as Tested[], tooFew: false, untested: false };
  const reference = await best.entry.shares();
  for (const cell of others) {
    if (cell.entry.report.dataset.sha256 !== best.entry.report.dataset.sha256) continue;
    requireComparable(best.entry.report, cell.entry.report);
    const both = [reference, await cell.entry.shares()] as const;
    const steps = comparedShares(cell.entry.report.probe, both, { basis: basisFor(best, cell) });
    const found = (await best.entry.inTurns(steps)).find(({ metric }) => metric === pairedId(cell.metric.id));
    if (found === undefined) made.untested = true;
    else if (found.tooFew !== undefined) made.tooFew = true;
    else made.tests.push({ cell, pValue: found.pValue });
  }
  return made;
}

function nameOf({ group, head }: Column): string {
  return [...(group === undefined ? [] : [group]), shownHead(head)].join(' ');
}

/** Columns of relative values are compared in units of the spreads, and all other columns as they are. */
function basisFor(best: NumberCell, cell: NumberCell): Basis {
  const spreads = [best, cell].flatMap(({ entry }) => spreadOf(entry));
  return isRelative(cell.metric.id) && spreads.length === 2 ? { kind: 'relative', spreads } : { kind: 'raw' };
}

function spreadOf({ report }: Entry) {
  return isDefinedSpread(report.spread) ? [report.spread] : [];
}

export function markNotes(
  { best, tests, level, tooFew, untested, groundless }: Marks,
  cluster: string | undefined,
): string[] {
  const notes: string[] = [];
  if (best)
    notes.push(
      'Bold: the best value of a column, and values equal to it after rounding.',
      `${level ? '† Not distinguishable from the best' : 'Every other value that was tested differs from the best'} (paired t-test over the shared rows, standard errors clustered by ${english(observation(cluster))}, p ${level ? '≥' : '<'} 0.05 after Holm's correction for the ${tests === 1 ? 'one test' : `${tests} tests`} of this table).`,
    );
  if (tooFew)
    notes.push(
      `Values over fewer than ${english(observationCount(leastImages, cluster))}, or with fewer than ${leastDiscordant} rows with different outcomes, are not tested.`,
    );
  for (const [why, heads] of groundless)
    notes.push(
      `Not compared, because it says nothing about an evaluator at chance level: ${listed(heads)} of ${why}.`,
    );
  if (untested.length > 0)
    notes.push(
      `Not tested, and the best value not marked: ${listed(untested)}. Captious has no paired test for these metrics.`,
    );
  return notes;
}

function listed(heads: readonly string[]): string {
  const names = [...new Set(heads)];
  return names.length > mostNamed ? `${names.length} columns` : names.join(', ');
}
