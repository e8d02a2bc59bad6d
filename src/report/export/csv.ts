import type { Row } from '../../probe/probe';

/**
 * Rows as a spreadsheet reads them: nested fields become columns named with dots, in the order they first appear.
 * Two readings: one for the columns, one for the cells.
 */
export async function* csv(rows: () => AsyncIterable<Row>): AsyncGenerator<string> {
  const columns = new Set<string>();
  for await (const row of rows()) for (const key of flatten(row).keys()) columns.add(key);
  const names = [...columns];
  yield `${names.map(cell).join(',')}\r\n`;
  for await (const row of rows()) {
    const flat = flatten(row);
    yield `${names.map((name) => cell(flat.get(name))).join(',')}\r\n`;
  }
}

function flatten(value: object, prefix = '', out = new Map<string, unknown>()): Map<string, unknown> {
  for (const [key, item] of Object.entries(value)) {
    const name = prefix + key;
    if (typeof item === 'object' && item !== null && !Array.isArray(item))
      flatten(item as object, `${name}.`, out);
    else out.set(name, Array.isArray(item) ? JSON.stringify(item) : item);
  }
  return out;
}

function cell(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  let text = String(value);
  // A spreadsheet would run such a text as a formula; the apostrophe makes it a text.
  if (/^[=+\-@\t\r]/.test(text)) text = `'${text}`;
  return /[",\r\n]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text;
}
