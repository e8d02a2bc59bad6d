/* Leaves out the columns of a table that have no value, and names them in a footnote. */
import { type HeadCell, isNumber, type PaperTable } from './table';
import { plainHead } from './write/texText';

/** More names are counted instead of listed. */
const mostNamed = 8;

type Body = Pick<PaperTable, 'heads' | 'rows'>;

/** Rows without a value stay, because it is a result that an evaluator cannot be measured. */
export function withoutEmpty<T extends Body>(table: T): { table: T; notes: string[] } {
  const kept = table.heads.at(-1)!.map((_, i) => table.rows.some(({ cells }) => isNumber(cells[i])));
  if (kept.every(Boolean)) return { table, notes: [] };
  const heads = table.heads.map((level) => keptHeads(level, kept));
  const rows = table.rows.map((row) => ({ ...row, cells: row.cells.filter((_, i) => kept[i]) }));
  return { table: { ...table, heads, rows }, notes: leftOut('Columns', namesOf(table.heads, kept)) };
}

/** A footnote that names columns or rows without a value. */
export function leftOut(what: string, names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const shown = names.length > mostNamed ? String(names.length) : names.join('; ');
  return [`${what} left out, because no report has a value for them: ${shown}.`];
}

function keptHeads(level: readonly HeadCell[], kept: readonly boolean[]): HeadCell[] {
  let at = 0;
  return level.flatMap(({ text, span }) => {
    const left = kept.slice(at, (at += span)).filter(Boolean).length;
    return left === 0 ? [] : [{ text, span: left }];
  });
}

/** The names of the columns left out. If all columns under a heading are left out, only the heading is named. */
function namesOf(heads: Body['heads'], kept: readonly boolean[]): string[] {
  const levels = heads.map((level) => level.flatMap(({ text, span }) => Array<string>(span).fill(text)));
  const pathOf = (column: number, depth: number) => levels.slice(0, depth).map((level) => level[column]);
  const isWhollyEmpty = (path: readonly string[]) =>
    kept.every((is, i) => !is || pathOf(i, path.length).join('\n') !== path.join('\n'));
  const names = kept.flatMap((is, i) => {
    if (is) return [];
    const paths = levels.map((_, depth) => pathOf(i, depth + 1));
    const path = paths.find((one) => one.at(-1) !== '' && isWhollyEmpty(one)) ?? paths.at(-1)!;
    return [
      path
        .filter((part) => part !== '')
        .map(shownHead)
        .join(' '),
    ];
  });
  return [...new Set(names)];
}

/** A heading in a sentence: without the arrow that says which direction is better. */
export function shownHead(head: string): string {
  return plainHead(head).replace(/ ?[↓↑]/, '');
}
