import { Reason } from '../../base/errors';
import { say } from '../../base/say';
import { floatOf } from '../half';
import { withoutEnd } from '../../base/text/ends';

/* Reads and writes NumPy arrays (.npy). */

export interface NumpyArray {
  shape: readonly number[];
  /** NumPy's name of the element type, such as `<f4`. */
  type: string;
  /** Whether the elements are in column-major order. */
  fortran: boolean;
  data: Buffer;
}

const magic = '\x93NUMPY';
/** The longest accepted header, in bytes. NumPy itself accepts at most ten thousand bytes. */
const mostHeader = 1 << 16;

export function isNpy(bytes: Buffer): boolean {
  return bytes.toString('latin1', 0, 6) === magic;
}

export function parseNpy(bytes: Buffer): NumpyArray {
  if (bytes.length < 12 || !isNpy(bytes)) throw new Reason(say('embeddings.npyInvalid'));
  const wide = bytes[6] >= 2;
  const from = wide ? 12 : 10;
  const length = wide ? bytes.readUInt32LE(8) : bytes.readUInt16LE(8);
  if (length > mostHeader) throw new Reason(say('embeddings.npyHeaderTooLong'));
  const header = bytes.toString(
    bytes[6] >= 3 ? 'utf8' : 'latin1',
    from,
    Math.min(from + length, bytes.length),
  );
  const type = /'descr':\s*'([^']+)'/.exec(header)?.[1];
  const sizes = /'shape':\s*\(([^)]*)\)/.exec(header)?.[1];
  const shape = sizes?.match(/\d+/g)?.map(Number) ?? [];
  // Python 2 sometimes wrote an L after a number.
  if (type === undefined || sizes === undefined || /[^\s\dL,]/.test(sizes))
    throw new Reason(say('embeddings.npyHeaderUnreadable'));
  if (!shape.every(Number.isSafeInteger)) throw new Reason(say('embeddings.npyShapeTooLarge'));
  return {
    shape,
    type,
    fortran: /'fortran_order':\s*True/.test(header),
    data: bytes.subarray(from + length),
  };
}

/** Rows of numbers. `row` makes float32 on request, so that float16 rows need half the memory. */
export interface Vectors {
  count: number;
  dimension: number;
  /** The type of the stored numbers as shown to users, such as float32 or Parquet. */
  type: string;
  row(at: number): Float32Array;
}

const floats: Record<string, { name: string; size: number }> = {
  f2: { name: 'float16', size: 2 },
  f4: { name: 'float32', size: 4 },
  f8: { name: 'float64', size: 8 },
};

export function holdsVectors({ shape, type }: NumpyArray): boolean {
  return shape.length === 2 && floats[type.slice(1)] !== undefined;
}

export function vectorsOf({ shape, type, fortran, data }: NumpyArray): Vectors {
  if (shape.length !== 2) throw new Reason(say('embeddings.npyAxesNotTwo', shape.length));
  const float = floats[type.slice(1)];
  if (float === undefined) throw new Reason(say('embeddings.npyTypeNotFloat', type));
  const [count, dimension] = shape;
  if (dimension === 0) throw new Reason(say('embeddings.rowsWithoutNumbers'));
  if (data.length < count * dimension * float.size) throw new Reason(say('dataset.fileTruncated'));
  const large = type.startsWith('>');
  const read = readerOf(data, float.size, large);
  return {
    count,
    dimension,
    type: float.name,
    row: (at) => {
      const [first, step] = fortran ? [at, count] : [at * dimension, 1];
      return Float32Array.from({ length: dimension }, (_, i) => read(first + i * step));
    },
  };
}

function readerOf(data: Buffer, size: number, large: boolean): (at: number) => number {
  if (size === 8) return large ? (at) => data.readDoubleBE(at * 8) : (at) => data.readDoubleLE(at * 8);
  if (size === 4) return large ? (at) => data.readFloatBE(at * 4) : (at) => data.readFloatLE(at * 4);
  return (at) => floatOf(large ? data.readUInt16BE(at * 2) : data.readUInt16LE(at * 2));
}

/** The texts or integers of an array, in order. Integers of 64 bits become strings. */
/** NumPy fills short texts with this character. */
const nothing = /\0/;

export function labelsOf({ shape, type, data }: NumpyArray): (string | number)[] {
  const count = shape.reduce((product, size) => product * size, 1);
  const large = type.startsWith('>');
  const size = Number(type.slice(2));
  switch (type[1]) {
    case 'U':
      return Array.from({ length: within(data, count, size * 4) }, (_, i) =>
        unicode(data.subarray(i * size * 4, (i + 1) * size * 4), large),
      );
    case 'S':
      return Array.from({ length: within(data, count, size) }, (_, i) =>
        withoutEnd(data.toString('utf8', i * size, (i + 1) * size), nothing),
      );
    case 'i':
    case 'u':
      if (![1, 2, 4, 8].includes(size)) throw new Reason(say('embeddings.numberTypeUnsupported', type));
      return Array.from({ length: within(data, count, size) }, (_, i) =>
        wholeNumber(data.subarray(i * size, (i + 1) * size), type[1] === 'i', large),
      );
    default:
      throw new Reason(
        type.endsWith('O') ? say('embeddings.pythonObjects') : say('embeddings.idTypeUnsupported', type),
      );
  }
}

function within(data: Buffer, count: number, size: number): number {
  if (!(size > 0)) throw new Reason(say('embeddings.npyEntriesEmpty'));
  if (!(count * size <= data.length)) throw new Reason(say('dataset.fileTruncated'));
  return count;
}

function unicode(bytes: Buffer, large: boolean): string {
  let text = '';
  for (let i = 0; i < bytes.length; i += 4) {
    const code = large ? bytes.readUInt32BE(i) : bytes.readUInt32LE(i);
    if (code > 0x10ffff) throw new Reason(say('embeddings.npyTextNotUnicode'));
    text += String.fromCodePoint(code);
  }
  return withoutEnd(text, nothing);
}

function wholeNumber(bytes: Buffer, signed: boolean, large: boolean): number | string {
  const value =
    bytes.length === 8
      ? large
        ? signed
          ? bytes.readBigInt64BE()
          : bytes.readBigUInt64BE()
        : signed
          ? bytes.readBigInt64LE()
          : bytes.readBigUInt64LE()
      : large
        ? signed
          ? bytes.readIntBE(0, bytes.length)
          : bytes.readUIntBE(0, bytes.length)
        : signed
          ? bytes.readIntLE(0, bytes.length)
          : bytes.readUIntLE(0, bytes.length);
  return typeof value === 'bigint' ? String(value) : value;
}

/** Converts rows to a float32 array in NumPy's format. Yields the header, and then each row. */
export function* npyOf(rows: readonly Float32Array[]): Generator<Uint8Array> {
  yield npyHeader(rows.length, rows.at(0)?.length ?? 0);
  for (const row of rows) {
    const bytes = Buffer.alloc(row.length * 4);
    row.forEach((value, i) => bytes.writeFloatLE(value, i * 4));
    yield bytes;
  }
}

export function npyHeader(rows: number, columns: number): Uint8Array {
  const said = `{'descr': '<f4', 'fortran_order': False, 'shape': (${rows}, ${columns}), }`;
  // Magic number, version and length take ten bytes. The data starts after a line break, at a multiple of 64.
  const padded = `${said.padEnd(Math.ceil((said.length + 11) / 64) * 64 - 11)}\n`;
  const length = Buffer.alloc(2);
  length.writeUInt16LE(padded.length);
  return Buffer.concat([Buffer.from(`${magic}\x01\x00`, 'latin1'), length, Buffer.from(padded)]);
}
