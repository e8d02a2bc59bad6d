import type { RowWords } from './rowSource';

/** Searchable texts in memory, for the rows in a browser. */
export class PlainWords implements RowWords {
  readonly columns = [];
  private readonly texts: string[] = [];

  push(text: string): void {
    this.texts.push(text);
  }

  lengthOf(row: number): number {
    return this.texts[row].length;
  }

  find(text: string): Uint8Array {
    return Uint8Array.from(this.texts, (own) => (own.includes(text) ? 1 : 0));
  }

  close(): void {
    // Nothing to release.
  }
}
