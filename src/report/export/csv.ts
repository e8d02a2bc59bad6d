import type { Row } from '../../probe/metric';
import { type Cell, columnsOf, flatten } from './flat';

/**
 * Matches formula signs, including full-width ones. Spaces may precede them, because some programs drop
 * spaces.
 */
const formula = /^(?:\s*[=+\-@＝＋－＠]|[\t\r\n])/;

/** Writes rows as CSV, one line for each variant. Reads them twice: first for the columns, then for the cells. */
export async function* csv(rows: () => AsyncIterable<Row>): AsyncGenerator<string> {
  const names = [...(await columnsOf(oneAVariant(rows()))).keys()];
  yield `${names.map(quote).join(',')}\r\n`;
  for await (const row of oneAVariant(rows())) {
    const flat = flatten(row);
    yield `${names.map((name) => quote(flat.get(name))).join(',')}\r\n`;
  }
}

/** A row with variants becomes one row for each, with the variant's fields under "variant.". */
async function* oneAVariant(rows: AsyncIterable<Row>): AsyncGenerator<Row> {
  for await (const row of rows) {
    const { variants, ...shared } = row as Row & { variants?: unknown };
    if (!Array.isArray(variants) || variants.length === 0) yield row;
    else for (const variant of variants) yield { ...shared, variant } as Row;
  }
}

/** A field of CSV that no spreadsheet runs as a formula. */
export function quote(cell: Cell | undefined): string {
  if (cell === undefined) return '';
  if (typeof cell !== 'string') return String(cell);
  // A spreadsheet would run such a text as a formula, unless an apostrophe precedes it.
  const text = formula.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text;
}
