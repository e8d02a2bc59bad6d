/* Marks the best value of each column, and the values that a paired test cannot distinguish from the best. */
import { leastDiscordant, leastImages } from '../../stats/decisions/smallSample';
import { holm } from '../../stats/holm';
import { isDefinedSpread, isRelative } from '../../probe/spread';
import { comparedShares, verdictLevel } from '../paired';
import type { Basis } from '../scale';
import type { Entry } from './entry';
import { type Column, isNumber, type NumberCell, type PaperCell } from './table';

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
  /** Whether some values have no paired test, because they belong to slices or to metrics that are not means. */
  untested: boolean;
}

/**
 * Sets `best` and `level` in the columns for which higher or lower is better. p values are corrected over the whole
 * table.
 */
export async function markBest(
  columns: readonly { column: Column; cells: readonly PaperCell[] }[],
): Promise<Marks> {
  const marks: Marks = { best: false, tests: 0, level: false, tooFew: false, untested: false };
  const tested: Tested[] = [];
  for (const { column, cells } of columns) {
    const { better } = column;
    const numbers = cells.filter(isNumber);
    if (better === undefined || numbers.length < 2) continue;
    const sign = better === 'higher' ? 1 : -1;
    const best = numbers.reduce((a, b) => (sign * b.metric.value! > sign * a.metric.value! ? b : a));
    for (const cell of numbers) cell.best = cell.shown === best.shown;
    marks.best = true;
    // Rows contribute only to metrics without a slice, so values of slices cannot be tested.
    if (best.metric.slice !== undefined) {
      marks.untested = true;
      continue;
    }
    const reference = await best.entry.shares();
    for (const cell of numbers) {
      if (cell.best) continue;
      if (cell.entry.report.dataset.sha256 !== best.entry.report.dataset.sha256) continue;
      const both = [reference, await cell.entry.shares()] as const;
      const found = comparedShares(cell.entry.report.probe, both, { basis: basisFor(best, cell) }).find(
        ({ metric }) => metric === shareOf(cell),
      );
      if (found === undefined) marks.untested = true;
      else if (found.tooFew !== undefined) marks.tooFew = true;
      else tested.push({ cell, pValue: found.pValue });
    }
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

/** Columns of relative values are compared in units of the spreads, and all other columns as they are. */
function basisFor(best: NumberCell, cell: NumberCell): Basis {
  const spreads = [best, cell].flatMap(({ entry }) => spreadOf(entry));
  return isRelative(cell.metric.id) && spreads.length === 2 ? { kind: 'relative', spreads } : { kind: 'raw' };
}

function spreadOf({ report }: Entry) {
  return isDefinedSpread(report.spread) ? [report.spread] : [];
}

/** The metric's id in the rows' shares. SugarCrepe's id there lacks the name of the dataset file. */
function shareOf({ metric: { id } }: NumberCell): string {
  return id.startsWith('sugarcrepe.') && id.split('.').length === 2 ? 'sugarcrepe' : id;
}

export function markNotes({ best, tests, level, tooFew, untested }: Marks): string[] {
  if (!best) return [];
  const notes = ['Bold: the best value of a column, and values equal to it after rounding.'];
  if (tests > 0)
    notes.push(
      `${level ? '† Not distinguishable from the best' : 'Every other value that was tested differs from the best'} (paired t-test over the shared rows, standard errors clustered by image, p ${level ? '≥' : '<'} 0.05 after Holm's correction for the ${tests} tests of this table).`,
    );
  if (tooFew)
    notes.push(
      `Values over fewer than ${leastImages} images, or with fewer than ${leastDiscordant} rows with different outcomes, are not tested.`,
    );
  if (untested) notes.push('Columns of slices, medians and ratios are not tested.');
  return notes;
}
