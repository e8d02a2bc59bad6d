/* Copies a text file without some of its rows, and reads the copy again before it gets its name. */
import { lstat, stat } from 'node:fs/promises';
import { inputError, throwIfCancelled, usageError } from '../../base/errors';
import { chunksOf, openRegular } from '../../base/files/readFile';
import { say } from '../../base/say';
import type { Dataset } from '../../dataset/dataset';
import type { FieldMap } from '../../dataset/fields/fields';
import { openDataset } from '../../dataset/open';
import { CountedDataset, TextDataset } from '../../dataset/reading';
import { cuts, type Span } from '../../dataset/text/cut';
import { refusal } from '../../probe/benchmark/benchmark';
import { type Item, itemsOf } from '../../probe/benchmark/items';
import type { OutputFile } from '../../report/output';

/** Throws if the path names the dataset itself, also by a link, or an existing file without `force`. */
export async function checkTarget(path: string, source: string, force: boolean): Promise<void> {
  const [own, found] = await Promise.all(
    [source, path].map((name) => stat(name, { bigint: true }).catch(() => undefined)),
  );
  if (own !== undefined && own.ino === found?.ino && own.dev === found.dev)
    throw usageError(say('benchmark.copyOntoItself'), say('benchmark.otherNameForCopy'), path);
  if (found?.isDirectory() === true)
    throw usageError(say('benchmark.copyIsFolder'), say('benchmark.nameCopyFile'), path);
  const exists = (await lstat(path).catch(() => undefined)) !== undefined;
  if (exists && !force)
    throw usageError(say('benchmark.copyExists'), say('benchmark.otherNameOrForce'), path);
}

/** The dataset as a text file of rows. Throws for files that cannot be copied row by row. */
export function textFile(dataset: Dataset): TextDataset {
  if (dataset.parts !== undefined)
    throw usageError(say('benchmark.copyOfSeveral'), say('benchmark.copyEachFile'), dataset.path);
  if (!(dataset instanceof TextDataset)) {
    const kind = dataset instanceof CountedDataset ? dataset.kind : 'other';
    throw usageError(say('benchmark.copyOfKind', kind), say('benchmark.writeJsonLinesFirst'), dataset.path);
  }
  if (dataset.found.recognised.reader().end !== undefined)
    throw usageError(say('benchmark.rowsMakeExample'), say('benchmark.oneRowEach'), dataset.path);
  return dataset;
}

/** Writes the file without the rows with these numbers. */
export async function copyWithout(
  dataset: TextDataset,
  removed: ReadonlySet<number>,
  to: OutputFile,
  signal: AbortSignal,
): Promise<void> {
  const rows = await spansOf(dataset, removed, signal);
  const { path, layout, stored } = dataset;
  const file = await openRegular(path);
  let left: { from: number; to: number }[];
  try {
    left = await cuts(file, rows, layout, stored);
  } finally {
    await file.close();
  }
  let at = 0;
  let next = 0;
  for await (const chunk of chunksOf(path)) {
    throwIfCancelled(signal);
    const end = at + chunk.length;
    let from = at;
    for (; next < left.length && left[next].from < end; next++) {
      // The buffer of a chunk is used again, so the pieces are copied.
      if (left[next].from > from)
        await to.write(Buffer.from(chunk.subarray(from - at, left[next].from - at)));
      from = Math.max(from, left[next].to);
      if (from > end) break;
    }
    if (from < end) await to.write(Buffer.from(chunk.subarray(from - at)));
    at = end;
  }
}

/** All rows of the file, also those without an example. */
async function spansOf(
  dataset: TextDataset,
  removed: ReadonlySet<number>,
  signal: AbortSignal,
): Promise<Span[]> {
  const spans: Span[] = [];
  const isTable = dataset.layout.kind === 'lines' || dataset.layout.kind === 'delimited';
  const steps = dataset.feed(
    {
      entry({ row, place }) {
        if (place !== undefined)
          spans.push({ from: place.offset, to: place.offset + place.length, isRemoved: removed.has(row) });
      },
      problem({ code, place }) {
        if (place === undefined) return;
        if (code === 'broken-row' && !isTable)
          throw inputError(
            say('benchmark.rowWithoutEnd'),
            say('benchmark.correctRowForCopy'),
            `${dataset.path}:${place.line}`,
          );
        spans.push({ from: place.offset, to: place.offset + place.length, isRemoved: false });
      },
    },
    signal,
  );
  for await (const step of steps) void step;
  return spans;
}

/** Throws unless the file has exactly these items. */
export async function checkCopy(
  path: string,
  items: readonly Item[],
  { map, signal }: { map?: FieldMap; signal: AbortSignal },
): Promise<void> {
  let at = 0;
  let isSame = true;
  const dataset = await openDataset(path, { map, signal });
  for await (const example of dataset.read({ signal })) {
    if (refusal(example) !== undefined) continue;
    for (const item of itemsOf(example))
      isSame &&= at < items.length && contentOf(item) === contentOf(items[at++]);
  }
  if (isSame && at === items.length) return;
  throw new Error(`The copy was not written: read again, it differs from the rows that stay (item ${at}).`);
}

function contentOf({ captions, right, seen, tags }: Item): string {
  return JSON.stringify([captions, right, seen, tags]);
}
