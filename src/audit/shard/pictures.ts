import { createHash } from 'node:crypto';
import type { Fingerprints } from '../../base/files/fingerprints';
import type { Dataset } from '../../dataset/dataset';
import type { ImageFinder } from '../../dataset/images/images';

/** Image names with the SHA-256 of their files; null for an image that was not found. */
export type Pictures = readonly (readonly [name: string, sha256: string | null])[];

/** Every shard hashes this many images, which bounds the time. In a smaller dataset, these are all images. */
const mostPictures = 256;

/**
 * The images by which shards of one run recognise that they used the same images. Every shard of a dataset selects the
 * same names, spread over the whole dataset, because different shards score different images.
 */
export async function picturesOf(
  dataset: Dataset,
  finder: ImageFinder,
  fingerprints: Fingerprints,
  { limit, signal }: { limit: number; signal: AbortSignal },
): Promise<Pictures> {
  const pictures: [string, string | null][] = [];
  for (const name of await someNames(dataset, limit, signal)) {
    const found = await finder.find(name);
    const sha256 = found.ok ? await fingerprints.sha256(found.path, signal).catch(() => null) : null;
    pictures.push([name, sha256]);
  }
  return pictures;
}

/** The names whose hashes come first. */
async function someNames(dataset: Dataset, limit: number, signal: AbortSignal): Promise<string[]> {
  let kept = new Map<string, string>();
  let most = '\uffff';
  let examples = 0;
  for await (const { images } of dataset.read({ signal })) {
    if (examples++ === limit) break;
    for (const { name, bytes } of images) {
      if (bytes !== undefined) continue;
      const hash = createHash('sha256').update(name).digest('hex');
      if (hash < most) kept.set(hash, name);
    }
    if (kept.size < 2 * mostPictures) continue;
    kept = firstOf(kept);
    most = [...kept.keys()].at(-1)!;
  }
  return [...firstOf(kept).values()];
}

function firstOf(names: ReadonlyMap<string, string>): Map<string, string> {
  return new Map([...names].sort(([a], [b]) => (a < b ? -1 : 1)).slice(0, mostPictures));
}

/** The first image that has different files; undefined if all images that both have are equal. */
export function firstDifferent(
  a: Pictures,
  b: Pictures,
): { name: string; sha256: [string, string] } | undefined {
  const others = new Map(b);
  for (const [name, sha256] of a) {
    const other = others.get(name) ?? null;
    // A machine may have only some of the images. Missing images are left out of the report and counted.
    if (sha256 !== null && other !== null && sha256 !== other) return { name, sha256: [sha256, other] };
  }
  return undefined;
}
