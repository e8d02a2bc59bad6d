import type { Row } from '../../probe/metric';
import { type Cell, columnsOf, flatten } from './flat';
import { judgedCells, type VotesOn } from './judgments';

/** A formula after a character at which a program with other settings splits lines: it does not see the quotes. */
const laterFormula = /([;|\t\r\n][^\S\t\r\n]*)(?=[=+\-@＝＋－＠])/g;

/** The start of a formula, also with full-width signs. Some programs drop spaces before the sign. */
const formula = /^(?:\s*[=+\-@＝＋－＠]|[\t\r\n])/;

/** Rows as CSV, one line per variant, with what people judged. The rows are read twice: for the columns, then for the cells. */
export async function* csv(rows: () => AsyncIterable<Row>, votesOn?: VotesOn): AsyncGenerator<string> {
  const lines = (): AsyncIterable<Row> => oneAVariant(rows(), votesOn);
  const names = [...(await columnsOf(lines())).keys()];
  yield `${names.map(quote).join(',')}\r\n`;
  for await (const row of lines()) {
    const flat = flatten(row);
    yield `${names.map((name) => quote(flat.get(name))).join(',')}\r\n`;
  }
}

/** Splits a row with variants into one row per variant, with the variant's fields under "variant.". */
async function* oneAVariant(rows: AsyncIterable<Row>, votesOn?: VotesOn): AsyncGenerator<Row> {
  for await (const row of rows) {
    const { variants, ...shared } = row as Row & { variants?: unknown };
    if (!Array.isArray(variants) || variants.length === 0) yield row;
    else
      for (const [at, variant] of variants.entries())
        yield { ...shared, variant, ...judgedCells(votesOn?.(row, at) ?? []) } as Row;
  }
}

/** Writes a CSV field that no spreadsheet runs as a formula. */
export function quote(cell: Cell | undefined): string {
  if (cell === undefined) return '';
  if (typeof cell !== 'string') return String(cell);
  // The apostrophe prevents a spreadsheet from running this text as a formula.
  const text = (formula.test(cell) ? `'${cell}` : cell).replace(laterFormula, "$1'");
  return /[",;|\t\r\n]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text;
}
