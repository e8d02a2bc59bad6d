/** A table of a FlatBuffer. Reading outside the bytes throws a RangeError. */
export class FlatTable {
  private readonly fields: number;

  private constructor(
    private readonly view: DataView,
    private readonly at: number,
  ) {
    this.fields = at - view.getInt32(at, true);
  }

  static root(bytes: Uint8Array): FlatTable {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return new FlatTable(view, view.getUint32(0, true));
  }

  byte(slot: number, otherwise = 0): number {
    const at = this.place(slot);
    return at === undefined ? otherwise : this.view.getUint8(at);
  }

  short(slot: number, otherwise = 0): number {
    const at = this.place(slot);
    return at === undefined ? otherwise : this.view.getInt16(at, true);
  }

  int(slot: number, otherwise = 0): number {
    const at = this.place(slot);
    return at === undefined ? otherwise : this.view.getInt32(at, true);
  }

  long(slot: number): number {
    const at = this.place(slot);
    return at === undefined ? 0 : longAt(this.view, at);
  }

  table(slot: number): FlatTable | undefined {
    const at = this.place(slot);
    return at === undefined ? undefined : new FlatTable(this.view, at + this.view.getUint32(at, true));
  }

  text(slot: number): string | undefined {
    const at = this.place(slot);
    if (at === undefined) return undefined;
    const start = at + this.view.getUint32(at, true);
    const length = this.view.getUint32(start, true);
    return new TextDecoder().decode(
      new Uint8Array(this.view.buffer, this.view.byteOffset, this.view.byteLength).subarray(
        start + 4,
        start + 4 + length,
      ),
    );
  }

  tables(slot: number): FlatTable[] {
    const { start, count } = this.list(slot, 4);
    return Array.from({ length: count }, (_, i) => {
      const at = start + 4 * i;
      return new FlatTable(this.view, at + this.view.getUint32(at, true));
    });
  }

  /** A list of structs or numbers, each of `width` 64-bit numbers. */
  longs(slot: number, width: number): number[] {
    const { start, count } = this.list(slot, 8 * width);
    return Array.from({ length: count * width }, (_, i) => longAt(this.view, start + 8 * i));
  }

  private list(slot: number, width: number): { start: number; count: number } {
    const at = this.place(slot);
    if (at === undefined) return { start: 0, count: 0 };
    const start = at + this.view.getUint32(at, true);
    const count = this.view.getUint32(start, true);
    if (count * width > this.view.byteLength - start - 4) throw new RangeError();
    return { start: start + 4, count };
  }

  private place(slot: number): number | undefined {
    const entry = 4 + 2 * slot;
    if (entry >= this.view.getUint16(this.fields, true)) return undefined;
    const offset = this.view.getUint16(this.fields + entry, true);
    return offset === 0 ? undefined : this.at + offset;
  }
}

/** Sizes and positions beyond 2^53 belong to no file, so their lost digits do not matter. */
function longAt(view: DataView, at: number): number {
  return Number(view.getBigInt64(at, true));
}
