import type { ImageFinder } from '../dataset/images/images';
import type { Example } from '../dataset/example';
import type { Transform } from '../perturb/transform';
import type { ImageItem } from '../protocol/item';

/** Looks up every photo of an example; what was not found is undefined in its place. */
export async function findPhotos(example: Example, finder: ImageFinder): Promise<(ImageItem | undefined)[]> {
  return Promise.all(
    example.images.map(async ({ name, bytes, crop }) => {
      const transforms: Transform[] = crop === undefined ? [] : [{ op: 'crop', ...crop }];
      if (bytes !== undefined) return { kind: 'image', source: { name, bytes }, transforms };
      const found = await finder.find(name);
      return found.ok ? { kind: 'image', source: { name, path: found.path }, transforms } : undefined;
    }),
  );
}
