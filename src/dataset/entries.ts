import { stat } from 'node:fs/promises';
import { CaptiousError, inputError } from '../base/errors';
import { say } from '../base/say';
import type { Problem } from './dataset';
import type { Entry } from './entry';
import { entryFramer } from './layout';
import { isParquet, ParquetFile } from './parquet/parquet';
import { refuseColumns, sniffLayout } from './sniff';
import { readHead, textChunks, textOfHead } from './text/chunks';

const glance = 64 * 1024;

/** Reads the rows of a CSV, TSV, JSON or Parquet file without interpreting them. Throws if a row is unreadable. */
export async function* entriesOf(path: string, signal?: AbortSignal): AsyncGenerator<Entry, void, undefined> {
  const head = await readHead(path, glance);
  if (isParquet(head)) {
    yield* (await ParquetFile.open(path, { signal })).entries(signal);
    return;
  }
  const { encoding, text } = textOfHead(head);
  refuseColumns(path, text);
  const layout = sniffLayout(text, head.length < glance);
  if (layout === undefined)
    throw inputError(say('dataset.tableUnreadable'), say('dataset.useReadableTable'), path);
  const ready: Entry[] = [];
  const stored = { ...encoding, size: (await stat(path)).size };
  const framer = entryFramer(layout, stored, {
    entry: (entry) => ready.push(entry),
    problem: (problem) => {
      throw broken(path, problem);
    },
  });
  for await (const chunk of textChunks(path, stored, signal)) {
    framer.feed(chunk);
    yield* ready;
    ready.length = 0;
  }
  framer.end();
  yield* ready;
}

function broken(path: string, { message, place }: Problem): CaptiousError {
  return new CaptiousError('input', message, { at: place === undefined ? path : `${path}:${place.line}` });
}
