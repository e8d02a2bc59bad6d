import { say } from '../base/say';
import { count, notDefined, type Outcome } from './outcome';

/** Fleiss' κ. Each row has the number of raters per category for one item, with equally many raters in all rows. */
export function fleissKappa(table: readonly ArrayLike<number>[]): Outcome<number> {
  if (table.length === 0) return notDefined(say('stats.noCompletelyJudgedItem'));
  const rows = table.map((row) => Array.from(row, (cell) => count(cell, 'A count of raters')));
  const raters = rows[0].reduce((total, cell) => total + cell, 0);
  const totals = new Array<number>(rows[0].length).fill(0);
  let agreement = 0;
  for (const row of rows) {
    if (row.length !== totals.length) throw new RangeError('Rows of a table of ratings differ in length.');
    if (row.reduce((total, cell) => total + cell, 0) !== raters)
      throw new RangeError('Items were rated by different numbers of raters.');
    row.forEach((cell, category) => {
      totals[category] += cell;
      agreement += cell * (cell - 1);
    });
  }
  if (raters < 2) return notDefined(say('stats.tooFewAnnotators'));
  const ratings = rows.length * raters;
  if (totals.includes(ratings)) return notDefined(say('stats.ratingsConstant'));
  const observed = agreement / (ratings * (raters - 1));
  const byChance = totals.reduce((total, t) => total + (t / ratings) * (t / ratings), 0);
  return (observed - byChance) / (1 - byChance);
}
