import { say, type Words } from '../../base/say';
import { type Framer, type RawRow, type RowHandler, longestRow, tooLongMessage } from './framer';
import {
  backslash,
  closeBrace,
  closeBracket,
  colon,
  comma,
  endsWord,
  JsonFault,
  lineFeed,
  openBrace,
  openBracket,
  quote,
  slash,
  star,
} from './jsonBytes';
import { JsonReader } from './jsonValue';
import type { Cursor } from './position';
import { Window } from './window';

/** The part of the JSON structure at the current byte. */
type Within = 'nothing' | 'root' | 'section' | 'key' | 'value' | 'after' | 'trailing';

/** The kind of text at the current byte. */
type Lex = 'plain' | 'string' | 'escape' | 'slash' | 'line comment' | 'block comment' | 'block star' | 'word';

/** An unfinished row of this size is checked for damage, and again at each doubling of its size. */
const firstCheck = 64 * 1024;

/**
 * Splits a JSON value of any size into rows by counting brackets. A row with a missing quote or an extra
 * bracket ends where the next object with the same first key begins.
 */
export class JsonFramer implements Framer {
  private readonly window = new Window();
  private readonly checker = new JsonReader();
  private at = 0;
  private lex: Lex = 'plain';
  private within: Within = 'nothing';
  private rootIsObject = false;
  private key: string | undefined;
  private section: string | undefined;
  /** Whether the scanner skips the current value because it is not a row, or because it is too long. */
  private passing = false;
  /** Start of the current value or key in the window, or -1. */
  private start = -1;
  private depth = 0;
  private nextCheck = firstCheck;
  /** The pattern of a row's beginning, including the preceding comma. */
  private rowStart: RegExp | undefined;
  /** The cursor's position in the window. */
  private counted = 0;

  constructor(
    private readonly handler: RowHandler,
    private readonly cursor: Cursor,
    /** Keys of the root object whose lists contain rows. If undefined, the root's values are the rows. */
    private readonly sections?: ReadonlySet<string>,
    private readonly longest = longestRow,
  ) {}

  feed(chunk: Uint8Array): void {
    this.window.append(chunk);
    for (;;) {
      this.scan();
      if (!this.inRow()) break;
      const size = this.window.length - this.start;
      if (size > this.longest) {
        if (this.giveUp(this.faultBeforeEnd() ?? tooLongMessage(this.longest))) continue;
        this.passing = true;
      } else if (size > this.nextCheck) {
        this.nextCheck *= 2;
        const wrong = this.faultBeforeEnd();
        if (wrong !== undefined && this.nextRowStart(this.window.length) >= 0) {
          this.giveUp(wrong);
          continue;
        }
      }
      break;
    }
    this.forget();
  }

  end(): void {
    for (;;) {
      if (this.lex === 'word') this.finish(this.at);
      if (!this.inRow()) break;
      const wrong = this.faultBeforeEnd();
      if (!this.giveUp(wrong ?? say('dataset.fileEndsInEntry'), undefined, wrong !== undefined)) return;
      this.scan();
    }
    if (this.within !== 'after' && this.within !== 'trailing') {
      const closing = this.rootIsObject ? '}' : ']';
      this.fault(this.window.length, say('dataset.fileEndsUnclosed', closing));
    }
  }

  private inRow(): boolean {
    return this.within === 'value' && !this.passing;
  }

  /** Discards bytes that are no longer needed. */
  private forget(): void {
    if (this.passing) this.start = -1;
    const needed = this.start >= 0 ? this.start : this.at;
    this.count(needed);
    this.window.discard(needed);
    this.at -= needed;
    this.counted -= needed;
    if (this.start >= 0) this.start = 0;
  }

  private count(to: number): void {
    if (to <= this.counted) return;
    this.cursor.advance(this.window.bytes, this.counted, to);
    this.counted = to;
  }

  private scan(): void {
    const { bytes, length } = this.window;
    while (this.at < length) {
      let i = this.at;
      switch (this.lex) {
        case 'plain':
          if (this.within === 'value') this.scanValue();
          else this.scanBetween();
          continue;
        case 'string':
          // A JSON string cannot contain a line break, so an unclosed string ends at the line break.
          while (i < length && bytes[i] !== quote && bytes[i] !== backslash && bytes[i] !== lineFeed) i++;
          if (i === length) break;
          if (bytes[i] === backslash) this.lex = 'escape';
          else {
            this.lex = 'plain';
            this.at = i + 1;
            if (this.within === 'key') this.finishKey(i + 1);
            else if (this.depth === 0) this.finish(i + 1);
            continue;
          }
          i++;
          break;
        case 'escape':
          this.lex = 'string';
          i++;
          break;
        case 'slash':
          this.lex = bytes[i] === slash ? 'line comment' : bytes[i] === star ? 'block comment' : 'plain';
          if (this.lex !== 'plain') i++;
          break;
        case 'line comment':
          while (i < length && bytes[i] !== lineFeed) i++;
          if (i < length) this.lex = 'plain';
          break;
        case 'block comment':
          while (i < length && bytes[i] !== star) i++;
          if (i < length) {
            this.lex = 'block star';
            i++;
          }
          break;
        case 'block star':
          if (bytes[i] === slash) this.lex = 'plain';
          else if (bytes[i] !== star) this.lex = 'block comment';
          i++;
          break;
        case 'word':
          while (i < length && !endsWord(bytes[i])) i++;
          if (i < length) {
            this.lex = 'plain';
            this.at = i;
            this.finish(i);
            continue;
          }
          break;
      }
      this.at = i;
    }
  }

  private scanValue(): void {
    const { bytes, length } = this.window;
    let i = this.at;
    let { depth } = this;
    while (i < length) {
      const byte = bytes[i++];
      if (byte === quote) {
        this.lex = 'string';
        break;
      }
      if (byte === slash) {
        this.lex = 'slash';
        break;
      }
      if (byte === openBrace || byte === openBracket) depth++;
      else if (byte === closeBrace || byte === closeBracket) {
        if (--depth === 0) {
          this.depth = 0;
          this.at = i;
          this.finish(i);
          return;
        }
      }
    }
    this.depth = depth;
    this.at = i;
  }

  private scanBetween(): void {
    const { bytes, length } = this.window;
    if (this.within === 'trailing') {
      this.at = length;
      return;
    }
    let i = this.at;
    while (i < length && (bytes[i] <= 0x20 || bytes[i] === comma || bytes[i] === colon)) i++;
    this.at = i;
    if (i === length) return;
    const byte = bytes[i];
    if (byte === slash) {
      this.at++;
      this.lex = 'slash';
    } else if (this.within === 'nothing') {
      this.at++;
      this.rootIsObject = byte === openBrace;
      this.within = 'root';
    } else if (this.within === 'after') {
      this.fault(i, say('dataset.textAfterFileEnd', this.rootIsObject ? '}' : ']'));
      this.within = 'trailing';
      this.at = length;
    } else if (byte === closeBrace || byte === closeBracket) {
      this.at++;
      this.within = this.within === 'section' ? 'root' : 'after';
      this.section = undefined;
      this.key = undefined;
    } else if (this.within === 'root' && this.rootIsObject && this.key === undefined) {
      if (byte === quote) {
        this.at++;
        this.start = i;
        this.within = 'key';
        this.lex = 'string';
      } else {
        this.fault(i, say('dataset.jsonKeyExpected'));
        this.beginValue(byte, true);
      }
    } else if (this.within === 'section' || this.sections === undefined) {
      this.beginValue(byte, false);
    } else if (byte === openBracket && this.sections.has(this.key ?? '')) {
      this.at++;
      this.section = this.key;
      this.key = undefined;
      this.rowStart = undefined;
      this.within = 'section';
    } else {
      this.beginValue(byte, true);
    }
  }

  private beginValue(byte: number, passing: boolean): void {
    this.within = 'value';
    this.passing = passing;
    this.start = this.at;
    this.depth = 0;
    this.nextCheck = firstCheck;
    if (byte === quote) {
      this.lex = 'string';
      this.at++;
    } else if (byte !== openBrace && byte !== openBracket) this.lex = 'word';
  }

  private finishKey(to: number): void {
    const { bytes } = this.window;
    try {
      this.key = String(this.checker.read(bytes, this.start, to).value);
    } catch (error) {
      if (!(error instanceof JsonFault)) throw error;
      this.fault(this.start, error.what);
      this.key = '';
    }
    this.start = -1;
    this.within = 'root';
  }

  private finish(to: number): void {
    if (!this.passing) {
      const row = this.rowTo(to);
      const wrong = this.handler.row(row);
      if (wrong === undefined) this.rowStart ??= rowStartOf(row);
      else {
        this.giveUp(wrong, to);
        return;
      }
    }
    this.between();
  }

  private between(): void {
    this.within = this.section === undefined ? 'root' : 'section';
    this.lex = 'plain';
    this.passing = false;
    this.start = -1;
    this.depth = 0;
    this.key = undefined;
  }

  private rowTo(end: number): RawRow {
    const { start, key, section } = this;
    this.count(start);
    return { bytes: this.window.bytes, start, end, origin: this.cursor, key, section };
  }

  /**
   * Reports a broken row. If the next row begins in the window, ends the broken row before it and returns true. If
   * not, ends the broken row at `end` or at the last byte, and returns false.
   */
  private giveUp(message: Words, end?: number, swallowedOthers = true): boolean {
    const to = end ?? this.window.length;
    const next = swallowedOthers ? this.nextRowStart(to) : -1;
    this.handler.broken(this.rowTo(next < 0 ? to : next), message);
    if (next < 0 && end === undefined) return false;
    this.between();
    this.at = next < 0 ? to : next;
    return next >= 0;
  }

  /** A definite error in the row; undefined if the row may only be incomplete. */
  private faultBeforeEnd(): Words | undefined {
    const { bytes, length } = this.window;
    try {
      this.checker.read(bytes, this.start, length);
      return undefined;
    } catch (error) {
      if (!(error instanceof JsonFault)) throw error;
      return error.at < length && !error.open ? error.what : undefined;
    }
  }

  /** The start of the next row in the window, between the current row's start and `to`, or -1. */
  private nextRowStart(to: number): number {
    if (this.rowStart === undefined) return -1;
    const { bytes } = this.window;
    const text = bytes.toString('latin1', this.start, to);
    const match = this.rowStart.exec(text);
    return match === null ? -1 : this.start + match.index + match[0].length - match[1].length;
  }

  private fault(at: number, message: Words): void {
    this.count(at);
    const { bytes, length } = this.window;
    this.handler.fault({ bytes, start: at, end: Math.min(at + 1, length), origin: this.cursor }, message);
  }
}

/** The pattern of a row's beginning, made from the first key of the given row. */
function rowStartOf(row: RawRow): RegExp | undefined {
  const head = Buffer.from(row.bytes.subarray(row.start, Math.min(row.end, row.start + 256))).toString(
    'latin1',
  );
  const first = /^\{\s*("(?:[^"\\]|\\.)*")\s*:/.exec(head);
  if (first === null) return undefined;
  const key = first[1].replace(
    /[^A-Za-z0-9_ "]/g,
    (sign) => `\\x${sign.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
  const name = row.key === undefined ? '' : String.raw`"(?:[^"\\\n]|\\.)*"\s*:\s*`;
  return new RegExp(String.raw`,\s*(${name}\{\s*${key}\s*:)`);
}
