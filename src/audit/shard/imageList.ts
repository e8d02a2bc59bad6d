/* Lists the images of each shard with their hashes, by which a merge recognises that all shards used the same images. */
import { basename, join } from 'node:path';
import { throwIfCancelled } from '../../base/errors';
import { chunksOf, linesOf } from '../../base/files/readFile';
import type { Dataset } from '../../dataset/dataset';
import type { Example } from '../../dataset/example';
import { KeySet } from '../../dataset/ids';
import { fileOf, type ImageFinder } from '../../dataset/images/images';
import type { Evaluator } from '../../evaluator/evaluator';
import { intoFile } from '../../report/output';
import { type DigestOf, imagesOf } from '../output/imageFold';
import type { ImageDigests } from '../resume/imageDigests';
import { damageOf, type KeptFile, keptFileAt } from './manifest';
import { listsImage, type Shard, shardOf } from './shard';

const fileName = 'images.jsonl';

/** A shard's folder, and its list of images. Absent if no evaluator reads images. */
export interface Listing {
  folder: string;
  manifest: { imageList?: KeptFile };
}

/** Whether scores depend on the bytes of images, and not only on their names. */
export function readsImages({ info, knowsImage, derived, mapped }: Evaluator): boolean {
  const inner = derived?.inner ?? mapped?.inner;
  if (inner !== undefined) return readsImages(inner);
  const isKnown = info.kind === 'scores' || knowsImage !== undefined;
  return !isKnown && info.scores.some((kind) => kind !== 'text-text');
}

/** If `skipsChanged`, an image that changed during the run counts as not found. Otherwise, the run ends. */
export function digestWith(
  finder: ImageFinder,
  digests: ImageDigests,
  signal: AbortSignal,
  skipsChanged = false,
): DigestOf {
  return async (name) => {
    const found = fileOf(await finder.find(name));
    if (found === undefined) return null;
    return digests.sha256(found.path, signal).catch((error: unknown) => {
      throwIfCancelled(signal);
      if (!skipsChanged && digests.hasChanged(found.path)) throw error;
      return null;
    });
  };
}

/**
 * Writes the list of a shard: its own images, those in `more`, and images of other shards, so that every image is in the
 * lists of at least two shards. A shard of whole files does not know the images of others.
 */
export async function writeImages(
  folder: string,
  job: {
    /** The shard's own examples if its files are whole, otherwise all. */
    dataset: Pick<Dataset, 'read'>;
    hasWholeFiles: boolean;
    shard: Shard;
    limit: number;
    more: Iterable<string>;
    signal: AbortSignal;
  },
  digestOf: DigestOf,
): Promise<KeptFile> {
  const path = join(folder, fileName);
  const isWanted = (example: Example, name: string): boolean =>
    job.hasWholeFiles || shardOf(example, job.shard.count) === job.shard.index || listsImage(name, job.shard);
  await intoFile(path, async (out) => {
    for await (const image of imagesOf(job.dataset, digestOf, { ...job, isWanted })) await out.line(image);
    await out.finish();
  });
  return keptFileAt(folder, basename(path));
}

/** Whether a complete shard lists the images as they are now. */
export async function areSame(shard: Listing, digestOf: DigestOf): Promise<boolean> {
  const { imageList: images } = shard.manifest;
  if (images !== undefined && (await damageOf(shard.folder, images)) !== undefined) return false;
  for await (const [name, sha256] of imagesIn(shard)) if ((await digestOf(name)) !== sha256) return false;
  return true;
}

export interface DifferentImage {
  name: string;
  sha256: [string, string];
  /** The folders of the two shards. The first is absent if the other version is the one that `digestOf` found. */
  folders: [string | undefined, string];
}

/**
 * The first image that has different files in two shards, or another file than `digestOf` finds; undefined if there is
 * none. A machine may lack some images, which are left out of the report and counted.
 */
export async function firstDifferent(
  shards: readonly Listing[],
  digestOf: DigestOf = () => Promise.resolve(null),
): Promise<DifferentImage | undefined> {
  const names = new KeySet();
  const contents = new KeySet();
  for (const shard of shards)
    for await (const [name, sha256] of imagesIn(shard)) {
      if (sha256 === null || !contents.add(`${name}\0${sha256}`)) continue;
      const isNew = names.add(name);
      const here = isNew ? await digestOf(name) : null;
      if (here !== null && here !== sha256)
        return { name, sha256: [here, sha256], folders: [undefined, shard.folder] };
      if (isNew) continue;
      for (const other of shards)
        for await (const [same, before] of imagesIn(other))
          if (same === name && before !== null)
            return { name, sha256: [before, sha256], folders: [other.folder, shard.folder] };
    }
  return undefined;
}

/** The images in the lists of several shards. */
export async function* imagesInAll(
  shards: readonly Listing[],
): AsyncGenerator<[name: string, sha256: string | null]> {
  for (const shard of shards) yield* imagesIn(shard);
}

async function* imagesIn({
  folder,
  manifest: { imageList: images },
}: Listing): AsyncGenerator<[name: string, sha256: string | null]> {
  if (images === undefined) return;
  const path = join(folder, images.file);
  for await (const line of linesOf(chunksOf(path, images.bytes), path))
    yield JSON.parse(line) as [string, string | null];
}
