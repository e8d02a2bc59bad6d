import { say } from '../../base/say';
import { Cell, Fields } from '../cell';
import {
  backslash,
  closeBrace,
  closeBracket,
  colon,
  comma,
  describeByte,
  isWordByte,
  JsonFault,
  lineFeed,
  openBrace,
  openBracket,
  quote,
  slash,
  star,
} from './jsonBytes';

/** The most levels of nesting. Datasets need fewer, and unlimited nesting could overflow the call stack. */
const deepest = 64;

const words: readonly (readonly [string, boolean | number | null])[] = [
  ['true', true],
  ['false', false],
  ['null', null],
  // Python writes these numbers, which JSON lacks.
  ['NaN', NaN],
  ['Infinity', Infinity],
  ['-Infinity', -Infinity],
];

const numberForm = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** The size of the cache of decoded keys. A file has few distinct keys. */
const keySlots = 512;

/**
 * Parses JSON from UTF-8 bytes and records the position of each value. Accepts comments and trailing commas.
 * One instance reads many rows in sequence.
 */
export class JsonReader {
  private bytes: Uint8Array = new Uint8Array(0);
  private buffer: Buffer = Buffer.alloc(0);
  private at = 0;
  private end = 0;
  /** Whether the last scanned string has a byte above 0x7f. */
  private wide = false;
  /** Whether the last scanned string has a backslash. */
  private escaped = false;
  /** The keys of the last object at each depth. */
  private readonly shapes: { names: string[]; repeated: string | undefined }[] = Array.from(
    { length: deepest + 1 },
    () => ({ names: [], repeated: undefined }),
  );
  private readonly keys: (string | undefined)[] = new Array<string | undefined>(keySlots).fill(undefined);

  /** Parses the only value in `bytes[start, end)`. Throws a JsonFault if the JSON is invalid. */
  read(bytes: Uint8Array, start: number, end: number): Cell {
    if (bytes !== this.bytes) {
      this.bytes = bytes;
      this.buffer = Buffer.isBuffer(bytes)
        ? bytes
        : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    }
    this.at = start;
    this.end = end;
    this.skipBlank();
    const cell = this.value(0);
    this.skipBlank();
    // A JSONL line that was copied from an array may still end in a comma.
    if (this.at < this.end && bytes[this.at] === comma) {
      this.at++;
      this.skipBlank();
    }
    if (this.at < this.end) throw new JsonFault(say('dataset.jsonTextAfterValue'), this.at);
    return cell;
  }

  private value(depth: number): Cell {
    if (this.at >= this.end) throw new JsonFault(say('dataset.jsonValueMissing'), this.at, true);
    const start = this.at;
    switch (this.bytes[start]) {
      case quote: {
        const text = this.string();
        return new Cell(text, start, this.at);
      }
      case openBrace:
        return new Cell(this.object(depth + 1), start, this.at);
      case openBracket:
        return new Cell(this.array(depth + 1), start, this.at);
      default:
        return this.word();
    }
  }

  private object(depth: number): Fields {
    if (depth > deepest) throw new JsonFault(say('dataset.jsonTooDeep', deepest), this.at);
    const { bytes } = this;
    // A row usually has the keys of the previous row, in the same order. Both rows then share one list of names.
    const before = this.shapes[depth];
    let names: string[] | undefined;
    const cells: Cell[] = [];
    this.at++;
    for (;;) {
      this.skipBlank();
      if (this.at >= this.end) throw new JsonFault(say('dataset.jsonObjectUnclosed'), this.at, true);
      if (bytes[this.at] === closeBrace) {
        this.at++;
        return this.fields(names ?? before.names.slice(0, cells.length), cells, depth);
      }
      if (bytes[this.at] !== quote) throw new JsonFault(say('dataset.jsonKeyExpected'), this.at);
      const expected =
        names === undefined && cells.length < before.names.length ? before.names[cells.length] : undefined;
      if (expected === undefined || !this.skipKey(expected)) {
        names ??= before.names.slice(0, cells.length);
        names.push(this.key());
      }
      this.skipBlank();
      if (this.at >= this.end || bytes[this.at] !== colon)
        throw new JsonFault(say('dataset.jsonColonExpected'), this.at, this.at >= this.end);
      this.at++;
      this.skipBlank();
      cells.push(this.value(depth));
      this.skipBlank();
      if (this.at < this.end && bytes[this.at] === comma) this.at++;
      else if (this.at >= this.end || bytes[this.at] !== closeBrace)
        throw new JsonFault(say('dataset.jsonObjectCommaExpected'), this.at, this.at >= this.end);
    }
  }

  private fields(names: string[], cells: Cell[], depth: number): Fields {
    const before = this.shapes[depth];
    if (names.length === before.names.length && names.every((name, i) => name === before.names[i]))
      return new Fields(before.names, cells, before.repeated);
    const seen = new Set<string>();
    const repeated = names.find((name) => seen.size === seen.add(name).size);
    this.shapes[depth] = { names, repeated };
    return new Fields(names, cells, repeated);
  }

  /** Skips the next key if it equals `expected` and is ASCII without escapes. */
  private skipKey(expected: string): boolean {
    const { bytes } = this;
    const start = this.at + 1;
    const to = start + expected.length;
    if (to >= this.end || bytes[to] !== quote) return false;
    for (let i = 0; i < expected.length; i++) {
      const unit = expected.charCodeAt(i);
      if (bytes[start + i] !== unit || unit > 0x7e || unit === backslash || unit === quote || unit < 0x20)
        return false;
    }
    this.at = to + 1;
    return true;
  }

  private array(depth: number): Cell[] {
    if (depth > deepest) throw new JsonFault(say('dataset.jsonTooDeep', deepest), this.at);
    const { bytes } = this;
    const cells: Cell[] = [];
    this.at++;
    for (;;) {
      this.skipBlank();
      if (this.at >= this.end) throw new JsonFault(say('dataset.jsonListUnclosed'), this.at, true);
      if (bytes[this.at] === closeBracket) {
        this.at++;
        return cells;
      }
      cells.push(this.value(depth));
      this.skipBlank();
      if (this.at < this.end && bytes[this.at] === comma) this.at++;
      else if (this.at >= this.end || bytes[this.at] !== closeBracket)
        throw new JsonFault(say('dataset.jsonListCommaExpected'), this.at, this.at >= this.end);
    }
  }

  private word(): Cell {
    const { bytes } = this;
    const start = this.at;
    let to = start;
    while (to < this.end && isWordByte(bytes[to])) to++;
    const text = this.buffer.toString('latin1', start, to);
    this.at = to;
    if (numberForm.test(text)) return new Cell(Number(text), start, to);
    for (const [word, value] of words) if (word === text) return new Cell(value, start, to);
    if (text === '')
      throw new JsonFault(say('dataset.jsonUnexpectedCharacter', describeByte(bytes[start])), start);
    throw new JsonFault(say('dataset.jsonNotValue', text.slice(0, 20)), start, to >= this.end);
  }

  private key(): string {
    const start = this.at;
    const to = this.scanString();
    if (this.wide || this.escaped || to - start > 66) return this.decode(start, to);
    const { bytes } = this;
    let hash = to - start;
    for (let i = start + 1; i < to - 1; i++) hash = (hash * 31 + bytes[i]) | 0;
    const slot = hash & (keySlots - 1);
    const known = this.keys[slot];
    if (known !== undefined && this.equals(known, start + 1, to - 1)) return known;
    const text = this.decode(start, to);
    this.keys[slot] = text;
    return text;
  }

  private equals(text: string, from: number, to: number): boolean {
    if (text.length !== to - from) return false;
    for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) !== this.bytes[from + i]) return false;
    return true;
  }

  private string(): string {
    const start = this.at;
    return this.decode(start, this.scanString());
  }

  /** Skips a string and returns the position after its closing quote. */
  private scanString(): number {
    const { bytes, end } = this;
    let i = this.at + 1;
    let seen = 0;
    this.escaped = false;
    for (; i < end; i++) {
      const byte = bytes[i];
      if (byte === quote) {
        this.at = i + 1;
        this.wide = seen > 0x7f;
        return i + 1;
      }
      if (byte === backslash) {
        this.escaped = true;
        i++;
        seen |= bytes[i];
      } else if (byte < 0x20) {
        throw new JsonFault(say('dataset.jsonUnescapedCharacter', describeByte(byte)), i);
      }
      seen |= byte;
    }
    throw new JsonFault(say('dataset.jsonStringUnclosed'), this.at, true);
  }

  /** Decodes the string from its opening quote at `start` to its closing quote at `to - 1`. */
  private decode(start: number, to: number): string {
    const raw = this.buffer.toString(this.wide ? 'utf8' : 'latin1', start + 1, to - 1);
    return this.escaped ? this.unescape(raw, start) : raw;
  }

  private unescape(raw: string, start: number): string {
    let out = '';
    let from = 0;
    for (let at = raw.indexOf('\\'); at >= 0; at = raw.indexOf('\\', from)) {
      out += raw.slice(from, at);
      const letter = raw[at + 1];
      from = at + 2;
      if (letter === 'u') {
        const digits = raw.slice(from, from + 4);
        if (!/^[0-9a-fA-F]{4}$/.test(digits))
          throw new JsonFault(say('dataset.jsonUnicodeEscapeInvalid'), start);
        out += String.fromCharCode(parseInt(digits, 16));
        from += 4;
      } else {
        const plain = escapes.get(letter);
        if (plain === undefined) throw new JsonFault(say('dataset.jsonEscapeInvalid', letter), start);
        out += plain;
      }
    }
    return out + raw.slice(from);
  }

  private skipBlank(): void {
    const { bytes, end } = this;
    let i = this.at;
    for (; i < end; i++) {
      const byte = bytes[i];
      if (byte === 0x20 || byte === lineFeed || byte === 0x0d || byte === 0x09) continue;
      // A slash in the last byte cannot begin a comment, because the value ends at `end`.
      if (byte !== slash || i + 1 >= end) break;
      if (bytes[i + 1] === slash) {
        while (i < end && bytes[i] !== lineFeed) i++;
      } else if (bytes[i + 1] === star) {
        i += 2;
        while (i + 1 < end && !(bytes[i] === star && bytes[i + 1] === slash)) i++;
        i++;
      } else break;
    }
    this.at = Math.min(i, end);
  }
}

const escapes = new Map([
  ['"', '"'],
  ['\\', '\\'],
  ['/', '/'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);
