import { english, withSentences } from '../../base/english';
import { isSaid } from '../../base/say';
import type { Row } from '../../probe/metric';

export type Cell = string | number | boolean;

/** A row as flat cells: nested names are joined with dots, lists become JSON, and null is absent. */
export function flatten(value: object, prefix = '', out = new Map<string, Cell>()): Map<string, Cell> {
  for (const [key, item] of Object.entries(value) as [string, unknown][]) {
    const name = prefix + key;
    if (Array.isArray(item)) out.set(name, JSON.stringify(withSentences(item)));
    else if (isSaid(item)) out.set(name, english(item));
    else if (typeof item === 'object' && item !== null) flatten(item, `${name}.`, out);
    else if (typeof item === 'string' || typeof item === 'number' || typeof item === 'boolean')
      out.set(name, item);
  }
  return out;
}

export type CellType = 'number' | 'boolean' | 'string';

/** All rows' columns in order of appearance, each with a type that fits all its cells. */
export async function columnsOf(rows: AsyncIterable<Row>): Promise<Map<string, CellType>> {
  const columns = new Map<string, CellType>();
  for await (const row of rows) {
    for (const [name, cell] of flatten(row)) {
      const type = typeof cell as CellType;
      const known = columns.get(name);
      columns.set(name, known === undefined || known === type ? type : 'string');
    }
  }
  return columns;
}
