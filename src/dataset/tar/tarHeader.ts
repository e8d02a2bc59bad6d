/* Reads the headers of tar archives: ustar, GNU and PAX. */
import { Reason } from '../../base/errors';
import { say } from '../../base/say';

export const blockSize = 512;

export interface TarHeader {
  name: string;
  /** The bytes that follow the header. */
  size: number;
  type: string;
  /** Whether a block with more of the map of a sparse file follows. */
  continues: boolean;
}

/** Whether a file begins with a header of a tar archive. Old archives have no magic number, but all have a checksum. */
export function isTar(head: Buffer): boolean {
  return head.length >= blockSize && hasChecksum(head.subarray(0, blockSize));
}

/** Returns undefined for the end of the archive. `offset` is the block's position, for messages. */
export function readHeader(block: Buffer, offset: number): TarHeader | undefined {
  if (block.every((byte) => byte === 0)) return undefined;
  if (!hasChecksum(block)) throw new Reason(say('dataset.tarHeaderDamaged', offset));
  const size = numberAt(block, 124, 136);
  if (size === undefined) throw new Reason(say('dataset.tarSizeInvalid', offset));
  const isPosix = block.toString('latin1', 257, 263) === 'ustar\0';
  // GNU's headers have times in the place of the prefix.
  const prefix = isPosix ? textOf(block.subarray(345, 500)) : '';
  const name = textOf(block.subarray(0, 100));
  return {
    name: prefix === '' ? name : `${prefix}/${name}`,
    size,
    type: String.fromCharCode(block[156]),
    continues: block[156] === 0x53 && block[482] !== 0,
  };
}

/** The texts of an extended PAX header, such as `path` and `size`. Undefined if the header is damaged. */
export function paxTexts(bytes: Buffer): ReadonlyMap<string, string> | undefined {
  const texts = new Map<string, string>();
  for (let at = 0; at < bytes.length;) {
    const digits = /^(\d{1,7}) /.exec(bytes.toString('latin1', at, at + 8))?.[1];
    const end = at + Number(digits);
    if (digits === undefined || !(end <= bytes.length) || bytes[end - 1] !== 0x0a) return undefined;
    const sign = bytes.indexOf(0x3d, at);
    if (sign < 0 || sign >= end) return undefined;
    const name = bytes.toString('latin1', at + digits.length + 1, sign);
    texts.set(name, bytes.toString('utf8', sign + 1, end - 1));
    at = end;
  }
  return texts;
}

/** The text up to the first NUL. */
export function textOf(bytes: Buffer): string {
  const end = bytes.indexOf(0);
  return bytes.toString('utf8', 0, end < 0 ? bytes.length : end);
}

/** The checksum counts its own field as spaces. Some old programs added signed bytes. */
function hasChecksum(block: Buffer): boolean {
  const given = numberAt(block, 148, 156);
  let [sum, signed] = [0, 0];
  for (let i = 0; i < blockSize; i++) {
    const byte = i >= 148 && i < 156 ? 0x20 : block[i];
    sum += byte;
    signed += byte > 0x7f ? byte - 256 : byte;
  }
  return given !== undefined && given > 0 && (given === sum || given === signed);
}

/** A number in octal digits, or in bytes after the byte 0x80. Undefined if it is invalid, negative or too large. */
function numberAt(block: Buffer, from: number, to: number): number | undefined {
  if (block[from] === 0x80) {
    let value = 0;
    for (let i = from + 1; i < to; i++) value = value * 256 + block[i];
    return Number.isSafeInteger(value) ? value : undefined;
  }
  const digits = block.toString('latin1', from, to).split('\0', 1)[0].trim();
  return /^[0-7]*$/.test(digits) ? parseInt(digits || '0', 8) : undefined;
}
