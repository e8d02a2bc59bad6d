/* Reads the reports of a board in the editor: those of a folder, or those of a window's runs. */
import { stat } from 'node:fs/promises';
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

/** The newest report of each evaluator, probe and dataset. */
export async function comparedReports(
  from: BoardSource,
): Promise<{ from: string[]; older: number; unreadable: number }> {
  if (from.type === 'folder') return newestFiles(from.folder);
  const { reports, unreadable } = await readableReports(from);
  if (reports.length === 0) throw inputError(say('board.noReportsOfRuns'), say('board.auditForBoard'));
  // A later report replaces an earlier one with the same key.
  const newest = new Map(reports.map((own) => [seriesKey(own.report), own]));
  const distinct = new Map(Array.from(newest.values(), ({ path, report }) => [contentKey(report), path]));
  return { from: [...distinct.values()], older: reports.length - distinct.size, unreadable };
}

/** The files of a folder in the order of their names, without those that a newer one replaces. */
async function newestFiles(folder: string): ReturnType<typeof comparedReports> {
  const paths = (await reportNames(folder)).map((name) => join(folder, name));
  const newest = new Map<string, { path: string; at: number }>();
  for (const path of paths) {
    const key = contentKey(await readReport(path));
    const { mtimeMs: at } = await stat(path);
    if (at >= (newest.get(key)?.at ?? -Infinity)) newest.set(key, { path, at });
  }
  const kept = new Set(Array.from(newest.values(), ({ path }) => path));
  return { from: paths.filter((path) => kept.has(path)), older: paths.length - kept.size, unreadable: 0 };
}

/** Equal for reports on copies of a dataset, of which a table has one. */
function contentKey({ probe, dataset, evaluator: { id, sha256 }, options: { task } }: Report): string {
  return JSON.stringify([probe, basename(dataset.path), dataset.sha256, id, sha256, task]);
}
