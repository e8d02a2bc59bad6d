/** A field of a FlatBuffer's table; undefined for its default. */
export type FlatValue =
  | { byte: number }
  | { short: number }
  | { long: number }
  | { text: string }
  | { table: FlatValues }
  | { tables: readonly FlatValues[] }
  /** A list of structs, each of `width` 64-bit numbers. */
  | { longs: readonly number[]; width: number };

export type FlatValues = readonly (FlatValue | undefined)[];

/** Writes FlatBuffers front to back, so that every offset leads forwards. `FlatTable` reads them. */
export class FlatWriter {
  private bytes = Buffer.alloc(1024);
  private end = 4;

  /** The FlatBuffer with this root. Its size is a multiple of 8. */
  static root(values: FlatValues): Buffer {
    const writer = new FlatWriter();
    writer.point(0, writer.table(values));
    writer.take(0, 8);
    return writer.bytes.subarray(0, writer.end);
  }

  private table(values: FlatValues): number {
    const places: number[] = [];
    let size = 4;
    for (const value of values) {
      const width = value === undefined ? 0 : widthOf(value);
      if (width > 0) size = upTo(size, width);
      places.push(width === 0 ? 0 : size);
      size += width;
    }
    const fields = this.take(4 + 2 * values.length, 2);
    this.bytes.writeUInt16LE(4 + 2 * values.length, fields);
    this.bytes.writeUInt16LE(size, fields + 2);
    for (const [i, place] of places.entries()) this.bytes.writeUInt16LE(place, fields + 4 + 2 * i);
    const at = this.take(size, 8);
    this.bytes.writeInt32LE(at - fields, at);
    for (const [i, value] of values.entries()) if (value !== undefined) this.put(value, at + places[i]);
    return at;
  }

  private put(value: FlatValue, at: number): void {
    if ('byte' in value) this.bytes.writeUInt8(value.byte, at);
    else if ('short' in value) this.bytes.writeInt16LE(value.short, at);
    else if ('long' in value) this.bytes.writeBigInt64LE(BigInt(value.long), at);
    else this.point(at, this.place(value));
  }

  /** Writes what lies outside the table, and returns its position. */
  private place(value: Exclude<FlatValue, { byte: number } | { short: number } | { long: number }>): number {
    if ('table' in value) return this.table(value.table);
    if ('text' in value) {
      const length = Buffer.byteLength(value.text);
      const at = this.list(length, 1, 1);
      this.bytes.write(value.text, at + 4);
      return at;
    }
    if ('longs' in value) {
      const { longs, width } = value;
      const at = this.list(longs.length / width, 8 * width, 0);
      for (const [i, long] of longs.entries()) this.bytes.writeBigInt64LE(BigInt(long), at + 4 + 8 * i);
      return at;
    }
    const at = this.list(value.tables.length, 4, 0);
    for (const [i, own] of value.tables.entries()) this.point(at + 4 + 4 * i, this.table(own));
    return at;
  }

  /** Takes the place of a list, whose first element is aligned to 8 bytes, and writes its length. */
  private list(count: number, width: number, more: number): number {
    this.take(0, 4);
    if (this.end % 8 === 0) this.take(4, 4);
    const at = this.take(4 + count * width + more, 4);
    this.bytes.writeUInt32LE(count, at);
    return at;
  }

  private point(from: number, to: number): void {
    this.bytes.writeUInt32LE(to - from, from);
  }

  private take(size: number, align: number): number {
    const at = upTo(this.end, align);
    this.end = at + size;
    if (this.end > this.bytes.length)
      this.bytes = Buffer.concat([this.bytes, Buffer.alloc(this.bytes.length + size)]);
    return at;
  }
}

function widthOf(value: FlatValue): number {
  if ('byte' in value) return 1;
  if ('short' in value) return 2;
  return 'long' in value ? 8 : 4;
}

function upTo(at: number, multiple: number): number {
  return Math.ceil(at / multiple) * multiple;
}
