import { say } from '../../../base/say';
import { wordsOf } from '../../../base/errors';
import { seamsOf, type Seams } from '../../../perturb/image/seams';
import { applyTransforms } from '../../../perturb/transform';
import type { Outcome } from '../../../base/outcome';
import type { ImageItem } from '../../../protocol/item';
import type { JobContext } from '../jobContext';
import { decode } from './decode';
import { aids } from './imageTools';

/** For each image, measures the seams of its last transform, which moves an object. */
export async function measureSeams(
  images: readonly ImageItem[],
  context: JobContext,
): Promise<Outcome<Seams>[]> {
  const out: Outcome<Seams>[] = [];
  for (const { source, transforms } of images) {
    await context.pause();
    try {
      const move = transforms.at(-1);
      if (move?.op !== 'move') throw new Error('Seams need an image with a moved object.');
      const before = await applyTransforms(await decode(source), transforms.slice(0, -1), aids);
      out.push({ ok: true, value: seamsOf(before, await applyTransforms(before, [move], aids), move) });
    } catch (error) {
      out.push({ ok: false, problem: say('base.labelledPart', source.name, wordsOf(error)) });
    }
    context.step();
  }
  return out;
}
