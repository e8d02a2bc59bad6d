import { createHash } from 'node:crypto';
import { type FileHandle, stat } from 'node:fs/promises';
import type { CallContext } from '../../base/calls';
import { inputError, wordsOf } from '../../base/errors';
import { chunksOf, openRegular } from '../../base/files/readFile';
import { say } from '../../base/say';
import { readReport } from '../../report/report';
import { changedRows, otherRowCount, type RowsSeal } from '../../report/rowChecks';
import { rowsPath } from '../../report/rows';
import { FileWords } from './textIndex';
import { readIndex, writeIndex } from './indexFile';
import { markedBySpread } from '../../probe/spread';
import type { RowView } from '../../probe/view';
import { viewFor } from '../../probe/views';
import { RowIndex } from './rowIndex';
import type { RowSource } from './rowSource';
import type { ReportFiles } from './shelf';

/** Opens the saved index of a rows file, or makes one. If `kept` is false, reads and writes no index file. */
export async function openRows(
  path: string,
  view: RowView,
  seal: RowsSeal,
  { kept = true, ...context }: Partial<CallContext> & { kept?: boolean } = {},
): Promise<RowIndex> {
  let handle: FileHandle;
  try {
    handle = await openRegular(path);
  } catch (cause) {
    throw inputError(
      say('editor.reportRowsUnreadable', wordsOf(cause)),
      say('report.keepRowsFile'),
      path,
      cause,
    );
  }
  const words = new FileWords();
  const source = new FileSource(path, handle);
  const index = new RowIndex(view, source, words);
  try {
    if (!(kept && (await restore(index, words, seal)))) {
      await index.fill(context);
      if (source.sha256 !== seal.rowsSha256) throw changedRows(path);
      // If the index cannot be saved, the next opening makes it again.
      const isKept = kept && (await keep(index, words, seal).catch(() => false));
      // The columns are read back from the index file, because the columns in memory have spare capacity.
      if (isKept) await restore(index, words, seal);
    }
    if (index.rowCount !== seal.rowCount) throw otherRowCount(path, index.rowCount, seal);
    return index;
  } catch (error) {
    await index.close();
    throw error;
  }
}

async function keep(index: RowIndex, words: FileWords, seal: RowsSeal): Promise<true> {
  const { count, first } = index.leftOut;
  const values = index.facets.map((facet) => facet.values);
  await writeIndex(index.path, index.columns, words, {
    values,
    sha256: seal.rowsSha256,
    leftOut: { count, first },
  });
  return true;
}

async function restore(index: RowIndex, words: FileWords, seal: RowsSeal): Promise<boolean> {
  const kept = await readIndex(index.path, index.columns, words, seal.rowsSha256);
  if (kept === undefined) return false;
  index.restored(kept.values);
  index.leftOut.restore(kept.leftOut.count, kept.leftOut.first);
  return true;
}

class FileSource implements RowSource {
  /** The hash of all chunks, set after the last one. */
  sha256: string | undefined;

  constructor(
    readonly path: string,
    private readonly handle: FileHandle,
  ) {}

  async *chunks(): AsyncGenerator<Uint8Array> {
    const hash = createHash('sha256');
    for await (const chunk of chunksOf(this.path)) {
      hash.update(chunk);
      yield chunk;
    }
    this.sha256 = hash.digest('hex');
  }

  async read(offset: number, length: number): Promise<Uint8Array> {
    return (await this.handle.read(Buffer.allocUnsafe(length), 0, length, offset)).buffer;
  }

  close(): Promise<void> {
    return this.handle.close();
  }
}

function filesOf(kept: boolean): ReportFiles {
  return {
    async stamp(path) {
      const { mtimeMs, size, ino } = await stat(path);
      return `${mtimeMs} ${size} ${ino}`;
    },
    async open(path, context) {
      const report = await readReport(path);
      return openRows(
        rowsPath(path, report),
        markedBySpread(viewFor(report.probe).rows, report.spread),
        report,
        { ...context, kept },
      );
    },
  };
}

/** Reports on disk, by their paths. */
export const reportFiles = filesOf(true);

/** Reports in untrusted workspaces. Their index files are neither read nor written. */
export const reportFilesReadOnly = filesOf(false);

/** Makes the index before the first request for rows. */
export async function prepareRows(path: string): Promise<void> {
  await (await reportFiles.open(path)).close();
}
