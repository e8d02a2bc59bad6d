import { closeSync, openSync, readSync } from 'node:fs';
import { Column } from './column';
import type { RowWords } from './rowIndex';

/** Where the texts lie in a file. */
export interface TextPlace {
  path: string;
  offset: number;
  length: number;
}

/** Texts to search in, small letters only. They are one piece of memory, read from the file when somebody searches. */
export class FileWords implements RowWords {
  /** Where each row's text ends, in bytes, and how many characters it has. */
  private readonly ends = new Column(Float64Array);
  private readonly lengths = new Column(Uint32Array);
  private bytes = Buffer.alloc(0);
  private size = 0;
  private place: TextPlace | undefined;
  private last: { text: string; found: Uint8Array } | undefined;

  readonly columns = [this.ends, this.lengths] as const;

  push(text: string): void {
    const room = text.length * 3 + 1;
    if (this.size + room > this.bytes.length) {
      const grown = Buffer.allocUnsafe(Math.max(1 << 16, this.bytes.length * 2, this.size + room));
      this.bytes.copy(grown, 0, 0, this.size);
      this.bytes = grown;
    }
    // What ends one text is in none, so that nothing is found from one to the next.
    this.size += this.bytes.write(`${text}\0`, this.size);
    this.ends.push(this.size);
    this.lengths.push(text.length);
  }

  lengthOf(row: number): number {
    return this.lengths.data[row];
  }

  get all(): Buffer {
    this.load();
    return this.bytes.subarray(0, this.size);
  }

  /** They lie there, and are read when they are needed. */
  restore(place: TextPlace): void {
    this.place = place;
  }

  find(text: string): Uint8Array {
    if (this.last?.text === text) return this.last.found;
    const { all } = this;
    const ends = this.ends.filled;
    const found = new Uint8Array(ends.length);
    const needle = Buffer.from(text);
    let row = 0;
    for (let at = all.indexOf(needle); at >= 0; at = all.indexOf(needle, ends[row])) {
      while (ends[row] <= at) row++;
      found[row] = 1;
    }
    this.last = { text, found };
    return found;
  }

  private load(): void {
    const { place } = this;
    if (place === undefined) return;
    this.place = undefined;
    this.bytes = Buffer.allocUnsafe(place.length);
    const file = openSync(place.path, 'r');
    try {
      while (this.size < place.length) {
        const read = readSync(
          file,
          this.bytes,
          this.size,
          place.length - this.size,
          place.offset + this.size,
        );
        if (read === 0) throw new Error(`${place.path} is shorter than it was.`);
        this.size += read;
      }
    } finally {
      closeSync(file);
    }
  }
}
