import type { RowWords } from './rowIndex';

/** Texts to search in, as they are: for as many rows as a browser is given. */
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
    // What is in memory goes with it.
  }
}
