import { extname } from 'node:path';
import type { Table, TableImage } from './table';

const block = 512;

/**
 * A table as a WebDataset shard: each row is a `.json` file, and its image a file beside it. Equal tables have equal
 * bytes: the keys are the numbers of the rows, and the files have neither times nor owners.
 */
export async function* tarTable({ columns, rows }: Table): AsyncGenerator<Uint8Array> {
  const kinds = [...columns];
  let number = 0;
  for await (const row of rows) {
    const key = String(number++).padStart(9, '0');
    const image = row.find((_, i) => kinds[i][1] === 'image') as TableImage | null | undefined;
    // The file is named by the key, so the image's name stays in the row, where Arrow and Parquet have it.
    const cells = kinds.map(([name, kind], i) => {
      const cell = row[i];
      return [name, kind === 'image' && cell !== null ? { path: (cell as TableImage).path } : cell];
    });
    if (image !== undefined && image !== null) yield* file(`${key}.${endingOf(image)}`, image.bytes);
    yield* file(`${key}.json`, Buffer.from(JSON.stringify(Object.fromEntries(cells))));
  }
  yield Buffer.alloc(2 * block);
}

function* file(name: string, content: Uint8Array): Generator<Uint8Array> {
  const header = Buffer.alloc(block);
  const octal = (value: number, at: number, digits: number): void => {
    header.write(`${value.toString(8).padStart(digits, '0')}\0`, at, 'latin1');
  };
  header.write(name, 0);
  octal(0o644, 100, 7);
  octal(0, 108, 7);
  octal(0, 116, 7);
  octal(content.length, 124, 11);
  octal(0, 136, 11);
  header.write('        0', 148, 'latin1');
  header.write('ustar\x0000', 257, 'latin1');
  octal(
    header.reduce((sum, byte) => sum + byte, 0),
    148,
    6,
  );
  yield header;
  yield content;
  yield Buffer.alloc((block - (content.length % block)) % block);
}

/** By the content, because names may have no ending or another one. */
function endingOf({ bytes, path }: TableImage): string {
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return 'jpg';
  const head = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
  if (head.startsWith('\x89PNG')) return 'png';
  if (head.startsWith('RIFF') && head.endsWith('WEBP')) return 'webp';
  return extname(path).slice(1).toLowerCase() || 'jpg';
}
