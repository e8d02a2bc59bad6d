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

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

/** The lines of a file with their places, chunk by chunk. */
export async function* linesByChunk(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<{ bytes: Uint8Array; offset: number }[]> {
  let offset = 0;
  let rest: Uint8Array = new Uint8Array(0);
  for await (const chunk of chunks) {
    const data = rest.length === 0 ? chunk : joined(rest, chunk);
    const lines: { bytes: Uint8Array; offset: number }[] = [];
    let from = 0;
    for (let end = data.indexOf(10, from); end >= 0; end = data.indexOf(10, from)) {
      lines.push({ bytes: data.subarray(from, end), offset: offset + from });
      from = end + 1;
    }
    rest = data.subarray(from);
    offset += from;
    yield lines;
  }
  if (rest.length > 0) yield [{ bytes: rest, offset }];
}
