export type Numbers = Float64Array | Float32Array | Uint32Array | Uint16Array | Uint8Array;

export interface Kind<A extends Numbers> {
  new (length: number): A;
  new (buffer: ArrayBuffer, offset: number, length: number): A;
  readonly BYTES_PER_ELEMENT: number;
}

export class Column<A extends Numbers> {
  length = 0;
  data: A;

  constructor(private readonly kind: Kind<A>) {
    this.data = new kind(0);
  }

  get width(): number {
    return this.kind.BYTES_PER_ELEMENT;
  }

  /** The values, without spare capacity. */
  get filled(): A {
    return this.data.subarray(0, this.length) as A;
  }

  push(value: number): void {
    if (this.length === this.data.length) this.makeRoom(this.length + 1);
    this.data[this.length++] = value;
  }

  append(values: A): void {
    const end = this.length + values.length;
    if (end > this.data.length) this.makeRoom(end);
    this.data.set(values, this.length);
    this.length = end;
  }

  /** Restores the numbers from the bytes of a file. */
  restore(bytes: ArrayBuffer, offset: number, length: number): void {
    this.data = new this.kind(bytes, offset, length);
    this.length = length;
  }

  private makeRoom(length: number): void {
    // Doubling a long column would leave up to half of its memory unused.
    const factor = this.data.length < 1 << 20 ? 2 : 1.25;
    const grown = new this.kind(Math.max(1024, length, Math.ceil(this.data.length * factor)));
    grown.set(this.filled);
    this.data = grown;
  }
}

export type AnyColumn =
  | Column<Float64Array>
  | Column<Float32Array>
  | Column<Uint32Array>
  | Column<Uint16Array>
  | Column<Uint8Array>;
