/* Computes and writes the board of a folder's reports for the editor. */
import type { AskOf } from '../base/calls';
import type { BoardTable, boardRequests } from '../protocol/board';
import { readBoard, writeBoard } from '../report/board/board';
import { shownCell } from '../report/board/cells';

export async function boardOf(folder: string, signal: AbortSignal): Promise<BoardTable> {
  const { columns, rows, entries, notes } = await readBoard(folder, signal);
  return {
    columns: columns.map(({ probe, title, dataset, metric, names, better }) => ({
      ...{ key: JSON.stringify([probe, dataset, metric]), title, dataset, names: [...names] },
      ...(better === undefined ? {} : { better }),
    })),
    rows: rows.map(({ evaluator, kind, cells }) => ({
      ...{ evaluator, kind },
      cells: cells.map((cell) => {
        if ('missing' in cell) return { type: 'missing', why: cell.missing };
        const { value, n } = cell.metric;
        return { type: 'value', value, n, ...shownCell(cell), report: cell.entry.path };
      }),
    })),
    reports: entries.length,
    ...(notes === '' ? {} : { notes }),
  };
}

/** Writes some of the files of `captious board`: the pages, or the results in mteb's form. */
export async function exportBoard(
  { folder, out, form }: AskOf<typeof boardRequests, 'writeBoard'>,
  signal: AbortSignal,
): Promise<{ files: string[] }> {
  return { files: await writeBoard(folder, out, { to: [form], signal }) };
}
