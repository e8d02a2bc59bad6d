import type { CaptiousError } from '../../base/errors';
import { evaluatorError } from '../../base/errors';
import { parseJson } from '../../base/files/readJson';
import { say } from '../../base/say';

/*
 * Messages as in python/captious/frames.py: a magic number, the length of a JSON header, the header, and the
 * bytes that the header refers to.
 */

const magic = Buffer.from('CPT1', 'latin1');
const prefixSize = 8;
/** The most bytes of a header. The header is JSON and contains everything except the binary data of a message. */
const mostHeader = 64 << 20;
const mostBytes = 1 << 30;
const limits = { bytes: mostHeader, depth: 64, parts: 1 << 22 };

/** Encodes a message as pieces, which must be written in this order. */
export function framed(message: unknown): Uint8Array[] {
  const blobs: Uint8Array[] = [];
  const packed = pack(message, blobs);
  const header = Buffer.from(JSON.stringify({ message: packed, blobs: blobs.map(({ length }) => length) }));
  const prefix = Buffer.alloc(prefixSize);
  magic.copy(prefix);
  prefix.writeUInt32LE(header.length, magic.length);
  return [prefix, header, ...blobs];
}

function pack(value: unknown, blobs: Uint8Array[]): unknown {
  if (value instanceof Uint8Array) return { $blob: blobs.push(value) - 1 };
  if (Array.isArray(value)) return value.map((item) => pack(item, blobs));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, pack(item, blobs)]));
}

/** Reads messages from the chunks that a pipe delivers. */
export class FrameReader {
  private pieces: Buffer[] = [];
  private held = 0;
  private header: { message: unknown; sizes: number[] } | undefined;
  private wanted = prefixSize;
  private isHeader = false;

  constructor(private readonly receive: (message: unknown) => void) {}

  add(piece: Buffer): void {
    this.pieces.push(piece);
    this.held += piece.length;
    while (this.held >= this.wanted) this.take(this.next(this.wanted));
  }

  private take(bytes: Buffer): void {
    if (this.header !== undefined) {
      const { message, sizes } = this.header;
      this.header = undefined;
      this.wanted = prefixSize;
      let at = 0;
      const blobs = sizes.map((size) => bytes.subarray(at, (at += size)));
      this.receive(unpack(message, blobs));
    } else if (this.isHeader) {
      this.isHeader = false;
      this.header = headerOf(bytes);
      this.wanted = this.header.sizes.reduce((sum, size) => sum + size, 0);
    } else {
      const length = bytes.readUInt32LE(magic.length);
      if (!bytes.subarray(0, magic.length).equals(magic) || length > mostHeader) throw broken();
      this.isHeader = true;
      this.wanted = length;
    }
  }

  private next(size: number): Buffer {
    const all = this.pieces.length === 1 ? this.pieces[0] : Buffer.concat(this.pieces, this.held);
    const rest = all.subarray(size);
    this.pieces = rest.length === 0 ? [] : [rest];
    this.held = rest.length;
    return all.subarray(0, size);
  }
}

function headerOf(bytes: Buffer): { message: unknown; sizes: number[] } {
  const { message, blobs } = parsed(bytes);
  if (!Array.isArray(blobs) || !blobs.every((size) => Number.isSafeInteger(size) && size >= 0))
    throw broken();
  const sizes = blobs as number[];
  if (sizes.reduce((sum, size) => sum + size, 0) > mostBytes) throw broken();
  return { message, sizes };
}

function parsed(bytes: Buffer): { message?: unknown; blobs?: unknown } {
  let value: unknown;
  try {
    value = parseJson(bytes, limits);
  } catch (error) {
    throw error instanceof SyntaxError ? broken() : error;
  }
  if (typeof value !== 'object' || value === null) throw broken();
  return value;
}

function unpack(value: unknown, blobs: readonly Buffer[]): unknown {
  if (Array.isArray(value)) return value.map((item) => unpack(item, blobs));
  if (typeof value !== 'object' || value === null) return value;
  const { $blob } = value as { $blob?: unknown };
  if ($blob !== undefined) {
    const bytes = typeof $blob === 'number' ? blobs[$blob] : undefined;
    if (bytes === undefined) throw broken();
    return bytes;
  }
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, unpack(item, blobs)]));
}

function broken(): CaptiousError {
  return evaluatorError(say('python.messageInvalid'), say('python.keepStandardOutputClean'));
}
