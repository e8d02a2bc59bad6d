/* What a report says about the image files of its run: how many, and a hash of their names and of their contents. */
import { createHash } from 'node:crypto';
import type { Dataset } from '../../dataset/dataset';
import type { Example } from '../../dataset/example';
import { KeySet } from '../../dataset/ids';
import type { Report } from '../../report/report';

export type ImageFold = NonNullable<Report['dataset']['images']>;

/** The hash of an image's file; null for an image that was not found or cannot be read. */
export type DigestOf = (name: string) => Promise<string | null>;

const atOnce = 16;
const mask = (1n << 256n) - 1n;

/** Names and hashes of the distinct images that examples of a dataset have as files, in the order of the file. */
export async function* imagesOf(
  dataset: Pick<Dataset, 'read'>,
  digestOf: DigestOf,
  { limit, signal, isWanted = () => true, more = [] }: ImagesWanted,
): AsyncGenerator<[name: string, sha256: string | null]> {
  const known = new KeySet();
  let waiting: string[] = [];
  async function* flush(): AsyncGenerator<[string, string | null]> {
    const names = waiting;
    waiting = [];
    const digests = await Promise.all(names.map(digestOf));
    for (const [i, name] of names.entries()) yield [name, digests[i]];
  }
  let examples = 0;
  for await (const example of dataset.read({ signal })) {
    if (examples++ === limit) break;
    // The dataset's hash covers embedded images.
    for (const { name, bytes } of example.images)
      if (bytes === undefined && isWanted(example, name) && known.add(name)) waiting.push(name);
    if (waiting.length >= atOnce) yield* flush();
  }
  for (const name of more) {
    if (known.add(name)) waiting.push(name);
    if (waiting.length >= atOnce) yield* flush();
  }
  yield* flush();
}

interface ImagesWanted {
  limit: number;
  signal: AbortSignal;
  /** Which images of examples are wanted; all if absent. */
  isWanted?: (example: Example, name: string) => boolean;
  /** Names of further images. */
  more?: Iterable<string>;
}

/** Folds images in any order, counting a name once. Undefined if no image has a hash. */
export async function foldImages(
  images: AsyncIterable<readonly [name: string, sha256: string | null]>,
): Promise<ImageFold | undefined> {
  const known = new KeySet();
  let [names, contents] = [0n, 0n];
  for await (const [name, sha256] of images) {
    if (sha256 === null || !known.add(name)) continue;
    names = (names + numberOf(name)) & mask;
    contents = (contents + numberOf(`${name}\0${sha256}`)) & mask;
  }
  if (known.size === 0) return undefined;
  return { count: known.size, names: hex(names), sha256: hex(contents) };
}

function numberOf(text: string): bigint {
  return BigInt(`0x${createHash('sha256').update(text).digest('hex')}`);
}

function hex(value: bigint): string {
  return value.toString(16).padStart(64, '0');
}
