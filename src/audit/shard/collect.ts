import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { CaptiousError, inputError, wordsOf } from '../../base/errors';
import { say } from '../../base/say';
import { versions } from '../../base/files/versions';
import { differences, type Head } from './identity';
import { damageOf, type KeptFile, type Manifest, manifestName, readManifest } from './manifest';
import { type DifferentImage, firstDifferent } from './imageList';
import { repeatedId, wholeHash } from './split';

export interface FoundShard {
  folder: string;
  manifest: Manifest;
}

/** All shards of a set of probes and evaluators, sorted by shard number. */
export interface ShardSet {
  /** The first shard's manifest, for values that all shards share. */
  first: Manifest;
  shards: readonly FoundShard[];
}

const problemsNamed = 20;

/** Finds the shards in some folders. Throws an error if shards are missing, damaged, duplicate or mismatched. */
export async function collectShards(folders: readonly string[]): Promise<ShardSet[]> {
  const problems: string[] = [];
  const found: FoundShard[] = [];
  for (const folder of await shardFolders(folders)) {
    try {
      const manifest = await readManifest(folder);
      if (manifest === undefined) problems.push(`${folder}: this shard is not complete`);
      else found.push({ folder, manifest });
    } catch (error) {
      if (!(error instanceof CaptiousError)) throw error;
      problems.push(`damaged: ${error.describe()}`);
    }
  }
  if (found.length === 0 && problems.length === 0)
    throw inputError(say('shard.noShards'), say('shard.nameShardFolders'), folders.join(', '));
  const sets = setsOf(found, problems);
  for (const { folder, manifest } of found) {
    for (const file of filesOf(manifest)) {
      const damage = await damageOf(folder, file);
      if (damage !== undefined) problems.push(`damaged: ${folder}: ${damage}`);
    }
  }
  if (problems.length > 0) throw refusal(problems);
  for (const { shards } of sets) {
    const repeated = await repeatedId(shards);
    if (repeated !== undefined) throw refusal([otherId(repeated)]);
  }
  const image = await firstDifferent(found);
  if (image !== undefined) throw refusal([otherImage(image)]);
  return sets;
}

/** The named folders that are complete shards, and all shard folders directly inside the named folders. */
async function shardFolders(named: readonly string[]): Promise<string[]> {
  const folders = new Set<string>();
  for (const one of named.map((name) => resolve(name))) {
    const entries = await readdir(one, { withFileTypes: true }).catch((cause: unknown) => {
      throw inputError(say('shard.folderUnreadable', wordsOf(cause)), say('shard.checkPath'), one, cause);
    });
    if (entries.some(({ name }) => name === manifestName)) folders.add(one);
    for (const entry of entries)
      if (entry.isDirectory() && /^shard-[0-9a-f]{8}-\d+-of-\d+$/.test(entry.name))
        folders.add(join(one, entry.name));
  }
  return [...folders].sort();
}

function setsOf(found: readonly FoundShard[], problems: string[]): ShardSet[] {
  const groups = new Map<string, FoundShard[]>();
  for (const shard of found) {
    const key = nameOfSet(shard.manifest);
    groups.set(key, [...(groups.get(key) ?? []), shard]);
  }
  const reference = found.at(0);
  const sets: ShardSet[] = [];
  for (const [name, group] of groups) {
    const shards = [...group].sort((a, b) => a.manifest.shard.index - b.manifest.shard.index);
    const { manifest: first, folder } = shards[0];
    for (const other of shards.slice(1)) {
      const [difference] = differences(first, other.manifest);
      if (difference !== undefined) problems.push(foreign(folder, other.folder, difference));
    }
    for (const problem of otherFiles(shards)) problems.push(problem);
    if (reference !== undefined) {
      const others = groups.get(nameOfSet(reference.manifest))!;
      const across = differences(...common(others, shards)).at(0);
      if (across !== undefined) problems.push(foreign(reference.folder, folder, across));
    }
    const own = versions();
    const version = differences({ ...first, versions: own }, first).at(0);
    if (version !== undefined)
      problems.push(
        `mismatch: ${folder}: ${version.what} is ${version.values[1]}, but ${version.values[0]} in this Captious. Merge with the versions that wrote the shards, or run all shards again`,
      );
    const { count } = first.shard;
    for (let index = 1; index <= count; index++) {
      const same = shards.filter(({ manifest }) => manifest.shard.index === index);
      if (same.length === 0) problems.push(`missing: shard ${index}/${count} of ${name}`);
      if (same.length > 1)
        problems.push(
          `duplicate: shard ${index}/${count} of ${name}: ${same.map((one) => one.folder).join(', ')}`,
        );
    }
    sets.push({ first, shards });
  }
  return sets;
}

function nameOfSet({ probes, evaluators }: Manifest): string {
  return `${probes.map(({ probe }) => probe).join(',')} with ${evaluators.map(({ info }) => info.id).join(',')}`;
}

/** The parts of the shards' heads that all sets share. */
function common(...sets: [readonly FoundShard[], readonly FoundShard[]]): [Head, Head] {
  // One set may have whole files and the other not, so the hash of the whole dataset counts.
  const hashes = sets.map(wholeHash);
  const headOf = ([{ manifest }]: readonly FoundShard[], hash: string | undefined): Head => {
    const dataset = { ...manifest.dataset, sha256: hashes.includes(undefined) ? '' : hash! };
    return { ...manifest, dataset, probes: [], evaluators: [] };
  };
  return [headOf(sets[0], hashes[0]), headOf(sets[1], hashes[1])];
}

function foreign(
  first: string,
  other: string,
  { what, values }: { what: string; values: [string, string] },
): string {
  return `mismatch: ${other} does not belong to ${first}: ${what} is ${values[1]} instead of ${values[0]}`;
}

function otherImage({ name, sha256: [before, other], folders: [first, shard] }: DifferentImage): string {
  return `mismatch: the image ${JSON.stringify(name)} has the SHA-256 ${other} in ${shard}, but ${before} in ${first}`;
}

function otherId({ id, folder }: { id: string; folder: string }): string {
  return `duplicate: the id ${JSON.stringify(id)} in ${folder} is also in an earlier file of the dataset. A single run gives it another id. Run all shards again with --by-image`;
}

/** Files that a key does not cover and that were different in two shards. A shard may have needed none of them. */
function* otherFiles(shards: readonly FoundShard[]): Generator<string> {
  const known = new Map<string, { folder: string; sha256: string }>();
  for (const { folder, manifest } of shards)
    for (const [i, { uncovered = {} }] of manifest.evaluators.entries())
      for (const [path, sha256] of Object.entries(uncovered)) {
        const key = `${i} ${path}`;
        const first = known.get(key);
        if (first === undefined) known.set(key, { folder, sha256 });
        else if (first.sha256 !== sha256)
          yield foreign(first.folder, folder, {
            what: `the SHA-256 of ${path}`,
            values: [first.sha256, sha256],
          });
      }
}

function filesOf({ probes, store, imageList: images, ids }: Manifest): KeptFile[] {
  const rows = probes.flatMap(({ parts }) => (parts ?? []).flatMap((part) => [part.rows, part.answers]));
  if (images !== undefined) rows.push(images);
  if (ids !== undefined) rows.push(ids);
  // Only gallery probes, which have no parts, read the stored embeddings.
  return probes.some(({ parts }) => parts === undefined) ? [...rows, ...store] : rows;
}

function refusal(problems: readonly string[]): CaptiousError {
  const more = problems.length - problemsNamed;
  const named = [...problems.slice(0, problemsNamed), ...(more > 0 ? [`and ${more} more`] : [])].join('\n  ');
  return inputError(say('shard.notMergeable', named), say('shard.rerunMissingShards'));
}
