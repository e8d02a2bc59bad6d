/* Reads the reports of a board in the editor: those of a folder, chosen ones, or those of a window's runs. */
import { join } from 'node:path';
import { inputError } from '../base/errors';
import { say } from '../base/say';
import type { BoardSource } from '../protocol/board';
import { type Chosen, newestIn, newestOf, readAll, reportNames } from '../report/board/chosen';
import type { Report } from '../report/report';

export interface BoardReport {
  path: string;
  report: Report;
  /** The time of the run; undefined for a report of a folder, or a chosen one. */
  at?: number;
}

/** The reports that can be read. Those of runs are in the order of time. */
export async function readableReports(from: BoardSource): Promise<BoardReport[]> {
  const files =
    from.type === 'folder'
      ? (await reportNames(from.folder)).map((name) => ({ path: join(from.folder, name) }))
      : inOrder(from);
  return (await readAll(files)).reports;
}

function inOrder(from: Exclude<BoardSource, { type: 'folder' }>): { path: string; at?: number }[] {
  return from.type === 'chosen'
    ? from.paths.map((path) => ({ path }))
    : from.reports.toSorted((a, b) => a.at - b.at);
}

/** What the runs of one evaluator with one probe and dataset have in common, also after a change of their files. */
export function seriesKey({ probe, dataset, evaluator: { id, path } }: Report): string {
  return JSON.stringify([probe, dataset.path, id, path]);
}

/** The newest report of each evaluator, probe and dataset. */
export async function comparedReports(from: BoardSource): Promise<Chosen> {
  if (from.type === 'folder') return newestIn(from.folder);
  const files = inOrder(from);
  if (files.length === 0) throw inputError(say('board.noReportsOfRuns'), say('board.auditForBoard'));
  return newestOf(await readAll(files), seriesKey);
}
