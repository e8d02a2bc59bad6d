/* Reads the reports of a board in the editor: those of a folder, or those of a window's runs. */
import { basename, join } from 'node:path';
import { inputError } from '../base/errors';
import { say } from '../base/say';
import type { BoardSource } from '../protocol/board';
import { reportNames } from '../report/board/board';
import { readReport, type Report } from '../report/report';

export interface BoardReport {
  path: string;
  report: Report;
  /** The time of the run; undefined for a report of a folder. */
  at?: number;
}

/** The reports that can be read, and the number of the others. Those of runs are in the order of time. */
export async function readableReports(
  from: BoardSource,
): Promise<{ reports: BoardReport[]; unreadable: number }> {
  const files =
    from.type === 'folder'
      ? (await reportNames(from.folder)).map((name) => ({ path: join(from.folder, name) }))
      : from.reports.toSorted((a, b) => a.at - b.at);
  const reports: BoardReport[] = [];
  for (const file of files) {
    const report = await readReport(file.path).catch(() => undefined);
    if (report !== undefined) reports.push({ ...file, report });
  }
  return { reports, unreadable: files.length - reports.length };
}

/** What the runs of one evaluator with one probe and dataset have in common, also after a change of their files. */
export function seriesKey({ probe, dataset, evaluator: { id, path } }: Report): string {
  return JSON.stringify([probe, dataset.path, id, path]);
}

/** A folder, or the newest report of each evaluator, probe and dataset of the runs. */
export async function comparedReports(
  from: BoardSource,
): Promise<{ from: string | string[]; older: number; unreadable: number }> {
  if (from.type === 'folder') return { from: from.folder, older: 0, unreadable: 0 };
  const { reports, unreadable } = await readableReports(from);
  if (reports.length === 0) throw inputError(say('board.noReportsOfRuns'), say('board.auditForBoard'));
  // A later report replaces an earlier one with the same key.
  const newest = new Map(reports.map((own) => [seriesKey(own.report), own]));
  const distinct = new Map(Array.from(newest.values(), ({ path, report }) => [contentKey(report), path]));
  return { from: [...distinct.values()], older: reports.length - distinct.size, unreadable };
}

/** Equal for reports on copies of a dataset, of which a table has one. */
function contentKey({ probe, dataset, evaluator: { id, sha256 } }: Report): string {
  return JSON.stringify([probe, basename(dataset.path), dataset.sha256, id, sha256]);
}
