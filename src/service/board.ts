/* Computes and writes boards for the editor. */
import { english } from '../base/english';
import type { AskOf } from '../base/calls';
import type { BoardSource, BoardTable, boardRequests } from '../protocol/board';
import { readBoard, writeBoard } from '../report/board/board';
import { shownCell } from '../report/board/cells';
import { comparedReports } from './boardReports';

export async function boardOf(source: BoardSource, signal: AbortSignal): Promise<BoardTable> {
  const { columns, rows, entries, notes } = await readBoard(await comparedReports(source), signal);
  return {
    columns: columns.map(({ probe, title, dataset, metric, names, better }) => ({
      ...{ key: JSON.stringify([probe, dataset, metric]), title, dataset, metric },
      names: [...names],
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
    ...(english(notes) === '' ? {} : { notes }),
  };
}

/** Writes some of the files of `captious board`: the pages, or the results in mteb's form. */
export async function exportBoard(
  { from, out, form }: AskOf<typeof boardRequests, 'writeBoard'>,
  signal: AbortSignal,
): Promise<{ files: string[] }> {
  return { files: await writeBoard(await comparedReports(from), out, { to: [form], signal }) };
}
