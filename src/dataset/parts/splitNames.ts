import { valueIn } from '../../base/lists';

/* Finds splits by the names of files and folders, by the rules of the library `datasets`. */

/** The names that stand for a split. */
const keywords: Readonly<Record<string, readonly string[]>> = {
  train: ['train', 'training'],
  validation: ['validation', 'valid', 'dev', 'val'],
  test: ['test', 'testing', 'eval', 'evaluation'],
};
const sharded = /^data\/(\w[\w.]*)-\d{5}-of-\d{5}[^/.]*\.[^/]*$/;
const shard = /^(.*-)(\d{5})(-of-(\d{5})\.[^/]*)$/;
const mostShards = 10_000;

/**
 * The patterns of the splits that files tell of: by the shards in the folder `data`, else by the names of folders, else by
 * those of files. `withTexts` are the folders of images with texts, and `listed` the names of further splits.
 */
export function defaultSplits(
  files: readonly string[],
  withTexts: readonly string[],
  listed: readonly string[],
): ReadonlyMap<string, readonly string[]> {
  const ways = { ...Object.fromEntries(listed.map((name) => [name, [name]])), ...keywords };
  const tests = Object.entries(ways).map(([split, names]) => ({ split, test: testOf(names) }));
  const shards = new Found();
  for (const file of files) {
    const split = sharded.exec(file)?.[1];
    if (split !== undefined) shards.add(split, file);
  }
  if (shards.splits.size > 0) return inOrder(shards.splits, [...Object.keys(keywords), ...listed]);
  const folders = new Found();
  for (const path of [
    ...files.map((file) => file.slice(0, Math.max(file.lastIndexOf('/'), 0))),
    ...withTexts,
  ])
    for (const { split, test } of tests) {
      const names = path.split('/');
      const at = names.findIndex((name) => test.test(name));
      if (at >= 0) folders.add(split, `${names.slice(0, at + 1).join('/')}/**`);
    }
  if (folders.splits.size > 0) return inOrder(folders.splits, Object.keys(ways));
  const named = new Found();
  for (const file of files)
    for (const { split, test } of tests)
      if (test.test(file.slice(file.lastIndexOf('/') + 1))) named.add(split, file);
  return inOrder(named.splits, Object.keys(ways));
}

class Found {
  readonly splits = new Map<string, Set<string>>();

  add(split: string, pattern: string): void {
    valueIn(this.splits, split, () => new Set()).add(pattern);
  }
}

/** Whether a name is one of these words, or has one between signs, spaces or digits. */
function testOf(names: readonly string[]): RegExp {
  const words = names.map((name) => name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|');
  return new RegExp(`(?:^|[-._ 0-9])(?:${words})(?:$|[-._ 0-9])`);
}

function inOrder(
  found: ReadonlyMap<string, ReadonlySet<string>>,
  order: readonly string[],
): ReadonlyMap<string, readonly string[]> {
  const names = [...new Set([...order, ...found.keys()])].filter((name) => found.has(name));
  return new Map(names.map((name) => [name, asShards([...found.get(name)!])]));
}

/** One pattern for the shards of one file, which also names those that are missing. */
function asShards(files: readonly string[]): readonly string[] {
  const [first] = files;
  const [, start, , end, count] = shard.exec(first) ?? [];
  if (files.length < 2 || start === undefined || Number(count) > mostShards) return files;
  const isOf = (file: string): boolean => {
    const own = shard.exec(file);
    return own?.[1] === start && own[3] === end && Number(own[2]) < Number(count);
  };
  if (!files.every(isOf)) return files;
  const last = String(Number(count) - 1).padStart(5, '0');
  return [`${start}{00000..${last}}${end}`];
}
