import { say, type Words } from '../../base/say';
import { Cell } from '../cell';
import { type Framer, type RawRow, longestRow, tooLongMessage } from './framer';
import type { Cursor } from './position';
import { Window } from './window';

const tab = 0x09;
const blank = 0x20;
const quote = 0x22;
const bar = 0x7c;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;

export interface CellHandler {
  cells(row: RawRow, cells: Cell[]): void;
  broken(row: RawRow, message: Words): void;
}

/** One record: its cells, the end of its text, and the start of the next record. */
interface Parsed {
  cells: Cell[];
  end: number;
  next: number;
  /** Whether a quoted cell contains a delimiter or a line end. */
  joins: boolean;
  /** Whether a cell begins with a quote that is not closed properly. */
  strayQuote: boolean;
}

/**
 * Splits CSV and TSV. A quoted cell needs an opening quote, doubled inner quotes, and a closing quote before
 * the delimiter or line end; any other quote is an ordinary character.
 */
export class DelimitedFramer implements Framer {
  private readonly window = new Window();
  private skipping = false;

  /** `width` is the expected number of cells per row; undefined allows any number. */
  constructor(
    private readonly handler: CellHandler,
    private readonly cursor: Cursor,
    private readonly delimiter: number,
    public width: number | undefined,
    private readonly longest = longestRow,
  ) {}

  feed(chunk: Uint8Array): void {
    const begun = this.window.length > 0;
    this.window.append(chunk);
    // If the chunk has no line end, the record is still incomplete and need not be parsed again.
    const ends = !begun || chunk.includes(lineFeed) || chunk.includes(carriageReturn);
    if (ends || this.window.length > this.longest) this.records(false);
  }

  end(): void {
    this.records(true);
  }

  private records(final: boolean): void {
    const { bytes, length } = this.window;
    let start = 0;
    while (start < length) {
      if (this.skipping) {
        const line = lineEnd(bytes, start, length);
        this.skipping = line === length && !final;
        start = this.move(start, line);
        if (start < length && bytes[start] === carriageReturn) start = this.move(start, start + 1);
        if (start < length && bytes[start] === lineFeed) start = this.move(start, start + 1);
        continue;
      }
      const parsed = this.parse(start, length, final, true);
      if (parsed === undefined) {
        if (length - start <= this.longest) break;
        this.handler.broken(this.rowAt(start, length), tooLongMessage(this.longest));
        this.skipping = true;
        continue;
      }
      start = this.move(start, this.emit(start, length, parsed));
    }
    this.window.discard(start);
  }

  private move(from: number, to: number): number {
    this.cursor.advance(this.window.bytes, from, to);
    return to;
  }

  private rowAt(start: number, end: number): RawRow {
    return { bytes: this.window.bytes, start, end, origin: this.cursor };
  }

  /** Passes a record to the handler, as cells or as a broken row. Returns the start of the next record. */
  private emit(start: number, length: number, parsed: Parsed): number {
    if (parsed.end === start) return parsed.next;
    let record = parsed;
    const { width } = this;
    // The quotes of a tab-separated line count as text if this gives the right number of cells.
    if (record.joins && this.delimiter === tab) {
      const line = this.oneLine(start, length);
      if (line?.cells.length === width) record = line ?? record;
    }
    if (width !== undefined && record.cells.length !== width) {
      // The quotes of a row with the wrong number of cells may be literal.
      if (record.joins) record = this.oneLine(start, length) ?? record;
      while (record.cells.length > width && isEmpty(record.cells[record.cells.length - 1]))
        record.cells.pop();
      if (record.cells.length !== width) {
        const quotes = record.strayQuote ? say('dataset.badlyQuotedCell') : '';
        this.handler.broken(
          this.rowAt(start, record.end),
          say('dataset.cellCountDiffers', record.cells.length, width, quotes),
        );
        return record.next;
      }
    }
    this.handler.cells(this.rowAt(start, record.end), record.cells);
    return record.next;
  }

  /** Parses the record at `start` as one line. A delimiter ends a cell, even between quotes. */
  private oneLine(start: number, length: number): Parsed | undefined {
    return this.parse(start, length, true, false);
  }

  /** Parses the record at `start`; undefined if the bytes do not include its end. */
  private parse(start: number, length: number, final: boolean, quotes: boolean): Parsed | undefined {
    const { bytes } = this.window;
    const cells: Cell[] = [];
    const sign = String.fromCharCode(this.delimiter);
    let joins = false;
    let strayQuote = false;
    let i = start;
    for (;;) {
      let quotedEnd = -1;
      if (i < length && bytes[i] === quote) {
        quotedEnd = quotes ? this.closing(i, length, final) : this.closing(i, this.cellEnd(i, length), true);
        if (quotedEnd === needsMore) return undefined;
        if (quotedEnd === notQuoted) strayQuote = true;
      }
      if (quotedEnd > 0) {
        const inner = bytes.toString('utf8', i + 1, quotedEnd - 1);
        if (inner.includes(sign) || inner.includes('\n') || inner.includes('\r')) joins = true;
        cells.push(new Cell(inner.includes('"') ? inner.replaceAll('""', '"') : inner, i, quotedEnd));
        i = quotedEnd;
      } else {
        const from = i;
        while (
          i < length &&
          bytes[i] !== this.delimiter &&
          bytes[i] !== lineFeed &&
          bytes[i] !== carriageReturn
        )
          i++;
        if (i === length && !final) return undefined;
        cells.push(this.bareCell(from, i));
      }
      if (i < length && bytes[i] === this.delimiter) {
        i++;
        continue;
      }
      // The position is at a line end, at the end of the file, or at a CR whose LF may follow in the next
      // chunk.
      const end = i;
      if (i === length) return final ? { cells, end, next: end, joins, strayQuote } : undefined;
      if (bytes[i] === carriageReturn) {
        i++;
        if (i === length && !final) return undefined;
      }
      if (i < length && bytes[i] === lineFeed) i++;
      return { cells, end, next: i, joins, strayQuote };
    }
  }

  /** Makes an unquoted cell. If the delimiter is a bar, trims the spaces around the text. */
  private bareCell(from: number, to: number): Cell {
    const { bytes } = this.window;
    let start = from;
    let end = to;
    if (this.delimiter === bar) {
      while (start < end && bytes[start] === blank) start++;
      while (end > start && bytes[end - 1] === blank) end--;
    }
    return new Cell(bytes.toString('utf8', start, end), start, end);
  }

  /** The position where an unquoted cell ends. */
  private cellEnd(from: number, length: number): number {
    const { bytes } = this.window;
    const { delimiter } = this;
    let i = from;
    while (i < length && bytes[i] !== delimiter && bytes[i] !== lineFeed && bytes[i] !== carriageReturn) i++;
    return i;
  }

  /** Returns the position after the closing quote of the cell at `open`, or `needsMore`, or `notQuoted`. */
  private closing(open: number, length: number, final: boolean): number {
    const { bytes } = this.window;
    for (let i = open + 1; i < length; i++) {
      if (bytes[i] !== quote) continue;
      if (i + 1 === length) return final ? i + 1 : needsMore;
      const after = bytes[i + 1];
      if (after === quote) i++;
      else if (after === this.delimiter || after === lineFeed || after === carriageReturn) return i + 1;
      else return notQuoted;
    }
    return final || length - open > this.longest / 4 ? notQuoted : needsMore;
  }
}

const needsMore = -1;
const notQuoted = -2;

function lineEnd(bytes: Uint8Array, from: number, length: number): number {
  let i = from;
  while (i < length && bytes[i] !== lineFeed && bytes[i] !== carriageReturn) i++;
  return i;
}

function isEmpty(cell: Cell): boolean {
  return typeof cell.value === 'string' && cell.value.trim() === '';
}
