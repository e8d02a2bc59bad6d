/* Chooses the reports of a board: the newest of each evaluator, probe and dataset, and says which it leaves out. */
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { CaptiousError, inputError } from '../../base/errors';
import { inARow, say, type Words } from '../../base/say';
import { withoutPaths } from '../figures';
import { datasetOf } from '../paper/entry';
import { readReport, type Report } from '../report';

export async function reportNames(folder: string): Promise<string[]> {
  let names: string[];
  try {
    names = await readdir(folder);
  } catch (cause) {
    throw inputError(say('board.folderUnreadable'), say('board.nameReportFolder'), folder, cause);
  }
  const reports = names.filter((name) => name.endsWith('.report.json')).sort();
  if (reports.length === 0)
    throw inputError(say('board.noReportsInFolder'), say('board.nameReportFolder'), folder);
  return reports;
}

export interface Chosen {
  paths: readonly string[];
  /** Which reports the board leaves out. */
  notes: readonly Words[];
  leftOut: readonly { path: string; why: Words }[];
}

interface Read<F> {
  reports: (F & { report: Report })[];
  unreadable: (F & { error: CaptiousError })[];
}

/** The most files that a note names. */
const mostNamed = 5;

/** Reads reports in the given order. */
export async function readAll<F extends { path: string }>(files: readonly F[]): Promise<Read<F>> {
  const found: Read<F> = { reports: [], unreadable: [] };
  for (const file of files)
    try {
      found.reports.push({ ...file, report: await readReport(file.path) });
    } catch (error) {
      if (!(error instanceof CaptiousError)) throw error;
      found.unreadable.push({ ...file, error });
    }
  return found;
}

/** A table of reports of which none can be read has the error of the first. */
function requireOne({ reports, unreadable: [first] }: Read<object>): void {
  if (reports.length === 0) throw first.error;
}

/** The newest report file of each cell of a folder. */
export async function newestIn(folder: string): Promise<Chosen> {
  const names = await reportNames(folder);
  const read = await readAll(names.map((name) => ({ path: join(folder, name) })));
  requireOne(read);
  const { reports, unreadable } = read;
  const newest = new Map<string, { path: string; at: number }>();
  for (const { path, report } of reports) {
    const { mtimeMs: at } = await stat(path);
    const key = cellKey(report);
    if (at >= (newest.get(key)?.at ?? -Infinity)) newest.set(key, { path, at });
  }
  const kept = new Set(Array.from(newest.values(), ({ path }) => path));
  const all = reports.map(({ path }) => path);
  const older = all.filter((path) => !kept.has(path));
  const why = say('board.isOlder');
  return {
    paths: all.filter((path) => kept.has(path)),
    notes: [
      ...(older.length === 0
        ? []
        : [say('board.olderReports', bounded(older.map((path) => basename(path))))]),
      ...unreadableWords(unreadable, (path) => basename(path)),
    ],
    leftOut: [...older.map((path) => ({ path, why })), ...unreadable.map(reasonOf)],
  };
}

/**
 * The newest report of each cell of runs, which are in the order of time. `seriesOf`: what its other runs share. Of a
 * dataset's versions, those count that some evaluator's newest run has read, with the runs of other evaluators on them.
 */
export function newestOf<F extends { path: string }>(
  read: Read<F>,
  seriesOf: (report: Report) => string,
): Chosen {
  requireOne(read);
  const { reports, unreadable } = read;
  // A later report replaces an earlier one with the same key.
  const newestRuns = new Map(reports.map((own) => [seriesOf(own.report), own]));
  const versionOf = ({ probe, dataset }: Report) => JSON.stringify([probe, dataset.path, dataset.sha256]);
  const versions = new Set(Array.from(newestRuns.values(), ({ report }) => versionOf(report)));
  const current = reports.filter(({ report }) => versions.has(versionOf(report)));
  const newest = new Map(
    current.map((own) => [JSON.stringify([seriesOf(own.report), versionOf(own.report)]), own]),
  );
  const distinct = new Map(Array.from(newest.values(), ({ path, report }) => [cellKey(report), path]));
  const older = reports.length - distinct.size;
  return {
    paths: [...distinct.values()],
    notes: [
      ...(older === 0 ? [] : [say('board.olderRuns', older)]),
      ...versionWords([...newest.values()]),
      // The reports of several runs have equal names.
      ...unreadableWords(unreadable, (path) => `${basename(dirname(path))}/${basename(path)}`),
    ],
    leftOut: unreadable.map(reasonOf),
  };
}

/** Names the dataset files of which the reports have read several versions. */
function versionWords(files: readonly { report: Report }[]): Words[] {
  const read = new Map<string, Set<string>>();
  for (const { report } of files) {
    const { path, sha256 } = report.dataset;
    read.set(path, (read.get(path) ?? new Set()).add(sha256));
  }
  const several = [...read].flatMap(([path, versions]) => (versions.size > 1 ? [basename(path)] : []));
  return several.length === 0 ? [] : [say('board.datasetVersions', bounded(several))];
}

/** Equal for reports of one cell, such as those on copies of a dataset. */
function cellKey(report: Report): string {
  const { probe, dataset, evaluator } = report;
  return JSON.stringify([probe, datasetOf(report), dataset.sha256, evaluator.id, evaluator.sha256]);
}

function reasonOf({ path, error }: { path: string; error: CaptiousError }): Chosen['leftOut'][number] {
  return { path, why: withoutPaths(error.what) };
}

function unreadableWords(
  files: readonly { path: string; error: CaptiousError }[],
  nameOf: (path: string) => string,
): Words[] {
  if (files.length === 0) return [];
  const reasons = files.map((file) => say('probe.nameWithDetail', nameOf(file.path), reasonOf(file).why));
  return [say('board.unreadableReports', bounded(reasons))];
}

function bounded(names: readonly Words[]): Words {
  const further = names.length - mostNamed;
  return inARow(
    [...names.slice(0, mostNamed), ...(further > 0 ? [say('editor.further', further)] : [])],
    ', ',
  );
}
