/* A table of typed columns, as the writers of Parquet, Arrow and tar take it. */

/** An image file's bytes, and its name in the dataset. */
export interface TableImage {
  bytes: Uint8Array;
  path: string;
}

export type ColumnKind = 'number' | 'boolean' | 'string' | 'texts' | 'image';

export type TableCell = string | number | boolean | readonly string[] | TableImage | null;

export interface Table {
  /** The kind of each column by its name, in order. */
  columns: ReadonlyMap<string, ColumnKind>;
  /** One cell for each column. */
  rows: AsyncIterable<readonly TableCell[]>;
  /** Texts for the metadata of the file. */
  notes: Readonly<Record<string, string>>;
  createdBy: string;
}

const mostRows = 10_000;
const mostBytes = 16 << 20;

/** Rows in groups that are small enough for memory. */
export async function* groupsOf({ rows }: Pick<Table, 'rows'>): AsyncGenerator<(readonly TableCell[])[]> {
  let group: (readonly TableCell[])[] = [];
  let size = 0;
  for await (const row of rows) {
    group.push(row);
    for (const cell of row) size += sizeOf(cell);
    if (group.length < mostRows && size < mostBytes) continue;
    yield group;
    group = [];
    size = 0;
  }
  if (group.length > 0) yield group;
}

function sizeOf(cell: TableCell): number {
  if (typeof cell === 'string') return cell.length;
  if (typeof cell !== 'object' || cell === null) return 8;
  if ('bytes' in cell) return cell.bytes.length;
  return cell.reduce((sum, text) => sum + text.length, 0);
}

/** The file's notes, and which columns are images for the library `datasets`. */
export function notesOf({ columns, notes }: Pick<Table, 'columns' | 'notes'>): [string, string][] {
  const images = [...columns].filter(([, kind]) => kind === 'image');
  const features = Object.fromEntries(images.map(([name]) => [name, { _type: 'Image' }]));
  return [
    ...Object.entries(notes),
    ...(images.length === 0
      ? []
      : [['huggingface', JSON.stringify({ info: { features } })] satisfies [string, string]]),
  ];
}
