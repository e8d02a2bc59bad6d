import { access, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { manifestName } from './manifest';
import { submissionName } from './submission';

const folderForm = /^shard-[0-9a-f]{8}-\d+-of-\d+$/;

export interface ShardProgress {
  done: number;
  /** Reports written since the submission. Reports of an earlier merge do not count. */
  reports: string[];
}

/** Returns what the shards in a folder have written so far. */
export async function shardProgress(folder: string): Promise<ShardProgress> {
  const names = await readdir(folder);
  // Both times come from the clock of the shared file system.
  const { mtimeMs: since } = await stat(join(folder, submissionName));
  const shards = names.filter((name) => folderForm.test(name));
  const isDone = await Promise.all(
    shards.map((name) =>
      access(join(folder, name, manifestName)).then(
        () => true,
        () => false,
      ),
    ),
  );
  const reports = names.filter((name) => name.endsWith('.report.json')).map((name) => join(folder, name));
  const times = await Promise.all(reports.map((path) => stat(path)));
  return {
    done: isDone.filter(Boolean).length,
    reports: reports.filter((_, i) => times[i].mtimeMs >= since),
  };
}
