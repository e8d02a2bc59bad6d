import { access, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { manifestName } from './manifest';

const folderForm = /^shard-[0-9a-f]{8}-\d+-of-\d+$/;

export interface ShardProgress {
  done: number;
  started: number;
  /** Reports that the merge has written. */
  reports: string[];
}

/** What the shards in a folder have left so far. */
export async function shardProgress(folder: string): Promise<ShardProgress> {
  const names = await readdir(folder).catch(() => []);
  const shards = names.filter((name) => folderForm.test(name));
  const isDone = await Promise.all(
    shards.map((name) =>
      access(join(folder, name, manifestName)).then(
        () => true,
        () => false,
      ),
    ),
  );
  return {
    done: isDone.filter(Boolean).length,
    started: shards.length,
    reports: names.filter((name) => name.endsWith('.report.json')).map((name) => join(folder, name)),
  };
}
