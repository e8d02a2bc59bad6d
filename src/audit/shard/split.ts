/* Splits a dataset of several files into shards of whole files, so that a job does not read the files of others. */
import { join } from 'node:path';
import { say } from '../../base/say';
import { inputError } from '../../base/errors';
import { sha256Of } from '../../base/files/sha256';
import { chunksOf, linesOf } from '../../base/files/readFile';
import type { Dataset, DatasetSlice } from '../../dataset/dataset';
import { KeySet } from '../../dataset/ids';
import { hashesOf, hashOfFiles } from '../../dataset/parts/hash';
import { partPaths } from '../../dataset/parts/partPaths';
import type { Probe } from '../../probe/probe';
import { intoFile } from '../../report/output';
import { type KeptFile, keptFileAt, type Manifest } from './manifest';
import type { Shard } from './shard';

const fileName = 'ids.jsonl';

/** The files of a shard; undefined if the shard has examples of all files, chosen by their images. */
export function filesOf(
  whole: Dataset,
  probes: readonly Probe[],
  { shard, limit, byImage }: { shard: Shard; limit?: number; byImage?: boolean },
): DatasetSlice | undefined {
  // Rankings need the examples of other shards. With a limit, the number of examples in earlier files matters.
  const isWhole = byImage === true || limit !== undefined || probes.some(({ mode }) => mode === 'gallery');
  return isWhole ? undefined : whole.slice?.(shard.index, shard.count);
}

/** What a shard of whole files says about the dataset. Only a merge knows the hash of all files. */
export async function identityOfFiles(
  { path, names, outline }: DatasetSlice,
  files: Parameters<typeof hashesOf>[1],
  signal: AbortSignal,
): Promise<{ sha256: string; files: string[] }> {
  const parts = await partPaths(path, signal);
  if (parts === undefined) throw inputError(say('base.pathMissing'), say('shard.restoreDataset'), path);
  return { sha256: sha256Of(outline), files: await hashesOf(parts, files, signal, new Set(names)) };
}

/** The hash of the whole dataset; undefined if it is not known because shards are missing. */
export function wholeHash(
  shards: readonly { manifest: Pick<Manifest, 'shard' | 'dataset'> }[],
): string | undefined {
  const { shard, dataset } = shards[0].manifest;
  if (dataset.files === undefined) return dataset.sha256;
  if (shards.length !== shard.count) return undefined;
  const inOrder = [...shards].sort((a, b) => a.manifest.shard.index - b.manifest.shard.index);
  return hashOfFiles(inOrder.flatMap(({ manifest }) => manifest.dataset.files ?? []));
}

/** Lists the ids of a shard's examples while `act` reads the dataset to its end. */
export async function withIds<T>(
  folder: string,
  dataset: DatasetSlice,
  act: (dataset: Pick<Dataset, 'read'>) => Promise<T>,
): Promise<[T, KeptFile]> {
  let result: { value: T } | undefined;
  await intoFile(join(folder, fileName), async (out) => {
    result = {
      value: await act({
        async *read(options) {
          for await (const example of dataset.read(options)) {
            await out.line(example.id);
            yield example;
          }
        },
      }),
    };
    await out.finish();
  });
  return [result!.value, await keptFileAt(folder, fileName)];
}

/** An id that examples of two shards have. A single run would change the second one. */
export async function repeatedId(
  shards: readonly { folder: string; manifest: Pick<Manifest, 'ids'> }[],
): Promise<{ id: string; folder: string } | undefined> {
  const known = new KeySet();
  for (const { folder, manifest } of shards) {
    if (manifest.ids === undefined) continue;
    const path = join(folder, manifest.ids.file);
    for await (const line of linesOf(chunksOf(path, manifest.ids.bytes), path)) {
      const id = JSON.parse(line) as string;
      if (!known.add(id)) return { id, folder };
    }
  }
  return undefined;
}
