import { lstat, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { largest } from '../../base/extent';
import type { SubmittedRun } from '../../protocol/service';
import { manifestName } from './manifest';
import { readSubmission, submissionName } from './submission';

const folderForm = /^shard-[0-9a-f]{8}-\d+-of-(\d+)$/;

export interface ShardProgress {
  done: number;
  /** Reports written since the submission. Reports of an earlier merge do not count. */
  reports: string[];
  /** Milliseconds since 1970. `changedAt` is the newest of three times: submission, last shard, last report. */
  submittedAt: number;
  changedAt: number;
}

export async function shardProgress(folder: string, shards: number): Promise<ShardProgress> {
  const names = await readdir(folder);
  // All times come from the shared file system's clock.
  const submittedAt = (await timeOf(join(folder, submissionName))) ?? 0;
  const own = names.filter((name) => Number(folderForm.exec(name)?.[1]) === shards);
  const done = await Promise.all(own.map((name) => timeOf(join(folder, name, manifestName))));
  const paths = names.filter((name) => name.endsWith('.report.json')).map((name) => join(folder, name));
  const written = await Promise.all(paths.map(timeOf));
  const reports = paths.filter((_, i) => (written[i] ?? 0) >= submittedAt);
  return {
    done: done.filter((time) => time !== undefined).length,
    reports,
    submittedAt,
    changedAt: largest([submittedAt, ...[...done, ...written].flatMap((time) => time ?? [])]),
  };
}

/** The modification time of a regular file; undefined if there is no such file. */
async function timeOf(path: string): Promise<number | undefined> {
  const found = await lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw error;
  });
  return found?.isFile() === true ? found.mtimeMs : undefined;
}

/** A submission with its progress, for the editor; null if the file is missing or not a submission. */
export async function submittedRun(path: string): Promise<SubmittedRun | null> {
  const found = await readSubmission(path);
  if (found === undefined) return null;
  const { dataset, shards, probes, groups, jobs } = found;
  const { done, reports, submittedAt, changedAt } = await shardProgress(dirname(path), shards);
  const evaluators = groups.flat();
  const all = shards * groups.length;
  return {
    ...{ dataset, probes, evaluators, jobs, shards: all, submittedAt, changedAt },
    // Shards of an earlier run in this folder count, too, if both runs have the same number of shards.
    done: Math.min(done, all),
    reports: reports.sort(),
    isMerged: reports.length >= probes.length * evaluators.length,
  };
}
