import { say, type Words } from '../base/say';
import { Cell, Fields } from './cell';
import type { Sink } from './draft';
import { Entry } from './entry';
import type { Position } from './dataset';
import type { Layout } from './format';
import { DelimitedFramer } from './text/delimited';
import type { DetectedEncoding } from './text/encoding';
import { type Framer, type RawRow, longestRow } from './text/framer';
import { JsonFramer } from './text/jsonFramer';
import { JsonFault } from './text/jsonBytes';
import { JsonReader } from './text/jsonValue';
import { LineFramer } from './text/lines';
import { Cursor, Locator } from './text/position';

/** How to split a text file into rows. */
export type TextLayout =
  | { kind: Extract<Layout, 'list' | 'object of rows' | 'lines'> }
  | { kind: 'object of lists'; sections: readonly string[] }
  /** `header` contains the column names, if the file's first row does not. */
  | { kind: 'delimited'; delimiter: string; header?: readonly string[] };

export interface EntryHandler {
  entry(entry: Entry): void;
  /** Called with the column names in the first row of a delimited file. */
  header?(names: readonly string[]): void;
  problem: Sink['problem'];
}

/** Makes a framer that passes each row to the handler as an entry. `from` is the position of the first row. */
export function entryFramer(
  layout: TextLayout,
  encoding: DetectedEncoding,
  handler: EntryHandler,
  longest = longestRow,
  from?: Position,
): Framer {
  const cursor = new Cursor(encoding);
  if (from?.place !== undefined) cursor.moveTo(from.place);
  if (layout.kind === 'delimited') return delimitedFramer(layout, cursor, handler, longest, from?.row);
  const rows = new JsonRows(handler, from?.row);
  if (layout.kind === 'lines') return new LineFramer(rows, cursor, longest);
  const sections = layout.kind === 'object of lists' ? new Set(layout.sections) : undefined;
  return new JsonFramer(rows, cursor, sections, longest);
}

/** Turns JSON rows into entries and counts them. */
class JsonRows {
  private readonly reader = new JsonReader();

  constructor(
    private readonly handler: EntryHandler,
    private count = 0,
  ) {}

  row(raw: RawRow): Words | undefined {
    let cell: Cell;
    try {
      cell = this.reader.read(raw.bytes, raw.start, raw.end);
    } catch (error) {
      if (error instanceof JsonFault) return error.what;
      throw error;
    }
    const row = this.count++;
    const locator = new Locator(raw.bytes, raw.start, raw.origin);
    const place = locator.place(raw.start, raw.end);
    const fields = fieldsOf(cell, raw.key);
    if (fields !== undefined)
      this.handler.entry(new Entry(row, fields, place, locator, raw.key, raw.section));
    else
      this.handler.problem({
        code: 'wrong-type',
        severity: 'error',
        message: say('dataset.entryNotObject'),
        row,
        place,
      });
    return undefined;
  }

  broken(raw: RawRow, message: Words): void {
    this.handler.problem({
      code: 'broken-row',
      severity: 'error',
      message: say('dataset.asSentence', message),
      row: this.count++,
      place: placeOf(raw),
    });
  }

  fault(at: RawRow, message: Words): void {
    this.handler.problem({
      code: 'broken-row',
      severity: 'warning',
      message: say('dataset.asSentence', message),
      place: placeOf(at),
    });
  }
}

/**
 * The fields of a row. An object has its own fields. A text or list with a key has the fields `key` and `value`. In
 * any other list of two or more items, the positions are the names. Undefined for other rows.
 */
function fieldsOf(cell: Cell, key: string | undefined): Fields | undefined {
  const { value } = cell;
  if (value instanceof Fields) return value;
  if (key !== undefined && (typeof value === 'string' || Array.isArray(value)))
    return new Fields(['key', 'value'], [new Cell(key, -1, -1), cell]);
  if (!Array.isArray(value) || value.length < 2) return undefined;
  const cells = value as readonly Cell[];
  return new Fields(
    cells.map((_, i) => String(i)),
    cells,
  );
}

function delimitedFramer(
  layout: Extract<TextLayout, { kind: 'delimited' }>,
  cursor: Cursor,
  handler: EntryHandler,
  longest: number,
  first = 0,
): Framer {
  let { header } = layout;
  let row = first;
  const framer = new DelimitedFramer(
    {
      cells(raw, cells) {
        if (header === undefined) {
          header = headerOf(cells);
          framer.width = header.length;
          handler.header?.(header);
          return;
        }
        const locator = new Locator(raw.bytes, raw.start, raw.origin);
        const place = locator.place(raw.start, raw.end);
        handler.entry(new Entry(row++, new Fields(header, cells), place, locator));
      },
      broken(raw, message) {
        handler.problem({
          code: 'broken-row',
          severity: 'error',
          message: say('dataset.asSentence', message),
          row: row++,
          place: placeOf(raw),
        });
      },
    },
    cursor,
    layout.delimiter.charCodeAt(0),
    header?.length,
    longest,
  );
  return framer;
}

/** Returns the trimmed column names. A repeated or missing name gets the column's number. */
function headerOf(cells: readonly Cell[]): string[] {
  const seen = new Set<string>();
  return cells.map((cell, i) => {
    const said = String(cell.value).trim();
    const name = said === '' || seen.has(said) ? `${said || 'column'} ${i + 1}` : said;
    seen.add(name);
    return name;
  });
}

function placeOf(raw: RawRow): Entry['place'] {
  return new Locator(raw.bytes, raw.start, raw.origin).place(raw.start, raw.end);
}
