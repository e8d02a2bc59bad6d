import { fileOf, type ImageFinder } from '../dataset/images/images';
import type { Example } from '../dataset/example';
import { answersByName, type Evaluator } from '../evaluator/evaluator';
import type { Transform } from '../perturb/transform';
import type { ImageItem } from '../protocol/item';

/** Finds an example's images; undefined if missing. Those that all `evaluators` know by name need no file. */
export async function findImages(
  example: Example,
  finder: ImageFinder,
  evaluators: readonly Evaluator[] = [],
): Promise<(ImageItem | undefined)[]> {
  return Promise.all(
    example.images.map(async ({ name, bytes, crop }) => {
      const transforms: Transform[] = crop === undefined ? [] : [{ op: 'crop', ...crop }];
      if (bytes !== undefined) return { kind: 'image', source: { name, bytes }, transforms };
      const found = fileOf(await finder.find(name));
      if (found !== undefined) return { kind: 'image', source: { name, path: found.path }, transforms };
      const isKnown =
        evaluators.length > 0 && evaluators.every((evaluator) => answersByName(evaluator, name));
      return isKnown ? { kind: 'image', source: { name, bytes: new Uint8Array() }, transforms } : undefined;
    }),
  );
}
