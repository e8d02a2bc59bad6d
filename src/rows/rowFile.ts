import { createReadStream } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { CaptiousError, wordsOf } from '../base/errors';
import { say } from '../base/say';
import { readReport } from '../report/report';
import { rowsPath } from '../report/rows';
import { FileWords } from './textIndex';
import { readIndex, writeIndex } from './indexFile';
import type { RowView } from '../probe/view';
import { viewFor } from './views';
import { RowIndex, type RowSource } from './rowIndex';
import type { ReportFiles } from './shelf';

/**
 * The index of a rows file: the one that lies beside it, or a new one, which is left there. Not `kept`: it is made in
 * memory, and what lies beside the rows is neither read nor written.
 */
export async function openRows(path: string, view: RowView, kept = true): Promise<RowIndex> {
  let handle: FileHandle;
  try {
    handle = await open(path);
  } catch (cause) {
    throw new CaptiousError('input', say`The rows of the report cannot be read: ${wordsOf(cause)}.`, {
      at: path,
      remedy: say`Keep the rows file beside its report, or make the report again.`,
      cause,
    });
  }
  const words = new FileWords();
  const index = new RowIndex(view, sourceOf(path, handle), words);
  try {
    if (!kept) await index.fill();
    else if (!(await restore(index, path, words))) {
      await index.fill();
      const own = index.facets.map((facet) => facet.values);
      // Where nothing can be written it is made again the next time.
      const isKept = await writeIndex(path, index.columns, words, own).then(
        () => true,
        () => false,
      );
      // As it lies there, without the room that it grew into.
      if (isKept) await restore(index, path, words);
    }
    return index;
  } catch (error) {
    await index.close();
    throw error;
  }
}

async function restore(index: RowIndex, path: string, words: FileWords): Promise<boolean> {
  const values = await readIndex(path, index.columns, words);
  if (values !== undefined) index.restored(values);
  return values !== undefined;
}

function sourceOf(path: string, handle: FileHandle): RowSource {
  return {
    path,
    chunks: () => createReadStream(path, { highWaterMark: 1 << 20 }) as AsyncIterable<Uint8Array>,
    async read(offset, length) {
      return (await handle.read(Buffer.allocUnsafe(length), 0, length, offset)).buffer;
    },
    close: () => handle.close(),
  };
}

function filesOf(kept: boolean): ReportFiles {
  return {
    async stamp(path) {
      const { mtimeMs, size, ino } = await stat(path);
      return `${mtimeMs} ${size} ${ino}`;
    },
    async open(path) {
      const report = await readReport(path);
      return openRows(rowsPath(path, report), viewFor(report.probe).rows, kept);
    },
  };
}

/** Reports on disk, by their paths. */
export const reportFiles = filesOf(true);

/** Of workspaces that are not trusted. */
export const reportFilesReadOnly = filesOf(false);

/** Leaves what the first question about a report's rows would otherwise have to wait for. */
export async function prepareRows(path: string): Promise<void> {
  await (await reportFiles.open(path)).close();
}
