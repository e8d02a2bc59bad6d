import { english } from '../../base/english';
import type { Words } from '../../base/say';

export const quote = 0x22;
export const backslash = 0x5c;
export const slash = 0x2f;
export const comma = 0x2c;
export const colon = 0x3a;
export const openBracket = 0x5b;
export const closeBracket = 0x5d;
export const openBrace = 0x7b;
export const closeBrace = 0x7d;
export const star = 0x2a;
export const lineFeed = 0x0a;

/** A JSON error and its position in the bytes. */
export class JsonFault extends Error {
  constructor(
    readonly what: Words,
    readonly at: number,
    /** Whether the error is only that the bytes end before the value does. */
    readonly open = false,
  ) {
    super(english(what));
  }
}

export function isWordByte(byte: number): boolean {
  return (
    (byte >= 0x30 && byte <= 0x39) ||
    (byte >= 0x41 && byte <= 0x5a) ||
    (byte >= 0x61 && byte <= 0x7a) ||
    byte === 0x2b ||
    byte === 0x2d ||
    byte === 0x2e ||
    byte === 0x5f
  );
}

export function endsWord(byte: number): boolean {
  return (
    byte <= 0x20 ||
    byte === comma ||
    byte === closeBrace ||
    byte === closeBracket ||
    byte === openBrace ||
    byte === openBracket ||
    byte === quote ||
    byte === slash
  );
}

export function describeByte(byte: number): string {
  if (byte === 0x0a || byte === 0x0d) return 'a line break';
  if (byte === 0x09) return 'a tab';
  if (byte > 0x20 && byte < 0x7f) return `"${String.fromCharCode(byte)}"`;
  return `the byte 0x${byte.toString(16).padStart(2, '0')}`;
}
