import { realpath, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { Fingerprints } from '../base/files/fingerprints';
import { datasetHash } from '../dataset/parts/hash';
import type { Words } from '../base/say';
import { headlineOf } from '../probe/headline';
import { viewFor } from '../probe/views';
import { readReport, type Report } from './report';

/** The largest report that is read, in bytes. Reports are read whenever a dataset is opened. */
const largest = 16 << 20;
const most = 100;

export interface ReportBeside {
  path: string;
  probe: string;
  evaluator: string;
  /** The time of the file, in milliseconds since 1970. A report has no time of its own. */
  writtenAt: number;
  /** Whether the dataset is unchanged since the audit. */
  isCurrent: boolean;
  /** The headline as one line of text. `sentence` names further metrics, such as slices, and `brief` does not. */
  sentence?: Words;
  brief?: Words;
}

/**
 * The newest report on the dataset for each probe and evaluator, newest first, and of those on its current version if
 * there are any: copies of files lose their order. A report is on the dataset if it records the same path, or the same
 * file name and content.
 */
export async function reportsOn(dataset: string, files: readonly string[]): Promise<ReportBeside[]> {
  const found = (await Promise.all(files.map(dated))).filter((file) => file !== undefined);
  const newest = found.sort((a, b) => b.writtenAt - a.writtenAt).slice(0, most);
  const fingerprints = new Fingerprints(undefined);
  const own = await realpath(dataset);
  const reports = new Map<string, ReportBeside>();
  for (const { path, writtenAt } of newest) {
    const report = await readReport(path).catch(() => undefined);
    if (report === undefined || basename(report.dataset.path) !== basename(dataset)) continue;
    // A report that could score no row has nothing to show in the text, and would hide the verdicts of others.
    if (report.rowCount === 0) continue;
    const isCurrent = (await datasetHash(dataset, fingerprints)) === report.dataset.sha256;
    const named = await realpath(report.dataset.path).catch(() => undefined);
    const key = JSON.stringify([report.probe, report.evaluator.id, report.evaluator.name]);
    const newer = reports.get(key);
    if (newer !== undefined && (newer.isCurrent || !isCurrent)) continue;
    if (!isCurrent && named !== own) continue;
    reports.delete(key);
    reports.set(key, { path, writtenAt, isCurrent, ...described(report) });
  }
  return [...reports.values()];
}

async function dated(path: string): Promise<{ path: string; writtenAt: number } | undefined> {
  const found = await stat(path).catch(() => undefined);
  return found === undefined || found.size > largest ? undefined : { path, writtenAt: found.mtimeMs };
}

function described(report: Report): Omit<ReportBeside, 'path' | 'writtenAt' | 'isCurrent'> {
  const { probe, evaluator } = report;
  const { name } = evaluator;
  const view = viewFor(probe);
  const sentence = headlineOf(view, name, report);
  const brief = headlineOf(view, name, report, { slices: false });
  return { probe, evaluator: name, ...(sentence && { sentence }), ...(brief && { brief }) };
}
