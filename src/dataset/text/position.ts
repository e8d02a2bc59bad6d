import type { Place } from '../example';
import type { DetectedEncoding } from './encoding';

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** UTF-16 units per UTF-8 byte: 0 for a continuation byte, 2 for the first byte of a four-byte character. */
const unitsOfByte = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x80 && byte < 0xc0 ? 0 : byte >= 0xf0 ? 2 : 1,
);

/**
 * Moves forward through a file's UTF-8 text and tracks line, column and offset in the original file. Lines
 * end at LF, CR LF or a single CR, as in editors.
 */
export class Cursor {
  line = 1;
  /** UTF-16 units since the line began. */
  column = 0;
  /** UTF-16 units since the file began, without the byte order mark. */
  units = 0;
  /** UTF-8 bytes since the file began, without the byte order mark. */
  bytes = 0;
  private afterReturn = false;

  constructor(private readonly encoding: DetectedEncoding) {}

  advance(bytes: Uint8Array, from: number, to: number): void {
    let { line, column, units, afterReturn } = this;
    for (let i = from; i < to; i++) {
      const byte = bytes[i];
      if (byte > carriageReturn) {
        const width = byte < 0x80 ? 1 : unitsOfByte[byte];
        column += width;
        units += width;
        afterReturn = false;
      } else {
        units++;
        if (byte === lineFeed) {
          if (!afterReturn) line++;
          column = 0;
          afterReturn = false;
        } else if (byte === carriageReturn) {
          line++;
          column = 0;
          afterReturn = true;
        } else {
          column++;
          afterReturn = false;
        }
      }
    }
    this.line = line;
    this.column = column;
    this.units = units;
    this.afterReturn = afterReturn;
    this.bytes += to - from;
  }

  /** The file's name, if it is a part of a dataset. */
  get part(): string | undefined {
    return this.encoding.part;
  }

  /** Byte offset in the original file. */
  get offset(): number {
    const { encoding, bom } = this.encoding;
    return bom + (encoding === 'utf-8' ? this.bytes : 2 * this.units);
  }

  /** How many bytes of the original file these UTF-8 bytes represent. */
  lengthOf(bytes: Uint8Array, from: number, to: number): number {
    if (this.encoding.encoding === 'utf-8') return to - from;
    let units = 0;
    for (let i = from; i < to; i++) units += unitsOfByte[bytes[i]];
    return Math.min(2 * units, (this.encoding.size ?? Infinity) - this.offset);
  }

  /** Moves to the beginning of a row. */
  moveTo({ line, column, offset }: Place): void {
    const bytes = offset - this.encoding.bom;
    this.line = line;
    this.column = column - 1;
    // In UTF-16, the offset depends only on `units`; in UTF-8, only on `bytes`. The other count may be inexact.
    this.units = bytes / 2;
    this.bytes = bytes;
    this.afterReturn = false;
  }

  copyFrom(other: Cursor): void {
    this.line = other.line;
    this.column = other.column;
    this.units = other.units;
    this.bytes = other.bytes;
    this.afterReturn = other.afterReturn;
  }

  clone(): Cursor {
    const copy = new Cursor(this.encoding);
    copy.copyFrom(this);
    return copy;
  }
}

/** Finds places inside one row. It is fastest if the caller asks for places in ascending order. */
export class Locator {
  private walker: Cursor | undefined;
  private at: number;

  /** `origin` is the cursor at `bytes[start]`. It must not move while the locator is used. */
  constructor(
    private readonly bytes: Uint8Array,
    private readonly start: number,
    private readonly origin: Cursor,
  ) {
    this.at = start;
  }

  place(from: number, to: number): Place {
    const cursor = from === this.start ? this.origin : this.walkTo(from);
    const { line, column, offset } = cursor;
    const { part } = this.origin;
    const place: Place = { line, column: column + 1, offset, length: cursor.lengthOf(this.bytes, from, to) };
    if (part !== undefined) place.part = part;
    return place;
  }

  private walkTo(from: number): Cursor {
    this.walker ??= this.origin.clone();
    if (from < this.at) {
      this.walker.copyFrom(this.origin);
      this.at = this.start;
    }
    this.walker.advance(this.bytes, this.at, from);
    this.at = from;
    return this.walker;
  }
}
