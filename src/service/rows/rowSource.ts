import type { AnyColumn } from '../../base/column';

export interface RowSource {
  /** The path for messages. */
  readonly path: string;
  chunks(): AsyncIterable<Uint8Array>;
  read(offset: number, length: number): Promise<Uint8Array>;
  close(): Promise<void>;
}

/** The searchable text of each row. */
export interface RowWords {
  readonly columns: readonly AnyColumn[];
  push(text: string): void;
  lengthOf(row: number): number;
  /** 1 for each row that contains the text. */
  find(text: string): Uint8Array;
  close(): void;
}

export function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
