import type { BoardRow, BoardTable, Sorting } from '../../src/protocol/board';

/** The index of the sorted column: -1 for the evaluators' names; undefined if the column no longer exists. */
export function sortedColumn({ columns }: BoardTable, { column }: Sorting): number | undefined {
  if (column === undefined) return -1;
  const at = columns.findIndex(({ key }) => key === column);
  return at === -1 ? undefined : at;
}

/** The sorting after a click on a column header. The first click sorts ascending, unless higher values are better. */
export function nextSorting(table: BoardTable, at: number, now: Sorting | undefined): Sorting {
  const own = table.columns.at(at);
  const column = at === -1 ? undefined : own?.key;
  const isSame = now !== undefined && now.column === column;
  const up = isSame ? !now.up : at === -1 || own?.better !== 'higher';
  return { ...(column === undefined ? {} : { column }), up };
}

/** The row indices in sorted order. Rows without a value come last. */
export function orderOf(table: BoardTable, sorting: Sorting | undefined): number[] {
  const places = table.rows.map((_, i) => i);
  const at = sorting === undefined ? undefined : sortedColumn(table, sorting);
  if (sorting === undefined || at === undefined) return places;
  const sign = sorting.up ? 1 : -1;
  if (at === -1)
    return places.sort((a, b) => sign * table.rows[a].evaluator.localeCompare(table.rows[b].evaluator));
  const value = (row: BoardRow): number | undefined => {
    const cell = row.cells[at];
    return cell.type === 'value' ? cell.value : undefined;
  };
  return places.sort((a, b) => {
    const [x, y] = [value(table.rows[a]), value(table.rows[b])];
    if (x === undefined || y === undefined) return Number(x === undefined) - Number(y === undefined);
    return sign * (x - y);
  });
}
