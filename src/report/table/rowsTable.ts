import type { Row } from '../../probe/metric';
import { type Cell, type CellType, columnsOf, flatten } from '../export/flat';
import { withoutFolders } from '../export/withoutFolders';
import type { Report } from '../report';
import type { ColumnKind, Table, TableCell, TableImage } from './table';

/** A report with its rows, which each call of `rows` reads again. */
export interface RowsOf {
  report: Report;
  rows: () => AsyncIterable<Row>;
  /** The image of a row; undefined if it was not found. Absent if images are left out. */
  imageOf?: ((row: Row) => Promise<TableImage | undefined>) | undefined;
}

/** The columns of the rows of all reports. A column whose types differ is text. */
export async function columnsOfAll(reports: readonly RowsOf[]): Promise<Map<string, CellType>> {
  const columns = new Map<string, CellType>();
  for (const { rows } of reports)
    for (const [name, type] of await columnsOf(rows()))
      columns.set(name, (columns.get(name) ?? type) === type ? type : 'string');
  return columns;
}

/** The rows of a report as a table. `first` are cells that each row has before its own. */
export function rowsTable(
  of: RowsOf,
  own: ReadonlyMap<string, CellType>,
  notes: Table['notes'],
  first: Readonly<Record<string, string>> = {},
): Table {
  const columns = new Map<string, ColumnKind>([
    ...Object.keys(first).map((name): [string, ColumnKind] => [name, 'string']),
    ...own,
  ]);
  if (of.imageOf !== undefined && columns.has('image')) columns.set('image', 'image');
  return {
    columns,
    rows: cellsOf(of, columns, first),
    notes,
    createdBy: `captious ${of.report.versions.captious}`,
  };
}

async function* cellsOf(
  { rows, imageOf }: RowsOf,
  columns: Table['columns'],
  first: Readonly<Record<string, string>>,
): AsyncGenerator<TableCell[]> {
  for await (const row of rows()) {
    const flat: ReadonlyMap<string, Cell> = new Map([...Object.entries(first), ...flatten(row)]);
    const cells: TableCell[] = [];
    for (const [name, kind] of columns) {
      const cell = flat.get(name) ?? null;
      if (kind === 'image') cells.push((await imageOf!(row)) ?? null);
      else cells.push(kind === 'string' && cell !== null ? String(cell) : cell);
    }
    yield cells;
  }
}

/** The report as a note of the file with its rows. */
export function reportNote(report: Report): Table['notes'] {
  return { 'captious.report': JSON.stringify(withoutFolders(report)) };
}
