import { tmpdir } from 'node:os';
import { append } from '../lists';
import { Column, type Kind, type Numbers } from '../column';
import { Scratch } from './scratch';

/** Bytes of a block. Columns that fit into one block stay in memory. */
const blockBytes = 1 << 15;

let scratch: Scratch | undefined;
/** The positions of free blocks on disk, whose columns were garbage-collected. */
const free: number[] = [];
const columns = new FinalizationRegistry<readonly number[]>((positions) => append(free, positions));

/** A column of values that are appended, and read once at the end. Full blocks of values are stored on disk. */
export class LongColumn<A extends Numbers> {
  /** Positions of the full blocks on disk. */
  private readonly blocks: number[] = [];
  /** The values that are not on disk. They always include the last value, for `last` and `increment`. */
  private readonly tail: Column<A>;
  private readonly blockLength: number;
  private isFull = false;

  constructor(private readonly kind: Kind<A>) {
    this.tail = new Column(kind);
    this.blockLength = blockBytes / kind.BYTES_PER_ELEMENT;
  }

  get length(): number {
    return this.blocks.length * this.blockLength + this.tail.length;
  }

  /** The last value, or undefined if the column is empty. */
  get last(): number | undefined {
    return this.tail.length === 0 ? undefined : this.tail.data[this.tail.length - 1];
  }

  /** Adds 1 to the last value. */
  increment(): void {
    this.tail.data[this.tail.length - 1]++;
  }

  push(value: number): void {
    if (this.tail.length === this.blockLength && !this.isFull) this.flush();
    this.tail.push(value);
  }

  append(values: A): void {
    for (const value of values) this.push(value);
  }

  /** A copy of all values. */
  all(): A {
    const all = new this.kind(this.length);
    for (const [i, position] of this.blocks.entries()) {
      const block = all.subarray(i * this.blockLength, (i + 1) * this.blockLength);
      scratch!.read(new Uint8Array(block.buffer, block.byteOffset, block.byteLength), position);
    }
    all.set(this.tail.filled, this.length - this.tail.length);
    return all;
  }

  private flush(): void {
    scratch ??= new Scratch(tmpdir());
    const { buffer, byteOffset } = this.tail.data;
    const position = scratch.write(new Uint8Array(buffer, byteOffset, blockBytes), free.pop());
    if (position === undefined) {
      // The disk is full or not writable, so the tail grows in memory.
      this.isFull = true;
      return;
    }
    if (this.blocks.length === 0) columns.register(this, this.blocks);
    this.blocks.push(position);
    this.tail.length = 0;
  }
}
