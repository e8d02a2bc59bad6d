import { closeSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openRegularSync } from '../../base/files/readFile';
import { createFileSync, ownerOnly, temporaryFor } from '../../base/files/writeFile';
import { Column } from '../../base/column';
import type { RowWords } from './rowSource';

/** A file, and the offset of its first text. */
export interface TextPlace {
  path: string;
  offset: number;
}

const blockSize = 4 << 20;
/** If all texts together have more bytes, they go to a temporary file while the index is made. */
const inMemory = 16 << 20;

/** The texts of consecutive rows. */
interface Block {
  bytes: Buffer;
  /** `row` is the first row. `start` is the offset of its text among all texts, in bytes. */
  row: number;
  start: number;
}

/** Searchable texts in lower case. They can be large, so they stay in a file and are searched in blocks. */
export class FileWords implements RowWords {
  /** For each row, the offset at which its text ends, and the number of characters in its text. */
  private readonly ends = new Column(Float64Array);
  private readonly lengths = new Column(Uint32Array);
  /** Blocks that are not yet in a file. No text spans two blocks. */
  private written: Buffer[] = [];
  private aside: number | undefined;
  private open = Buffer.alloc(0);
  private used = 0;
  /** The file stays open, because its texts are needed even after it is deleted or replaced. */
  private place: { file: number; offset: number } | undefined;
  private last: { text: string; found: Uint8Array } | undefined;

  readonly columns = [this.ends, this.lengths] as const;

  push(text: string): void {
    const room = Buffer.byteLength(text) + 1;
    if (this.used + room > this.open.length) {
      this.closeBlock();
      if (room > this.open.length) this.open = Buffer.allocUnsafe(Math.max(blockSize, room));
    }
    // The terminator prevents matches that span two texts.
    this.used += this.open.write(`${text}\0`, this.used);
    this.ends.push(this.size + room);
    this.lengths.push(text.length);
  }

  lengthOf(row: number): number {
    return this.lengths.data[row];
  }

  /** The size of all texts in bytes. */
  get size(): number {
    const { length } = this.ends;
    return length === 0 ? 0 : this.ends.data[length - 1];
  }

  /** Replaces the texts in memory with those in a file. */
  restore({ path, offset }: TextPlace): void {
    this.close();
    this.place = { file: openRegularSync(path), offset };
    this.written = [];
    this.open = Buffer.alloc(0);
    this.used = 0;
  }

  close(): void {
    if (this.place !== undefined) closeSync(this.place.file);
    this.place = undefined;
    if (this.aside !== undefined) closeSync(this.aside);
    this.aside = undefined;
  }

  find(text: string): Uint8Array {
    if (this.last?.text === text) return this.last.found;
    const ends = this.ends.filled;
    const found = new Uint8Array(ends.length);
    const needle = Buffer.from(text);
    for (const { bytes, row: first, start } of this.blocks()) {
      let row = first;
      for (let at = bytes.indexOf(needle); at >= 0; at = bytes.indexOf(needle, ends[row] - start)) {
        while (ends[row] <= start + at) row++;
        found[row] = 1;
      }
    }
    this.last = { text, found };
    return found;
  }

  /** All texts in blocks. A block is valid until the next block is requested. */
  *blocks(): Generator<Block> {
    yield* this.place === undefined ? this.blocksSoFar() : this.blocksOf(this.place);
  }

  private *blocksSoFar(): Generator<Block> {
    this.closeBlock();
    if (this.aside !== undefined) {
      yield* this.blocksOf({ file: this.aside, offset: 0 });
      return;
    }
    let row = 0;
    let start = 0;
    for (const bytes of this.written) {
      yield { bytes, row, start };
      start += bytes.length;
      while (row < this.ends.length && this.ends.data[row] <= start) row++;
    }
  }

  private *blocksOf({ file, offset }: { file: number; offset: number }): Generator<Block> {
    const ends = this.ends.filled;
    let room = Buffer.allocUnsafe(Math.min(blockSize, this.size));
    for (let row = 0, start = 0; row < ends.length;) {
      let next = row + 1;
      while (next < ends.length && ends[next] - start <= blockSize) next++;
      const length = ends[next - 1] - start;
      if (length > room.length) room = Buffer.allocUnsafe(length);
      for (let done = 0; done < length;) {
        const read = readSync(file, room, done, length - done, offset + start + done);
        if (read === 0) throw new Error('The index of the rows was truncated.');
        done += read;
      }
      yield { bytes: room.subarray(0, length), row, start };
      row = next;
      start += length;
    }
  }

  private closeBlock(): void {
    const block = this.open.subarray(0, this.used);
    this.used = 0;
    if (block.length === 0) return;
    this.written.push(block);
    if (this.aside === undefined && this.size > inMemory) this.aside = temporary();
    if (this.aside === undefined) {
      // `written` refers to the block's memory, so the next block needs new memory.
      this.open = Buffer.alloc(0);
      return;
    }
    for (const bytes of this.written)
      for (let done = 0; done < bytes.length;) done += writeSync(this.aside, bytes, done);
    this.written = [];
  }
}

/**
 * A file without a name, which the system removes when the file is closed. Undefined if the system does not allow
 * such files; the texts then stay in memory.
 */
function temporary(): number | undefined {
  const path = temporaryFor(join(tmpdir(), 'captious-words'));
  try {
    const file = createFileSync(path, ownerOnly);
    rmSync(path);
    return file;
  } catch {
    return undefined;
  }
}
