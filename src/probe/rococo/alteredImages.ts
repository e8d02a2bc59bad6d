import { Random } from '../../base/random';
import { Fingerprints } from '../../base/files/fingerprints';
import type { ImageItem } from '../../protocol/item';
import type { MixedInImage, Transform } from '../../perturb/transform';
import type { ImageKind, RococoOptions } from './options';
import type { AlteredImage } from './row';

/** The width and the height of altered images in pixels, as in the paper. */
const side = 384;

/** The number of rows, and of columns, of the occlusion map. */
export const grid = 4;

/** The images that can be mixed into other images. Images without a separate file are excluded. */
export async function operands(images: readonly ImageItem[], signal: AbortSignal): Promise<MixedInImage[]> {
  const fingerprints = new Fingerprints(undefined);
  const refs: MixedInImage[] = [];
  for (const { path } of filesOf(images))
    refs.push({ path, sha256: await fingerprints.sha256(path, signal) });
  return refs;
}

/** Each image file once, in the order of the names, because the rows and the order of a dataset must not change a draw. */
function filesOf(images: readonly ImageItem[]): { name: string; path: string }[] {
  const files = images.flatMap(({ source }) => ('path' in source ? [source] : []));
  return [...new Map(files.map((file) => [file.path, file])).values()].sort((a, b) =>
    a.name < b.name ? -1 : 1,
  );
}

/** Alters each image with every kind and seed. Of `all`, only images mixed into others are read. */
export async function alterEach(
  images: readonly ImageItem[],
  { imageKinds, imageSeeds }: Pick<RococoOptions, 'imageKinds' | 'imageSeeds'>,
  all: readonly ImageItem[],
  signal: AbortSignal,
): Promise<ImageItem[]> {
  const fingerprints = new Fingerprints(undefined);
  const pool = filesOf(all).map(({ path }) => ({ path, sha256: '' }));
  const altered: ImageItem[] = [];
  // With the same seed, all kinds use the same second image, so each pair of images is decoded once.
  for (const image of images) {
    for (const seed of imageSeeds) {
      for (const kind of imageKinds) {
        const made = alterImage(image, kind, pool, seed);
        const last = made?.transforms.at(-1);
        if (last === undefined || !('other' in last)) continue;
        const other = { ...last.other, sha256: await fingerprints.sha256(last.other.path, signal) };
        altered.push({ ...image, transforms: [...image.transforms, { ...last, other }] });
      }
    }
  }
  return altered;
}

export function nameOf({ op, lambda }: ImageKind): string {
  return `${op}-${lambda}`;
}

/** The image altered with a random other image. Undefined if there is no other image. */
export function alterImage(
  image: ImageItem,
  { op, lambda }: ImageKind,
  pool: readonly MixedInImage[],
  seed: number,
): ImageItem | undefined {
  const path = 'path' in image.source ? image.source.path : undefined;
  if (!pool.some((other) => other.path !== path)) return undefined;
  const random = new Random(seed, image.source.name, 'rococo.picture');
  let other = random.pick(pool);
  while (other.path === path) other = random.pick(pool);
  const transform: Transform =
    op === 'mix'
      ? { op, other, side, lambda }
      : { op, other, side, lambda, x: random.below(side), y: random.below(side) };
  return { ...image, transforms: [...image.transforms, transform] };
}

/** The names of the images in the dataset, by path. */
export function namesOf(images: readonly ImageItem[]): Map<string, string> {
  return new Map(
    images.flatMap(({ source }): [string, string][] =>
      'path' in source ? [[source.path, source.name]] : [],
    ),
  );
}

/** How an altered image was made. A mixed-in image has its dataset name: paths differ by machine. */
export function alterationOf(
  { source, transforms }: ImageItem,
  names: ReadonlyMap<string, string>,
): AlteredImage | undefined {
  const transform = transforms.at(-1);
  if (transform?.op !== 'mix' && transform?.op !== 'patch') return undefined;
  const { path, sha256 } = transform.other;
  return {
    image: source.name,
    transform: { ...transform, other: { path: names.get(path) ?? path, sha256 } },
  };
}
